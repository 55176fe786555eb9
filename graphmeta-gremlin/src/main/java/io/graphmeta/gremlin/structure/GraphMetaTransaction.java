package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.tx.GraphTransaction;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadLocalTransaction;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a graph, one for each thread that uses it.
 *
 * <p>The slots of all threads are registered, so that closing the graph rolls every transaction
 * back. A thread that ends without commit or rollback leaves its transaction behind; opening a
 * transaction looks for such threads once a second and rolls theirs back.
 */
final class GraphMetaTransaction extends AbstractThreadLocalTransaction
    implements RunningTransaction {
  private static final long SWEEP_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Graph> threaded;
  private final Supplier<GraphTransaction> begin;
  private final Set<Slot> slots = ConcurrentHashMap.newKeySet();
  private final ThreadLocal<Slot> slot = ThreadLocal.withInitial(this::register);
  private final AtomicLong lastSweepNanos = new AtomicLong(System.nanoTime());

  /**
   * Where one thread keeps its transaction. Written by that thread, and by others once that thread
   * has ended.
   */
  private static final class Slot {
    final Thread thread = Thread.currentThread();
    volatile @Nullable OpenTransaction running;

    void rollback() {
      OpenTransaction abandoned = running;
      running = null;
      if (abandoned != null) {
        abandoned.tx().close();
      }
    }
  }

  GraphMetaTransaction(Graph graph, Supplier<Graph> threaded, Supplier<GraphTransaction> begin) {
    super(graph);
    this.threaded = threaded;
    this.begin = begin;
  }

  private Slot register() {
    Slot created = new Slot();
    slots.add(created);
    return created;
  }

  /** The transaction of this thread, opened as {@code onReadWrite} says. */
  @Override
  public OpenTransaction running() {
    readWrite();
    OpenTransaction running = slot.get().running;
    if (running == null) {
      throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
    }
    return running;
  }

  @Override
  public boolean isOpen() {
    OpenTransaction running = slot.get().running;
    return running != null && running.tx().isOpen();
  }

  @Override
  public <T extends TraversalSource> T begin(Class<T> traversalSourceClass) {
    if (!isOpen()) {
      doOpen();
    }
    return super.begin(traversalSourceClass);
  }

  @Override
  protected void doOpen() {
    long now = System.nanoTime();
    long last = lastSweepNanos.get();
    if (now - last >= SWEEP_INTERVAL_NANOS && lastSweepNanos.compareAndSet(last, now)) {
      rollBackOrphans();
    }
    slot.get().running = new OpenTransaction(begin.get());
  }

  /** Rolls back what threads that have ended left behind. */
  void rollBackOrphans() {
    slots.removeIf(
        candidate -> {
          if (candidate.thread.isAlive()) {
            return false;
          }
          candidate.rollback();
          return true;
        });
  }

  /** Number of threads whose transactions are watched. */
  int watchedThreads() {
    return slots.size();
  }

  @Override
  protected void doCommit() throws TransactionException {
    OpenTransaction running = take();
    try {
      running.tx().commit();
    } catch (GraphMetaException e) {
      throw StructureErrors.failed("commit", e);
    } finally {
      running.tx().close();
    }
  }

  @Override
  protected void doRollback() throws TransactionException {
    OpenTransaction running = take();
    try {
      running.tx().rollback();
    } catch (GraphMetaException e) {
      throw StructureErrors.failed("rollback", e);
    } finally {
      running.tx().close();
    }
  }

  private OpenTransaction take() {
    Slot mine = slot.get();
    OpenTransaction running = mine.running;
    if (running == null) {
      throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
    }
    mine.running = null;
    return running;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <G extends Graph> G createThreadedTx() {
    return (G) threaded.get();
  }

  /**
   * Ends this thread's transaction as {@code onClose} says and rolls back those of all other
   * threads.
   */
  @Override
  public void closeAll() {
    close();
    slots.removeIf(
        each -> {
          each.rollback();
          return true;
        });
    slot.remove();
  }
}
