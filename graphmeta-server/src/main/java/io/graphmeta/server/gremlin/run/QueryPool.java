package io.graphmeta.server.gremlin.run;

import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that evaluate queries outside of sessions, the clock that ends each query in time,
 * and the set of all queries under way, those of sessions too. Safe for use by many threads.
 */
final class QueryPool implements AutoCloseable {
  private final Evaluator evaluator;
  private final QueryLog log;
  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor clock;
  private final Set<QueryTask> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  QueryPool(Evaluator evaluator, QueryLog log, ServerSettings settings) {
    this.evaluator = evaluator;
    this.log = log;
    int size = settings.integer(ServerSetting.QUERY_THREADS);
    this.threads =
        new ThreadPoolExecutor(
            size,
            size,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(settings.integer(ServerSetting.MAX_WAITING)),
            new NamedThreads("query"));
    this.clock = new ScheduledThreadPoolExecutor(1, new NamedThreads("deadlines"));
    clock.setRemoveOnCancelPolicy(true);
  }

  /** Evaluates a query on a thread of the pool. */
  QueryTask submit(Query query, Reply reply) {
    return submit(query, reply, threads);
  }

  /** Evaluates a query on a thread that the caller gives, within the same limits of time. */
  QueryTask submit(Query query, Reply reply, Executor on) {
    QueryTask task = new QueryTask(query, reply, evaluator, this::ended);
    underWay.add(task);
    if (closed) {
      task.cancel(CancelReason.SHUTDOWN);
      return task;
    }
    CancelReason late = CancelReason.timeout(query.timeoutMillis());
    try {
      task.setDeadline(
          clock.schedule(() -> task.cancel(late), query.timeoutMillis(), TimeUnit.MILLISECONDS));
      on.execute(task);
    } catch (RejectedExecutionException e) {
      task.refuse(
          Refusal.busy("The server has as many requests waiting as it may; try again later"));
    }
    return task;
  }

  private void ended(QueryTask task, @Nullable Failure failure) {
    underWay.remove(task);
    log.ended(task.query(), System.nanoTime() - task.startNanos(), task.results(), failure);
  }

  /** The clock that ends queries, for sessions and for the memory guard. */
  ScheduledThreadPoolExecutor clock() {
    return clock;
  }

  Evaluator evaluator() {
    return evaluator;
  }

  /** Queries that wait or run. */
  Set<QueryTask> underWay() {
    return underWay;
  }

  int waiting() {
    return threads.getQueue().size();
  }

  /** From now on every query is cancelled, those under way too. */
  void cancelAll() {
    closed = true;
    underWay.forEach(task -> task.cancel(CancelReason.SHUTDOWN));
  }

  /** Waits for cancelled queries to end. */
  boolean awaitEnd(long millis) throws InterruptedException {
    threads.shutdown();
    return threads.awaitTermination(millis, TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    cancelAll();
    threads.shutdownNow();
    clock.shutdownNow();
  }
}
