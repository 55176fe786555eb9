package io.graphmeta.simulation;

import io.graphmeta.engine.IndexCheck;
import io.graphmeta.engine.Indexes;
import io.graphmeta.engine.IndexesOver;
import io.graphmeta.protocol.IndexState;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.simulation.Violation.Invariant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** The indexes of a world in which shards have them. */
final class Indexing {
  private static final int MAX_COPIES = 16;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final Map<Integer, SimulatedIndex> indexes = new TreeMap<>();
  private long numbers;
  private int changes;

  /**
   * What was asked of the indexes.
   *
   * @param asked times that one named candidates
   * @param ordered times that these were a part of an order
   * @param counted times that one counted elements or their values
   * @param changes definitions that were made or dropped
   */
  record Use(int asked, int ordered, int counted, int changes) {
    static final Use NONE = new Use(0, 0, 0, 0);

    Use plus(Use other) {
      return new Use(
          asked + other.asked,
          ordered + other.ordered,
          counted + other.counted,
          changes + other.changes);
    }
  }

  Indexing(Simulation simulation, SplittableRandom random) {
    this.simulation = simulation;
    this.random = random;
  }

  /** Whether shards have indexes: in half of the worlds; drawn apart from all else. */
  static boolean isDrawn(long seed) {
    return new SplittableRandom(seed * 37 + 5).nextBoolean();
  }

  /** Randomness for one who has to do with indexes. */
  SplittableRandom split() {
    return random.split();
  }

  /** A number that no property has yet, of an order of its own. */
  long nextNumber() {
    return (1 + random.nextInt(40)) * 1_000_000_000L + ++numbers;
  }

  /** Counts definitions. */
  void changed() {
    changes++;
  }

  /** The index of a copy of a shard. */
  SimulatedIndex of(int shard, int copy) {
    return indexes.computeIfAbsent(
        shard * MAX_COPIES + copy, at -> new SimulatedIndex(shard, simulation, random.split()));
  }

  /** What is still to come by what a shard tells, in words; empty if there is nothing. */
  static String missing(Response.Indexes indexes) {
    for (IndexState state : indexes.states()) {
      if (!state.built()) {
        return "index " + state.definition().name() + " is not built";
      }
    }
    return indexes.fault();
  }

  /** Compares the indexes with the stores. */
  static void requireClean(Router router) {
    Indexes defined = IndexesOver.of(router);
    for (IndexCheck check : defined.check(null, elements -> {})) {
      if (!check.isClean()) {
        throw new Violation(Invariant.CONSISTENT_INDEXES, check.name(), check.toString());
      }
    }
  }

  Use use() {
    Use use = new Use(0, 0, 0, changes);
    for (SimulatedIndex index : indexes.values()) {
      use = use.plus(new Use(index.disk().asked, index.disk().ordered, index.disk().counted, 0));
    }
    return use;
  }
}
