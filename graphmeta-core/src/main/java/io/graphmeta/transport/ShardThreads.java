package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A shard with threads of its own and a queue before them. What the queue cannot take is refused
 * and a call whose time is over when its turn comes is not begun, so that a shard that is behind
 * does no work in vain.
 */
final class ShardThreads implements LocalShard {
  private final int shard;
  private final RequestHandler handler;
  private final Deadlines deadlines;
  private final int queueLimit;
  private final ThreadPoolExecutor threads;

  /**
   * Threads of a shard.
   *
   * @param count how many
   * @param queueLimit most calls that wait for one of them
   */
  ShardThreads(int shard, RequestHandler handler, int count, int queueLimit, Deadlines deadlines) {
    this.shard = shard;
    this.handler = handler;
    this.deadlines = deadlines;
    this.queueLimit = queueLimit;
    AtomicInteger number = new AtomicInteger();
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queueLimit),
            work -> {
              String name = "graphmeta-shard-" + shard + "-" + number.getAndIncrement();
              Thread thread = new Thread(work, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public CompletableFuture<Response> send(Call call) {
    Response now = answerAtOnce(call);
    if (now != null) {
      return CompletableFuture.completedFuture(now);
    }
    Promise promised = new Promise();
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(call.timeoutMillis());
    try {
      threads.execute(() -> begin(call, promised, deadlineNanos));
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(refusal());
    } catch (Throwable e) { // no thread can be had
      return CompletableFuture.failedFuture(Answers.error(shard, call, e));
    }
    deadlines.limit(promised, shard, call);
    return promised;
  }

  /** An answer for which no thread is needed; null if one is, and once the shard is closed. */
  @Nullable Response answerAtOnce(Call call) {
    try {
      return threads.isShutdown() ? null : handler.answerAtOnce(call);
    } catch (Throwable e) { // of the virtual machine too: a thread of the shard tells it
      return null;
    }
  }

  /**
   * Sends a call to each of several shards, all of which one thread begins in turn: for calls that
   * take little time, where handing each to a thread would take longer.
   *
   * @param by the position of the shard whose thread it is
   */
  static List<CompletableFuture<Response>> sendInTurn(
      List<ShardThreads> shards, List<Call> calls, int by) {
    long nowNanos = System.nanoTime();
    List<Promise> promised = new ArrayList<>(calls.size());
    calls.forEach(call -> promised.add(new Promise()));
    ShardThreads worker = shards.get(by);
    try {
      worker.threads.execute(
          () -> {
            for (int i = 0; i < calls.size(); i++) {
              Call call = calls.get(i);
              long allowedNanos = TimeUnit.MILLISECONDS.toNanos(call.timeoutMillis());
              shards.get(i).begin(call, promised.get(i), nowNanos + allowedNanos);
            }
          });
    } catch (RejectedExecutionException e) {
      promised.forEach(each -> each.completeExceptionally(worker.refusal()));
    } catch (Throwable e) { // no thread can be had
      promised.forEach(
          each -> each.completeExceptionally(Answers.error(worker.shard, calls.get(by), e)));
    }
    for (int i = 0; i < calls.size(); i++) {
      shards.get(i).deadlines.limit(promised.get(i), shards.get(i).shard, calls.get(i));
    }
    return List.copyOf(promised);
  }

  private GraphMetaException refusal() {
    return threads.isShutdown()
        ? new GraphMetaException(ErrorCode.CLOSED, "Shard " + shard + " is closed")
        : new GraphMetaException(
            ErrorCode.OVERLOADED,
            "Shard "
                + shard
                + " has "
                + queueLimit
                + " requests waiting, as many as it may; nothing was done, try again later");
  }

  private void begin(Call call, Promise promised, long deadlineNanos) {
    if (promised.isDone()) {
      return;
    }
    if (System.nanoTime() - deadlineNanos >= 0) {
      promised.completeExceptionally(Answers.timeout(shard, call));
      return;
    }
    try {
      promised.follow(handler.handle(call));
    } catch (Throwable e) { // of the virtual machine too: the thread has other calls to answer
      promised.fail(described(call, e));
    }
  }

  private Throwable described(Call call, Throwable failure) {
    try {
      return Answers.error(shard, call, failure);
    } catch (Throwable e) { // of want of memory
      return failure;
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
