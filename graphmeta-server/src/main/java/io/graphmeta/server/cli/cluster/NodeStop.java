package io.graphmeta.server.cli.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How the process of a node is asked to end, by SIGTERM or SIGINT. The thread of the command is
 * interrupted while it opens the node, which may wait for others for long. It is not from when the
 * node is open: it has to wait for others then, to hand over to them what the node leads. Safe for
 * use by many threads.
 */
final class NodeStop {
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  @GuardedBy("this")
  private @Nullable Thread opening = Thread.currentThread();

  /** Asks the thread that has made this to end, and waits until it says that it has. */
  void askAndAwait() {
    asked.countDown();
    synchronized (this) {
      if (opening != null) {
        opening.interrupt();
      }
    }
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The node is open: the thread, which calls this, is not interrupted any more, nor has been. */
  synchronized void opened() {
    opening = null;
    Thread.interrupted();
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** Waits until it is asked, for some time; returns whether it is. */
  boolean await(long millis) throws InterruptedException {
    return asked.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Everything is closed: the process may end. */
  void ended() {
    ended.countDown();
  }
}
