package io.graphmeta.simulation;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a client also does: it adds and removes values of a set, of which there are few, so that
 * several clients add the same; it uses names that nobody has used, while others do; and it asks
 * for what was known at the moment that its clock shows, which others ask for again later; and it
 * runs traversals.
 */
class WiderWorkload extends Workload {
  private static final int VALUES = 3;
  private static final int NAMES = 40;

  /** So many that most are new, as what a former leader does not know. */
  private static final int NEW_NAMES = 100_000;

  private static final int MAX_AGE_MICROS = 5_000;

  private final SplittableRandom random;
  private final InstantSource clock;
  private final RandomTraversals traversals;

  WiderWorkload(Simulation simulation, SplittableRandom random, InstantSource clock) {
    super(simulation, random);
    this.random = random;
    this.clock = clock;
    this.traversals = new RandomTraversals(random, this::anyVertex);
  }

  @Override
  void read(GraphTransaction tx, Txn txn) {
    if (random.nextInt(5) != 0) {
      super.read(tx, txn);
      return;
    }
    int age = random.nextBoolean() ? 0 : random.nextInt(MAX_AGE_MICROS);
    long moment = Stamp.endOf(clock.instant().minus(age, ChronoUnit.MICROS));
    // Not made by the transaction, so that its reads must find out themselves.
    ReadView view = new ReadView(moment, moment);
    observe(tx, txn, view, query(tx, view));
    if (random.nextBoolean()) {
      observe(tx, txn, view, query(tx, view));
    }
  }

  /** What shards run has not seen what the transaction has written. */
  @Override
  Query query(GraphTransaction tx, ReadView view) {
    boolean seesWrites = tx.hasWrites() && view.equals(tx.snapshot());
    return !seesWrites && random.nextInt(3) == 0 ? traversals.next() : super.query(tx, view);
  }

  @Override
  void change(GraphTransaction tx, Txn txn) {
    switch (random.nextInt(8)) {
      case 0, 1 -> changeSet(tx, txn);
      case 2 -> useName(tx, txn, simulation.isReplicated() ? NEW_NAMES : NAMES);
      default -> super.change(tx, txn);
    }
  }

  private void changeSet(GraphTransaction tx, Txn txn) {
    Element vertex = someVertex(tx, txn);
    if (vertex == null) {
      return;
    }
    long valid = random.nextInt(4) == 0 ? pastStamp(txn) : Stamp.AT_COMMIT;
    String value = "v" + random.nextInt(VALUES); // the meta-property tells rows apart
    PropertyRecord added =
        tx.setVertexProperty(
            vertex.vertexKey(), SET, value, Cardinality.SET, Map.of("m", value(txn)), null, valid);
    String slot = Query.slot(SET, added.valueId());
    wrote(txn, vertex, slot, valid, value);
    if (random.nextInt(3) == 0) {
      tx.removeVertexProperty(vertex.vertexKey(), SET, added.valueId(), valid);
      wrote(txn, vertex, slot, valid, null);
    }
  }

  private void useName(GraphTransaction tx, Txn txn, int names) {
    String name = "n" + random.nextInt(names);
    if (random.nextBoolean()) {
      addVertex(tx, txn, null, name);
      return;
    }
    Element vertex = someVertex(tx, txn);
    if (vertex != null) {
      String value = value(txn);
      tx.setVertexProperty(
          vertex.vertexKey(), name, value, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      wrote(txn, vertex, name, Stamp.AT_COMMIT, value);
    }
  }
}
