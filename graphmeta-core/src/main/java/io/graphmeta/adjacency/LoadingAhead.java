package io.graphmeta.adjacency;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Loads what a reader misses from the end on, on another thread, while the reader works from the
 * beginning: what it has loaded the reader finds in the table. Ends before the reader does. The
 * reader's thread calls {@link #reached} and {@link #end}; the misses do not change meanwhile.
 */
final class LoadingAhead implements Runnable {
  private static final int LEAST_MISSES = 128;

  private final UnitTable table;
  private final StoredNeighbours stored;
  private final Misses missed;
  private final NeighbourQuery query;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);

  /** Where the reader is; at and below it there is nothing to load ahead. */
  private volatile int reached = -1;

  private LoadingAhead(
      UnitTable table, StoredNeighbours stored, Misses missed, NeighbourQuery query) {
    this.table = table;
    this.stored = stored;
    this.missed = missed;
    this.query = query;
  }

  /** Begins to load what a reader has missed; null if it is little, or there is no room for it. */
  static @Nullable LoadingAhead begin(SharedUnits units, Misses missed, NeighbourQuery query) {
    Executor threads = units.loaders();
    UnitTable table = units.table;
    if (threads == null
        || table == null
        || missed.size() < LEAST_MISSES
        || !table.hasRoomFor(missed.size())) {
      return null;
    }
    LoadingAhead ahead = new LoadingAhead(table, new StoredNeighbours(units), missed, query);
    try {
      threads.execute(ahead);
    } catch (RejectedExecutionException e) {
      return null; // no thread has time for it
    }
    return ahead;
  }

  @Override
  public void run() {
    if (!taken.compareAndSet(false, true)) {
      return;
    }
    try (stored) {
      for (int m = missed.size() - 1; m > reached; m--) {
        stored.load(missed.vertex(m), missed.label(m), query);
      }
    } catch (GraphMetaException e) {
      // The reader will load the same units, and meet the same failure if it is still there.
    } finally {
      done.countDown();
    }
  }

  /** Tells what the reader is about to read, and returns its unit if it is loaded. */
  long @Nullable [] find(int m) {
    reached = m;
    int tag = Unit.tag(missed.label(m), query.outgoing());
    ReadView view = query.view();
    return table.find(missed.vertex(m), tag, tag, view.validAt(), view.knownAt());
  }

  /** Ends the loading, and waits for the unit that is being loaded. */
  void end() {
    reached = Integer.MAX_VALUE;
    if (!taken.compareAndSet(false, true)) {
      boolean interrupted = false;
      while (done.getCount() > 0) {
        try {
          done.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Bytes of keys that were read ahead. After {@link #end}. */
  long bytesRead() {
    return stored.bytesRead();
  }
}
