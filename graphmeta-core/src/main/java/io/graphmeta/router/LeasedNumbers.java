package io.graphmeta.router;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.protocol.Response;
import java.util.Arrays;

/**
 * Numbers of one kind, leased from the shards a range at a time and each used once. Ranges of a
 * shard grow, since all threads wait while one is leased, and what is leased is synced where there
 * are several shards; who leaves passes over no more than he has used, or the first range. The
 * numbers rise over all shards together, so that vertices that a client creates on several shards
 * have keys in the order of their creation; the numbers of a range that are passed over are never
 * used. Safe for use by many threads.
 */
final class LeasedNumbers {
  private static final int FIRST_RANGE = 8192;
  private static final int MAX_RANGE = 1 << 16;

  private final RequestSender shards;
  private final SequenceKind kind;

  @GuardedBy("this")
  private final long[] begins;

  @GuardedBy("this")
  private final long[] ends;

  /** How many numbers are leased next. */
  @GuardedBy("this")
  private final int[] ranges;

  @GuardedBy("this")
  private long last;

  LeasedNumbers(RequestSender shards, SequenceKind kind) {
    this.shards = shards;
    this.kind = kind;
    this.begins = new long[shards.shards()];
    this.ends = new long[shards.shards()];
    this.ranges = new int[shards.shards()];
    Arrays.fill(ranges, FIRST_RANGE);
  }

  /** A number of a shard that no other client has, greater than all that this client has used. */
  synchronized long next(int shard) {
    if (last + 1 >= ends[shard]) {
      int range = ranges[shard];
      Request lease = new Request.Lease(kind, range, last + 1);
      begins[shard] = shards.call(shard, lease, Response.Leased.class).first();
      ends[shard] = begins[shard] + range;
      ranges[shard] = Math.min(MAX_RANGE, 2 * range);
    }
    last = Math.max(last + 1, begins[shard]);
    return last;
  }
}
