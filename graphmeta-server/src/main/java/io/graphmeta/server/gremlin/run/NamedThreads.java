package io.graphmeta.server.gremlin.run;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the threads of the endpoint, {@code graphmeta-NAME-NUMBER}. Safe for use by many threads.
 */
public final class NamedThreads implements ThreadFactory {
  /** Deeply nested traversals recurse; the limit on nesting keeps well within this. */
  private static final long STACK_BYTES = 4 << 20;

  private final String name;
  private final AtomicInteger number = new AtomicInteger();

  /**
   * @param name what the threads are for
   */
  public NamedThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread =
        new Thread(null, task, "graphmeta-" + name + "-" + number.incrementAndGet(), STACK_BYTES);
    thread.setDaemon(true);
    return thread;
  }
}
