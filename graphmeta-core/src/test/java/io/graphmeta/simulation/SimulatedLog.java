package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of one process over a simulated disk. Entries are applied at once; one sync at a time
 * makes durable what was there when it began, and those that wait for it learn of it one by one.
 * Ends silently with its process.
 */
final class SimulatedLog implements ReplicationLog {
  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final SimulatedDisk disk;
  private final StorageEngine storage;
  private final Supplier<DiskFaults> faults;
  private List<CompletableFuture<Void>> waiting = new ArrayList<>();
  private boolean syncing;
  private boolean ended;
  private @Nullable GraphMetaException failure;

  /**
   * How the disk behaves.
   *
   * @param syncMicros time of a sync, at most, but for the odd long one
   * @param refusals chance that an entry is refused
   * @param syncFailures chance that a sync fails
   */
  record DiskFaults(long syncMicros, double refusals, double syncFailures) {
    static final DiskFaults NONE = new DiskFaults(200, 0, 0);
  }

  SimulatedLog(
      Scheduler scheduler,
      SplittableRandom random,
      SimulatedDisk disk,
      StorageEngine storage,
      Supplier<DiskFaults> faults) {
    this.scheduler = scheduler;
    this.random = random;
    this.disk = disk;
    this.storage = storage;
    this.faults = faults;
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    if (failure != null) {
      throw failure.again();
    }
    if (ended) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The log is closed");
    }
    if (random.nextDouble() < faults.get().refusals) {
      throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, "The simulated disk is full");
    }
    storage.write(entry, Durability.BACKGROUND);
    if (durability == Durability.BACKGROUND) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> synced = new CompletableFuture<>();
    waiting.add(synced);
    if (!syncing) {
      sync();
    }
    return synced;
  }

  /** Syncs from time to time what nobody waits for. */
  void syncEvery(long micros) {
    scheduler.after(
        micros / 2 + random.nextLong(micros),
        () -> {
          if (!ended && failure == null) {
            disk.sync(disk.entries());
            syncEvery(micros);
          }
        });
  }

  private void sync() {
    syncing = true;
    List<CompletableFuture<Void>> group = waiting;
    waiting = new ArrayList<>();
    long upTo = disk.entries();
    boolean fails = random.nextDouble() < faults.get().syncFailures;
    long micros = 20 + random.nextLong(faults.get().syncMicros);
    scheduler.after(
        random.nextInt(50) == 0 ? micros * 50 : micros,
        () -> {
          if (ended) {
            return;
          }
          if (fails && failure == null) {
            failure = new GraphMetaException(ErrorCode.STORAGE_FAILURE, "A simulated sync failed");
          }
          if (failure == null) {
            disk.sync(upTo);
          }
          tell(group, 0);
        });
  }

  private void tell(List<CompletableFuture<Void>> group, int at) {
    if (ended) {
      return;
    }
    if (at < group.size()) {
      scheduler.after(1, () -> tell(group, at + 1));
      if (failure != null) {
        group.get(at).completeExceptionally(failure);
      } else {
        group.get(at).complete(null);
      }
    } else if (!waiting.isEmpty()) {
      sync();
    } else {
      syncing = false;
    }
  }

  /** True when a sync has failed, so that the process must be started again. */
  boolean hasFailed() {
    return failure != null;
  }

  @Override
  public void stop(Throwable cause) {
    if (failure == null) {
      failure = new GraphMetaException(ErrorCode.STORAGE_FAILURE, "The log was stopped", cause);
    }
  }

  @Override
  public @Nullable Throwable stopped() {
    return failure;
  }

  /** The process has died. */
  void end() {
    ended = true;
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      disk.sync(disk.entries());
    }
  }
}
