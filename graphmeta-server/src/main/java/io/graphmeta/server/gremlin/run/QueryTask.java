package io.graphmeta.server.gremlin.run;

import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * One query on its way: waiting, running, committing, done.
 *
 * <p>Invariants: exactly one answer is given, or none if the client is gone. A query that was
 * cancelled commits nothing; one that began to commit can no longer be cancelled, so that the
 * answer tells the truth about it. The interrupt that cancels never reaches the next query of the
 * thread: it is sent and cleared under the same lock.
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
  private State state = State.WAITING;
  private @Nullable Thread thread;
  private @Nullable CancelReason cancelled;
  private @Nullable Future<?> deadline;
  private long allocatedBefore;
  private long results;

  /** Told once of each query, when it has ended. */
  interface Ending {
    void ended(QueryTask run, @Nullable Failure failure);
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
        return reply.results(List.of(), true);
      }
      case ROLLBACK, CLOSE_SESSION -> {
        evaluator.rollback();
        return reply.results(List.of(), true);
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
        reply.results(batch, false).send();
        batch = new ArrayList<>(batchSize);
      }
      batch.add(found.next());
      evaluator.requireAllowed(++results);
      if (!reply.isOpen() || Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
    }
    reply.awaitClient();
    return reply.results(batch, true);
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
    CancelReason reason = cancelled;
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
