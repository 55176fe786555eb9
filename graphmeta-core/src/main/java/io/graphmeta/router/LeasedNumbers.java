package io.graphmeta.router;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.protocol.Response;

/**
 * Numbers of one kind, leased from the servers a range at a time and each used once. Those of all
 * servers rise together, so that vertices that a client creates on several servers have keys in the
 * order of their creation; what a server's range has between is given up. Safe for use by many
 * threads.
 */
final class LeasedNumbers {
  private static final int RANGE = 8192;

  private final Router router;
  private final SequenceKind kind;
  private final long[] begins;
  private final long[] ends;
  private long last;

  LeasedNumbers(Router router, SequenceKind kind, int servers) {
    this.router = router;
    this.kind = kind;
    this.begins = new long[servers];
    this.ends = new long[servers];
  }

  /** A number of this server that nobody else has, greater than all that were given here. */
  synchronized long next(int server) {
    if (last + 1 >= ends[server]) {
      Request lease = new Request.Lease(kind, RANGE, last + 1);
      begins[server] = router.call(server, lease, Response.Leased.class).first();
      ends[server] = begins[server] + RANGE;
    }
    last = Math.max(last + 1, begins[server]);
    return last;
  }
}
