package io.graphmeta.server.net;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of a process that move bytes between nodes, and those that do what takes longer: read
 * answers and run what depends on them. What waits for the second is bounded by the calls that are
 * under way. Safe for use by many threads.
 */
public final class NetThreads implements AutoCloseable {
  private static final long STOP_SECONDS = 10;

  private final EventLoopGroup loops;
  private final ThreadPoolExecutor work;

  /** As many threads as the settings say. */
  public NetThreads(NodeSettings settings) {
    loops =
        new NioEventLoopGroup(
            settings.integer(NodeSetting.NETWORK_THREADS),
            new DefaultThreadFactory("graphmeta-net", true));
    int threads = settings.integer(NodeSetting.ANSWER_THREADS);
    work =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("graphmeta-answers", true));
    work.allowCoreThreadTimeOut(true);
  }

  EventLoopGroup loops() {
    return loops;
  }

  EventLoop next() {
    return loops.next();
  }

  /** Begins, at a later time, what takes no time. */
  public ScheduledExecutorService timer() {
    return loops;
  }

  Executor work() {
    return work;
  }

  /** Stops the threads. Close what uses them before. */
  @Override
  public void close() {
    loops
        .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    work.shutdown();
  }
}
