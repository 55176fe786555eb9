package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of one process over a simulated disk. Entries are applied at once, or later, as those of
 * a log that is replicated first; one sync at a time makes durable what was there when it began,
 * and those that wait for it learn of it one by one. Ends silently with its process: of what was
 * ordered and not applied then, the first entries are applied, and the others never were.
 */
final class SimulatedLog implements ReplicationLog {
  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final SimulatedDisk disk;
  private final StorageEngine storage;
  private final Supplier<DiskFaults> faults;
  private final long applyMicros;
  private final Deque<Ordered> ordered = new ArrayDeque<>();
  private Told told = Told.NOBODY;
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

  /** An entry that is not applied yet. */
  private record Ordered(
      RowBatch entry, Durability durability, long dueMicros, CompletableFuture<Void> done) {}

  /**
   * A log.
   *
   * @param applyMicros time until an entry is applied, at most; 0 for at once
   */
  SimulatedLog(
      Scheduler scheduler,
      SplittableRandom random,
      SimulatedDisk disk,
      StorageEngine storage,
      Supplier<DiskFaults> faults,
      long applyMicros) {
    this.applyMicros = applyMicros;
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
    CompletableFuture<Void> done = new CompletableFuture<>();
    if (applyMicros > 0) {
      order(entry, durability, done);
      told.ordered(entry);
    } else {
      storage.write(entry, Durability.BACKGROUND);
      told.ordered(entry);
      told.applied(entry);
      written(durability, done);
    }
    return done;
  }

  private void order(RowBatch entry, Durability durability, CompletableFuture<Void> done) {
    long due = scheduler.now() + 1 + random.nextLong(applyMicros);
    due = ordered.isEmpty() ? due : Math.max(due, ordered.getLast().dueMicros);
    ordered.add(new Ordered(copy(entry), durability, due, done));
    if (ordered.size() == 1) {
      applyNext();
    }
  }

  private static RowBatch copy(RowBatch entry) {
    RowBatch copy = new RowBatch(entry.sizeBytes());
    entry.forEach(
        (family, buffer, keyAt, keyLength, valueAt, valueLength) -> {
          byte[] key = Arrays.copyOfRange(buffer, keyAt, keyAt + keyLength);
          if (valueLength == RowBatch.DELETED) {
            copy.delete(family, key);
          } else {
            copy.put(family, key, Arrays.copyOfRange(buffer, valueAt, valueAt + valueLength));
          }
        });
    return copy;
  }

  private void applyNext() {
    scheduler.after(
        Math.max(1, ordered.getFirst().dueMicros - scheduler.now()),
        () -> {
          if (!ended) {
            Ordered first = ordered.getFirst();
            apply(first.entry, first.durability, first.done);
            ordered.removeFirst();
            if (!ordered.isEmpty()) {
              applyNext();
            }
          }
        });
  }

  private void apply(RowBatch entry, Durability durability, CompletableFuture<Void> done) {
    if (failure != null) {
      done.completeExceptionally(failure);
      return;
    }
    storage.write(entry, Durability.BACKGROUND);
    told.applied(entry);
    written(durability, done);
  }

  private void written(Durability durability, CompletableFuture<Void> done) {
    if (durability == Durability.BACKGROUND) {
      done.complete(null);
      return;
    }
    waiting.add(done);
    if (!syncing) {
      sync();
    }
  }

  @Override
  public CompletableFuture<Void> applied() {
    return ordered.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : ordered.getLast().done.handle((done, failed) -> null);
  }

  @Override
  public void tell(Told of) {
    told = of;
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
    int kept = ended || failure != null ? 0 : random.nextInt(ordered.size() + 1);
    ended = true;
    ordered.stream().limit(kept).forEach(each -> disk.write(each.entry));
    ordered.clear();
  }

  @Override
  public void close() {
    if (!ended) {
      ended = true;
      ordered.forEach(each -> disk.write(each.entry));
      ordered.clear();
      disk.sync(disk.entries());
    }
  }
}
