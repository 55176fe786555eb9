package io.graphmeta.gremlin.structure;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.tx.GraphTransaction;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.util.AbstractThreadedTransaction;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that all threads share, of a graph that {@code tx().createThreadedTx()} made. It
 * is open from the beginning and cannot be opened again. Its operations run one after another.
 */
final class GraphMetaThreadedTransaction extends AbstractThreadedTransaction
    implements RunningTransaction {
  private final Supplier<Graph> threaded;

  @GuardedBy("this")
  private @Nullable OpenTransaction running;

  GraphMetaThreadedTransaction(Graph graph, Supplier<Graph> threaded, GraphTransaction tx) {
    super(graph);
    this.threaded = threaded;
    this.running = new SharedOpenTransaction(SerializedCalls.to(GraphTransaction.class, tx));
  }

  @Override
  public synchronized OpenTransaction running() {
    if (running == null) {
      throw Transaction.Exceptions.transactionMustBeOpenToReadWrite();
    }
    return running;
  }

  @Override
  public synchronized boolean isOpen() {
    return running != null && running.tx().isOpen();
  }

  @Override
  protected void doOpen() {
    throw new IllegalStateException(
        "A threaded transaction is open until its end and cannot be opened again; create another with createThreadedTx()");
  }

  @Override
  protected void doCommit() throws TransactionException {
    OpenTransaction ending = take();
    try {
      ending.tx().commit();
    } catch (GraphMetaException e) {
      throw StructureErrors.failed("commit", e);
    } finally {
      ending.tx().close();
    }
  }

  @Override
  protected void doRollback() {
    take().tx().close();
  }

  private synchronized OpenTransaction take() {
    OpenTransaction ending = running();
    running = null;
    return ending;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <G extends Graph> G createThreadedTx() {
    return (G) threaded.get();
  }

  @Override
  public void closeAll() {
    if (isOpen()) {
      doRollback();
    }
    close();
  }
}
