package io.graphmeta.log;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The log of a store by itself: its own write-ahead log. The thread that appends writes; a thread
 * of the log syncs, once for all entries that came while it was syncing before, so that no writer
 * keeps others from writing while it waits for the disk.
 *
 * <p>Once a sync has failed nobody can tell what is on the disk: the log takes no more entries
 * until the store is opened again. Safe for use by many threads.
 */
public final class LocalLog implements ReplicationLog {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final StorageEngine storage;
  private final Thread syncing;

  /** Those that wait for the next sync. Guarded by itself, as are the next three. */
  private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

  private boolean started;
  private boolean closed;
  private @Nullable RuntimeException failure;

  /** The log of a store; {@code name} is for its thread. */
  public LocalLog(StorageEngine storage, String name) {
    this.storage = storage;
    this.syncing = new Thread(this::run, name);
    syncing.setDaemon(true);
  }

  @Override
  public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
    requireUsable();
    storage.write(entry, Durability.BACKGROUND);
    if (durability == Durability.BACKGROUND) {
      return DONE;
    }
    CompletableFuture<Void> synced = new CompletableFuture<>();
    synchronized (waiting) {
      requireUsable();
      if (!started) {
        started = true;
        syncing.start();
      }
      waiting.add(synced);
      waiting.notifyAll();
    }
    return synced;
  }

  private void requireUsable() {
    synchronized (waiting) {
      if (failure != null) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE,
            "A sync of the log failed ("
                + failure.getMessage()
                + "); close the database, look after the disk, and open it again",
            failure);
      }
      if (closed) {
        throw new GraphMetaException(ErrorCode.CLOSED, "The log is closed");
      }
    }
  }

  private void run() {
    List<CompletableFuture<Void>> group = take();
    while (!group.isEmpty()) {
      RuntimeException failed = sync();
      for (CompletableFuture<Void> synced : group) {
        if (failed == null) {
          synced.complete(null);
        } else {
          synced.completeExceptionally(failed);
        }
      }
      group = take();
    }
  }

  private @Nullable RuntimeException sync() {
    synchronized (waiting) {
      if (failure != null) {
        return failure;
      }
    }
    try {
      storage.sync();
      return null;
    } catch (RuntimeException e) {
      synchronized (waiting) {
        failure = e;
      }
      return e;
    }
  }

  /** Waits for entries; none when the log is closed and all were synced. */
  private List<CompletableFuture<Void>> take() {
    synchronized (waiting) {
      while (waiting.isEmpty() && !closed) {
        try {
          waiting.wait();
        } catch (InterruptedException e) {
          // Nobody has a reason to interrupt this thread; it ends when the log is closed.
        }
      }
      List<CompletableFuture<Void>> group = List.copyOf(waiting);
      waiting.clear();
      return group;
    }
  }

  @Override
  public void close() {
    synchronized (waiting) {
      closed = true;
      waiting.notifyAll();
    }
    boolean interrupted = false;
    while (syncing.isAlive()) {
      try {
        syncing.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
