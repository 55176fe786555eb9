package io.graphmeta.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a replica that another one orders: refuses to append, and tells of what is applied.
 * What is built over the store is built between two entries. Safe for use by many threads.
 */
public final class FollowedLog implements ReplicationLog, ReplicationLog.Told {
  /** An entry that takes longer has failed, and ends the replica. */
  private static final long ENTRY_MILLIS = 5_000;

  private static final Consumer<RowBatch> NOTHING = entry -> {};

  private final int number;

  @GuardedBy("this")
  private Told told = Told.NOBODY;

  /** What is to be done behind each entry that was told. */
  @GuardedBy("this")
  private Consumer<RowBatch> behindEach = NOTHING;

  @GuardedBy("this")
  private boolean applying;

  /** The log of a replica of a shard. */
  public FollowedLog(int number) {
    this.number = number;
  }

  /**
   * Builds something over the store while no entry is on its way into it.
   *
   * @throws GraphMetaException {@code NOT_LEADER} if that does not come
   */
  synchronized <T> T between(Supplier<T> building) {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ENTRY_MILLIS);
    while (applying) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMillis <= 0) {
        throw TermAnswers.notLed(number);
      }
      try {
        wait(leftMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new GraphMetaException(
            ErrorCode.CANCELLED, "The thread was interrupted while a replica was to be read", e);
      }
    }
    return building.get();
  }

  /** Does something with each entry from now on, when it was told. */
  synchronized void behindEach(Consumer<RowBatch> action) {
    behindEach = action;
  }

  /** Tells nobody any more. */
  synchronized void tellNobody() {
    told = Told.NOBODY;
    behindEach = NOTHING;
  }

  @Override
  public synchronized void tell(Told of) {
    told = of;
  }

  /** An entry is about to be applied. */
  @Override
  public synchronized void ordered(RowBatch entry) {
    applying = true;
    told.ordered(entry);
  }

  @Override
  public synchronized void applied(RowBatch entry) {
    told.applied(entry);
    behindEach.accept(entry);
    applying = false;
    notifyAll();
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    throw TermAnswers.notLed(number);
  }

  /** What is built over it ends by itself. */
  @Override
  public void stop(Throwable cause) {}

  @Override
  public @Nullable Throwable stopped() {
    return null;
  }

  @Override
  public void close() {}
}
