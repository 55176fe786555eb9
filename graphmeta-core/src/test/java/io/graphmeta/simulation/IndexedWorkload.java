package io.graphmeta.simulation;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a client does besides where shards have indexes: it sets and removes numbers, by which
 * elements can be ordered, and asks for elements by their properties.
 */
final class IndexedWorkload extends WiderWorkload {
  private static final long MAX_AGE_MICROS = 300_000;

  private final Simulation simulation;
  private final Indexing indexing;
  private final SplittableRandom random;
  private final RandomScans scans;

  IndexedWorkload(
      Simulation simulation, Indexing indexing, SplittableRandom random, InstantSource clock) {
    super(simulation, random, clock);
    this.simulation = simulation;
    this.indexing = indexing;
    this.random = random;
    this.scans = new RandomScans(random, simulation.history(), simulation.options().ids());
  }

  /** Some read again when much was written, and vertices were split, since they began. */
  @Override
  void read(GraphTransaction tx, Txn txn) {
    if (tx.hasWrites() || random.nextInt(8) != 0) {
      super.read(tx, txn);
      return;
    }
    simulation.scheduler().sleep(random.nextLong(MAX_AGE_MICROS));
    for (int reads = 0; reads < 3; reads++) {
      observe(tx, txn, tx.snapshot(), scans.traversal(ElementKind.EDGE));
    }
  }

  @Override
  Query query(GraphTransaction tx, ReadView view) {
    if (random.nextInt(5) < 2) {
      return super.query(tx, view);
    }
    boolean seesWrites = tx.hasWrites() && view.equals(tx.snapshot());
    return seesWrites || random.nextInt(5) == 0 ? scans.search() : scans.traversal(scans.kind());
  }

  @Override
  void change(GraphTransaction tx, Txn txn) {
    switch (random.nextInt(6)) {
      case 0 -> changeNumber(tx, txn);
      case 1 -> changeNumberOfEdge(tx, txn);
      default -> super.change(tx, txn);
    }
  }

  private long valid(Txn txn) {
    return random.nextInt(4) == 0 ? pastStamp(txn) : Stamp.AT_COMMIT;
  }

  private void changeNumber(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    if (vertex == null) {
      return;
    }
    long valid = valid(txn);
    if (random.nextInt(5) == 0) {
      tx.removeVertexProperty(vertex.vertexKey(), NUMBER, 0, valid);
      wrote(txn, vertex, NUMBER, valid, null);
    } else {
      long value = indexing.nextNumber();
      tx.setVertexProperty(
          vertex.vertexKey(), NUMBER, value, Cardinality.SINGLE, Map.of(), null, valid);
      wrote(txn, vertex, NUMBER, valid, value);
    }
  }

  private void changeNumberOfEdge(GraphTransaction tx, Txn txn) {
    Element edge = someEdge(tx, txn);
    if (edge == null) {
      return;
    }
    long valid = valid(txn);
    if (random.nextInt(5) == 0) {
      tx.removeEdgeProperty(edge.edgeKey(), NUMBER, valid);
      wrote(txn, edge, NUMBER, valid, null);
    } else {
      long value = indexing.nextNumber();
      tx.setEdgeProperty(edge.edgeKey(), NUMBER, value, valid);
      wrote(txn, edge, NUMBER, valid, value);
    }
  }
}
