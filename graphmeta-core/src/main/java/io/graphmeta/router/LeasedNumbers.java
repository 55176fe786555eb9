package io.graphmeta.router;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.protocol.Response;

/**
 * Numbers of one kind, leased from the servers a range at a time and each used once. The numbers
 * rise over all servers together, so that vertices that a client creates on several servers have
 * keys in the order of their creation; the numbers of a range that are passed over are never used.
 * Safe for use by many threads.
 */
final class LeasedNumbers {
  private static final int RANGE = 8192;

  private final RequestSender servers;
  private final SequenceKind kind;

  @GuardedBy("this")
  private final long[] begins;

  @GuardedBy("this")
  private final long[] ends;

  @GuardedBy("this")
  private long last;

  LeasedNumbers(RequestSender servers, SequenceKind kind) {
    this.servers = servers;
    this.kind = kind;
    this.begins = new long[servers.servers()];
    this.ends = new long[servers.servers()];
  }

  /** A number of a server that no other client has, greater than all that this client has used. */
  synchronized long next(int server) {
    if (last + 1 >= ends[server]) {
      Request lease = new Request.Lease(kind, RANGE, last + 1);
      begins[server] = servers.call(server, lease, Response.Leased.class).first();
      ends[server] = begins[server] + RANGE;
    }
    last = Math.max(last + 1, begins[server]);
    return last;
  }
}
