package io.graphmeta.server.gremlin.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * The evaluation of one query, by one thread, with its answer.
 *
 * <pre>
 *              a thread takes it          the query commits
 *   WAITING ----------------------&gt; RUNNING -----------------&gt; COMMITTING
 *      |                              |                            |
 *      | cancelled, or refused        | answered, failed,          | answered
 *      |                              | or cancelled               | or failed
 *      v                              v                            v
 *     DONE                           DONE                         DONE
 * </pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Exactly one answer is given, or none if the client is gone.
 *   <li>A query that was cancelled commits nothing. A query that has begun to commit can no longer
 *       be cancelled, so that its answer says what happened.
 *   <li>The interrupt that cancels a query never reaches the next query of its thread: it is sent
 *       and cleared under the lock of this task.
 * </ul>
 *
 * <p>Safe for use by many threads; {@link #run} is for one.
 */
final class QueryTask implements Runnable {
  private enum State {
    WAITING,
    RUNNING,
    COMMITTING,
    DONE
  }

  private final Query query;
  private final Reply reply;
  private final Evaluator evaluator;
  private final Ending ending;
  private final long startNanos = System.nanoTime();

  @GuardedBy("this")
  private State state = State.WAITING;

  @GuardedBy("this")
  private @Nullable Thread thread;

  @GuardedBy("this")
  private @Nullable CancelReason cancelled;

  @GuardedBy("this")
  private @Nullable Future<?> deadline;

  @GuardedBy("this")
  private long allocatedBefore;

  /** Written by the thread that runs the query; read when the query has ended. */
  private long results;

  /** Is told of a query once, when it has ended. */
  interface Ending {
    /**
     * The query has ended.
     *
     * @param failure how it failed; null if it did not
     */
    void ended(QueryTask task, @Nullable Failure failure);
  }

  QueryTask(Query query, Reply reply, Evaluator evaluator, Ending ending) {
    this.query = query;
    this.reply = reply;
    this.evaluator = evaluator;
    this.ending = ending;
  }

  Query query() {
    return query;
  }

  /** Results sent so far. */
  long results() {
    return results;
  }

  /** When it was submitted, on the clock of {@link System#nanoTime}. */
  long startNanos() {
    return startNanos;
  }

  /** The thread that runs it; null before and after. */
  synchronized @Nullable Thread thread() {
    return thread;
  }

  /** Bytes that its thread had allocated when it began. */
  synchronized long allocatedBefore() {
    return allocatedBefore;
  }

  synchronized boolean isDone() {
    return state == State.DONE;
  }

  /**
   * Gives the task what will cancel it in time, so that this does not outlive the query.
   *
   * @param cancellation is scheduled
   */
  synchronized void setDeadline(Future<?> cancellation) {
    if (state == State.DONE) {
      cancellation.cancel(false);
    } else {
      deadline = cancellation;
    }
  }

  /** Ends the query unless it has ended or is committing. */
  void cancel(CancelReason reason) {
    synchronized (this) {
      if (state == State.DONE || state == State.COMMITTING || cancelled != null) {
        return;
      }
      cancelled = reason;
      if (thread != null) {
        thread.interrupt();
        return;
      }
      state = State.DONE;
    }
    end(Failure.of(reason));
  }

  /** Ends a query that no thread will take. */
  void refuse(Refusal refusal) {
    synchronized (this) {
      if (state == State.DONE) {
        return;
      }
      state = State.DONE;
    }
    end(Failure.of(refusal));
  }

  @Override
  public void run() {
    synchronized (this) {
      if (state != State.WAITING) {
        return;
      }
      state = State.RUNNING;
      thread = Thread.currentThread();
      allocatedBefore = AllocationMeter.allocatedBytes(Thread.currentThread());
    }
    Failure failure = null;
    Reply.Message last = null;
    try {
      last = answer();
    } catch (VirtualMachineError e) {
      failure = leave(e);
      if (!(e instanceof StackOverflowError)) {
        throw e;
      }
    } catch (Exception | Error e) {
      failure = leave(e);
    }
    leave();
    if (last != null) {
      last.send();
    }
    end(failure);
  }

  /** Evaluates, sends all but the last results, and commits if asked to. */
  private Reply.@Nullable Message answer() throws Exception {
    evaluator.begin(query);
    switch (query.kind()) {
      case COMMIT -> {
        beginCommit();
        evaluator.commit();
        return reply.last(List.of(), false, evaluator::sessionToken);
      }
      case ROLLBACK, CLOSE_SESSION -> {
        evaluator.rollback();
        return reply.last(List.of(), false, evaluator::sessionToken);
      }
      case SCRIPT, BYTECODE -> {}
    }
    Iterator<?> found = evaluator.evaluate(query);
    try {
      Reply.Message last = sendAllButTheLast(found);
      if (query.commits()) {
        try {
          beginCommit();
          evaluator.commit();
        } catch (RuntimeException e) {
          last.discard();
          throw e;
        }
      }
      return last;
    } finally {
      CloseableIterator.closeIterator(found);
    }
  }

  private Reply.Message sendAllButTheLast(Iterator<?> found) throws InterruptedException {
    int batchSize = reply.batchSize(query.batchSize());
    List<Object> batch = new ArrayList<>(Math.min(batchSize, 64));
    while (found.hasNext()) {
      if (batch.size() == batchSize) {
        reply.awaitClient();
        reply.results(batch).send();
        batch = new ArrayList<>(batchSize);
      }
      batch.add(found.next());
      evaluator.requireAllowed(++results);
      if (!reply.isOpen() || Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
    }
    reply.awaitClient();
    boolean commits = query.commits() && evaluator.hasWrites();
    return reply.last(batch, commits, evaluator::sessionToken);
  }

  private synchronized void beginCommit() throws InterruptedException {
    if (cancelled != null) {
      throw new InterruptedException();
    }
    state = State.COMMITTING;
  }

  /** From here on the thread belongs to the next query. */
  private synchronized void leave() {
    state = State.DONE;
    thread = null;
    if (cancelled != null) {
      Thread.interrupted();
    }
  }

  private Failure leave(Throwable thrown) {
    leave();
    if (query.commits()) {
      evaluator.rollback();
    }
    CancelReason reason;
    synchronized (this) {
      reason = cancelled;
    }
    return reason != null ? Failure.of(reason) : Failure.of(thrown);
  }

  private void end(@Nullable Failure failure) {
    Future<?> cancellation;
    synchronized (this) {
      cancellation = deadline;
    }
    if (cancellation != null) {
      cancellation.cancel(false);
    }
    if (failure != null && reply.isOpen()) {
      reply.failed(failure);
    }
    ending.ended(this, failure);
  }
}
