package io.graphmeta.gremlin.structure;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.tx.GraphTransaction;
import org.jspecify.annotations.Nullable;

/**
 * What the elements know about a transaction that several threads share. Its methods that touch the
 * memory of the transaction exclude one another; those that go to the engine alone leave that to
 * the engine's transaction.
 */
final class SharedOpenTransaction extends OpenTransaction {
  SharedOpenTransaction(GraphTransaction tx) {
    super(tx);
  }

  @Override
  synchronized long writeCount() {
    return super.writeCount();
  }

  @Override
  synchronized void wrote(long vertex) {
    super.wrote(vertex);
  }

  @Override
  synchronized void wrote(EdgeKey edge) {
    super.wrote(edge);
  }

  @Override
  synchronized void removed(long vertex) {
    super.removed(vertex);
  }

  @Override
  synchronized boolean isWritten(long vertex, long since) {
    return super.isWritten(vertex, since);
  }

  @Override
  synchronized boolean isWritten(EdgeKey edge, long since) {
    return super.isWritten(edge, since);
  }

  @Override
  synchronized @Nullable VertexRecord vertex(long key, @Nullable ReadView past) {
    return super.vertex(key, past);
  }

  @Override
  synchronized @Nullable VertexRecord vertex(String id, @Nullable ReadView past) {
    return super.vertex(id, past);
  }
}
