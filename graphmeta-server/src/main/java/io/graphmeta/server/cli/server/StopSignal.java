package io.graphmeta.server.cli.server;

import java.util.concurrent.CountDownLatch;

/**
 * Tells that the process got SIGTERM or SIGINT, and keeps it from ending until this is closed: the
 * JVM ends when its hooks do. Safe for use by many threads.
 */
public final class StopSignal implements AutoCloseable {
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Waits from here on for the signal. */
  void listen() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stopAndWait, "graphmeta-stop"));
  }

  /** Waits until the signal has come. */
  void await() throws InterruptedException {
    stop.await();
  }

  private void stopAndWait() {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Everything is closed: the process may end. */
  @Override
  public void close() {
    stopped.countDown();
  }
}
