package io.graphmeta.server.gremlin.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client's transaction: one thread, on which all queries of the session run in turn, since a
 * transaction belongs to a thread. A session ends with its connection, when the client closes it,
 * or when it was idle for too long. What was not committed is then rolled back on the thread of the
 * session, as soon as a query that runs there has been cancelled. Safe for use by many threads.
 */
final class Session {
  private static final ThreadFactory THREADS = new NamedThreads("session");

  private final String name;
  private final Object owner;
  private final QueryPool pool;
  private final int maxWaiting;
  private final ThreadPoolExecutor thread;

  @GuardedBy("this")
  private @Nullable Future<?> idleEnd;

  @GuardedBy("this")
  private boolean closed;

  private volatile @Nullable Thread worker;
  private volatile long allocatedBefore;

  Session(String name, Object owner, QueryPool pool, int maxWaiting) {
    this.name = name;
    this.owner = owner;
    this.pool = pool;
    this.maxWaiting = maxWaiting;
    this.thread =
        new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this::newThread);
  }

  private Thread newThread(Runnable task) {
    Thread made = THREADS.newThread(task);
    worker = made;
    return made;
  }

  /**
   * Bytes that its thread has allocated since the transaction began: more than it holds, but what
   * holds much has allocated more.
   */
  long allocatedBytes() {
    Thread current = worker;
    return current == null ? 0 : AllocationMeter.allocatedBytes(current) - allocatedBefore;
  }

  /** A transaction has ended; what it held is free. */
  void transactionEnded() {
    Thread current = worker;
    allocatedBefore = current == null ? 0 : AllocationMeter.allocatedBytes(current);
  }

  String name() {
    return name;
  }

  boolean belongsTo(Object connection) {
    return owner == connection;
  }

  /** Takes a query, unless the session has ended or too many wait in it. */
  synchronized QueryTask submit(Query query, Reply reply) {
    if (closed) {
      throw Refusal.invalid("The session '" + name + "' has ended; begin another");
    }
    if (thread.getQueue().size() >= maxWaiting) {
      throw Refusal.busy(
          "The session has " + maxWaiting + " requests waiting; wait for their answers first");
    }
    return pool.submit(query, reply, thread);
  }

  /** Puts the end by idleness off. */
  synchronized void touch(Runnable end, long millis) {
    if (idleEnd != null) {
      idleEnd.cancel(false);
    }
    idleEnd = closed ? null : pool.clock().schedule(end, millis, TimeUnit.MILLISECONDS);
  }

  /** Cancels its queries and rolls back. Returns at once; safe to call again. */
  synchronized void close(CancelReason reason) {
    if (closed) {
      return;
    }
    closed = true;
    if (idleEnd != null) {
      idleEnd.cancel(false);
    }
    for (QueryTask task : pool.underWay()) {
      if (name.equals(task.query().session())) {
        task.cancel(reason);
      }
    }
    thread.execute(pool.evaluator()::rollback);
    thread.shutdown();
  }

  /** Ends after what was asked so far. */
  synchronized void closeAfterwards() {
    closed = true;
    if (idleEnd != null) {
      idleEnd.cancel(false);
    }
    thread.execute(pool.evaluator()::rollback);
    thread.shutdown();
  }

  boolean awaitEnd(long millis) throws InterruptedException {
    return thread.awaitTermination(millis, TimeUnit.MILLISECONDS);
  }
}
