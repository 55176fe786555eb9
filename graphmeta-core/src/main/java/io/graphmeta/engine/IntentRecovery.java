package io.graphmeta.engine;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.HostedShard;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, when a database is opened, until the shards have found out what became of the transactions
 * that were committing when it was closed or ended. The housekeeping of the shards does the work;
 * this class waits and reports its progress. Belongs to one thread.
 */
final class IntentRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(IntentRecovery.class);
  private static final long LOOK_NANOS = 1_000_000;
  private static final long TELL_NANOS = 1_000_000_000;

  private final List<HostedShard> hosted;
  private final long timeoutMillis;

  IntentRecovery(List<HostedShard> hosted, long timeoutMillis) {
    this.hosted = hosted;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Waits, as long as there is progress within the time allowed for a request.
   *
   * @throws GraphMetaException {@code TIMEOUT} or {@code CANCELLED}
   */
  void run() {
    int all = openIntents();
    int open = all;
    long progressed = System.nanoTime();
    long told = progressed;
    while (open > 0) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new GraphMetaException(
            ErrorCode.CANCELLED, "The thread was interrupted while it opened a database");
      }
      int now = openIntents();
      long nanos = System.nanoTime();
      if (now < open) {
        progressed = nanos;
      } else if (nanos - progressed > timeoutMillis * 1_000_000) {
        throw new GraphMetaException(
            ErrorCode.TIMEOUT,
            "The outcome of "
                + now
                + " parts of transactions could not be found out within "
                + timeoutMillis
                + " ms; look into the log for the reason and open the database again");
      }
      if (nanos - told > TELL_NANOS) {
        told = nanos;
        LOG.info("{} of {} parts of transactions resolved", all - now, all);
      }
      open = now;
    }
  }

  private int openIntents() {
    return hosted.stream().mapToInt(HostedShard::openIntents).sum();
  }
}
