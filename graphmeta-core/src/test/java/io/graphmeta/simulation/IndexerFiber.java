package io.graphmeta.simulation;

import io.graphmeta.engine.Indexes;
import io.graphmeta.engine.IndexesOver;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Creates indexes, and in half of the worlds drops and rebuilds them while clients work. Runs as a
 * fiber, and can be killed wherever it waits.
 */
final class IndexerFiber implements Runnable {
  private static final long PAUSE_MICROS = 250_000;
  private static final int TRIES = 3;

  private static final List<Definition> POOL =
      List.of(
          new Definition("a.r", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT)),
          new Definition("a.q", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT, IndexKind.RANGE)),
          new Definition("a.t", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT)),
          new Definition("a.l", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT, IndexKind.WORDS)),
          new Definition("a.x", ElementKind.VERTEX, EnumSet.of(IndexKind.FRAGMENT)),
          new Definition("a.id", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT)),
          new Definition("b.r", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT)),
          new Definition("b.q", ElementKind.VERTEX, EnumSet.of(IndexKind.RANGE)),
          new Definition("b.t", ElementKind.VERTEX, EnumSet.of(IndexKind.EXACT)),
          new Definition("x.w", ElementKind.EDGE, EnumSet.of(IndexKind.EXACT)),
          new Definition("x.q", ElementKind.EDGE, EnumSet.of(IndexKind.EXACT, IndexKind.RANGE)),
          new Definition("x.x", ElementKind.EDGE, EnumSet.of(IndexKind.EXACT, IndexKind.FRAGMENT)),
          new Definition("y.w", ElementKind.EDGE, EnumSet.of(IndexKind.EXACT)),
          new Definition("y.q", ElementKind.EDGE, EnumSet.of(IndexKind.RANGE)));

  private final Simulation simulation;
  private final Indexing indexing;
  private final Client client;
  private final SplittableRandom random;

  private record Definition(String name, ElementKind element, Set<IndexKind> kinds) {}

  /** What is to be done with an index. */
  private interface Change {
    void make(Indexes indexes);
  }

  /**
   * One who defines indexes.
   *
   * @param client whose way to the shards it uses
   */
  IndexerFiber(Simulation simulation, Indexing indexing, Client client) {
    this.simulation = simulation;
    this.indexing = indexing;
    this.client = client;
    this.random = indexing.split();
  }

  @Override
  public void run() {
    Indexes indexes = connect();
    while (indexes == null && !simulation.isDraining()) {
      simulation.scheduler().sleep(random.nextLong(PAUSE_MICROS));
      indexes = connect();
    }
    for (Definition each : POOL) {
      if (random.nextInt(4) != 0) {
        make(indexes, of -> of.create(each.name(), each.element(), each.kinds()));
      }
    }
    boolean isRestless = random.nextBoolean();
    while (isRestless && !simulation.isDraining()) {
      simulation.scheduler().sleep(random.nextLong(2 * PAUSE_MICROS));
      Definition some = POOL.get(random.nextInt(POOL.size()));
      switch (random.nextInt(4)) {
        case 0 -> make(indexes, of -> of.drop(some.name()));
        case 1 -> make(indexes, of -> of.rebuild(some.name()));
        default -> make(indexes, of -> of.create(some.name(), some.element(), some.kinds()));
      }
    }
  }

  private Indexes connect() {
    try {
      return IndexesOver.of(client.newRouter());
    } catch (GraphMetaException e) {
      Client.refuseDefects(e, "indexer");
      return null;
    }
  }

  private void make(Indexes indexes, Change change) {
    for (int tries = 0; tries < TRIES && !simulation.isDraining(); tries++) {
      try {
        change.make(indexes);
        indexing.changed();
        return;
      } catch (GraphMetaException e) {
        Client.refuseDefects(e, "indexer");
        simulation.trace("indexer is refused: ", e.getMessage());
        if (!e.code().isAway()) {
          return;
        }
      }
    }
  }
}
