package io.graphmeta.bench.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Threads that do the same side by side. */
public final class Clients {
  private Clients() {}

  /**
   * Runs as many, each with its number, and waits for all.
   *
   * @throws IllegalStateException if one of them fails
   */
  public static void run(int clients, IntConsumer work) {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        int number = client;
        running.add(threads.submit(() -> work.accept(number)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("A client failed", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
