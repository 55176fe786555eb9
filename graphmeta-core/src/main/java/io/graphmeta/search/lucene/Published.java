package io.graphmeta.search.lucene;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.util.IOUtils;

/**
 * What those who ask see until the next is published: both sides as of one moment, and the stamp up
 * to which they hold everything. Threads enter and leave; the thread that changes the index closes
 * it when a newer one is there and all have left, so that no other thread opens or closes a file.
 */
final class Published {
  private final Side current;
  private final Side history;
  private final long stamp;

  @GuardedBy("this")
  private int asking;

  @GuardedBy("this")
  private boolean closed;

  Published(DirectoryReader current, DirectoryReader history, long stamp) throws IOException {
    this.current = new Side(current, false);
    this.history = new Side(history, true);
    this.stamp = stamp;
  }

  Side current() {
    return current;
  }

  Side history() {
    return history;
  }

  List<Side> sides() {
    return List.of(current, history);
  }

  long stamp() {
    return stamp;
  }

  /** Keeps it open until {@link #leave}; false if it is closed already. */
  synchronized boolean enter() {
    if (closed) {
      return false;
    }
    asking++;
    return true;
  }

  synchronized void leave() {
    asking--;
    if (asking == 0) {
      notifyAll();
    }
  }

  /** Closes it if nobody asks it; true if it is closed now. */
  boolean closeIfLeft() throws IOException {
    synchronized (this) {
      if (asking > 0) {
        return false;
      }
      closed = true;
    }
    IOUtils.close(current.reader()::decRef, history.reader()::decRef);
    return true;
  }

  /** Waits until nobody asks it any more, and closes it. */
  void close() throws IOException {
    boolean interrupted = false;
    synchronized (this) {
      closed = true;
      while (asking > 0) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    IOUtils.close(current.reader()::decRef, history.reader()::decRef);
  }
}
