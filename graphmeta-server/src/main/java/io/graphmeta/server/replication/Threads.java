package io.graphmeta.server.replication;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** How threads of replicas are ended. */
final class Threads {
  private Threads() {}

  /** Takes nothing more, and waits for what was taken; an interrupt of this thread hurries that. */
  static void end(ExecutorService threads) {
    threads.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
        threads.shutdownNow();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
