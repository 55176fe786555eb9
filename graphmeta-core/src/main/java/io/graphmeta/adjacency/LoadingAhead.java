package io.graphmeta.adjacency;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Loads what a reader misses from the end on, on another thread, while the reader works from the
 * beginning: what it has loaded the reader finds in the table. Ends before the reader does. The
 * reader's thread calls {@link #reached} and {@link #end}; the misses do not change meanwhile.
 */
final class LoadingAhead implements Runnable {
  private final UnitTable table;
  private final AdjacencyReader reader;
  private final Misses missed;
  private final boolean outgoing;
  private final ReadView view;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);

  /** Where the reader is; at and below it there is nothing to load ahead. */
  private volatile int reached = -1;

  /**
   * Prepares to load.
   *
   * @param reader of this alone
   */
  LoadingAhead(
      UnitTable table, AdjacencyReader reader, Misses missed, boolean outgoing, ReadView view) {
    this.table = table;
    this.reader = reader;
    this.missed = missed;
    this.outgoing = outgoing;
    this.view = view;
  }

  @Override
  public void run() {
    if (!taken.compareAndSet(false, true)) {
      return;
    }
    try (reader) {
      for (int m = missed.size() - 1; m > reached; m--) {
        reader.load(missed.vertex(m), missed.label(m), 0, outgoing, view, null);
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
    int tag = Unit.tag(missed.label(m), outgoing);
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
    return reader.bytesRead();
  }
}
