package io.graphmeta.simulation;

import static io.graphmeta.simulation.PlantedBug.log;
import static io.graphmeta.simulation.PlantedBug.puts;
import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_DEFECT;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;

import io.graphmeta.codec.RowValues;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What the disk, the log and the store can do wrong. */
final class DiskBugs {
  private static final int TOKEN_BYTES = 16;

  private DiskBugs() {}

  /** Shards of one process, whose logs are cut together. */
  static class InCuts extends Sabotage {
    @Override
    Options world(Options drawn) {
      return drawn.withCuts();
    }
  }

  static List<PlantedBug> all() {
    return Stream.of(disk(), disk2(), cuts()).flatMap(List::stream).toList();
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** What logs that are cut together can do wrong. */
  private static List<PlantedBug> cuts() {
    return List.of(
        bug(
            "cuts that look at one log after another",
            () ->
                new InCuts() {
                  @Override
                  long cutMicros() {
                    return 30_000;
                  }
                },
            ALL_OR_NOTHING,
            NO_HALF_EDGE,
            CONSISTENT_ROWS,
            GRAPH_RULES,
            NO_DEFECT,
            SNAPSHOT_READS));
  }

  /** What the disk and the log can do wrong. */
  private static List<PlantedBug> disk() {
    return List.of(
        bug(
            "a log that tells of syncs it has not made",
            () -> log((entry, durability, log) -> log.append(entry, Durability.BACKGROUND)),
            NOTHING_LOST,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            NO_HALF_EDGE,
            NO_DEFECT,
            CONSISTENT_ROWS),
        bug(
            "a store that shows torn entries",
            () ->
                new Sabotage() {
                  @Override
                  boolean showsTornEntries() {
                    return true;
                  }

                  @Override
                  Options world(Options drawn) {
                    return drawn.withSlowDisksAndMuchTrouble();
                  }
                },
            ALL_OR_NOTHING,
            NO_HALF_EDGE,
            SNAPSHOT_READS,
            CONSISTENT_ROWS),
        bug(
            "the second entries of edges are not written",
            () -> puts((family, key, value) -> family == Family.IN ? null : value),
            NO_HALF_EDGE,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            NOTHING_LOST),
        bug(
            "the ends of edges are not written at their destination",
            () ->
                puts(
                    (family, key, value) ->
                        family == Family.IN && RowValues.isTombstone(value, 0) ? null : value),
            NO_HALF_EDGE,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            NOTHING_LOST),
        bug(
            "the bound of stamps is not written",
            () ->
                inTrouble(
                    puts(
                        (family, key, value) ->
                            isNamed(family, key, "stamp-bound") ? null : value)),
            PAST_NEVER_CHANGES,
            SNAPSHOT_READS,
            STAMPS_GROW,
            OWN_WRITES,
            ALL_OR_NOTHING,
            NOTHING_LOST,
            REFUSED_STAYS_AWAY,
            CONSISTENT_ROWS,
            GRAPH_RULES,
            SNAPSHOT_ISOLATION));
  }

  /** A world of several shards whose logs fail now and then. */
  static class WithLogsThatFail extends Sabotage {
    @Override
    Options world(Options drawn) {
      return drawn.withLogsThatFail();
    }
  }

  /** A world of several shards that often begin again before a sync is over. */
  static class WithSyncsThatTakeLong extends Sabotage {
    @Override
    boolean losesPowerWhenTold() {
      return true;
    }

    @Override
    Options world(Options drawn) {
      return drawn.withSyncsThatTakeLong();
    }
  }

  /** What the disk and the log can do wrong. */
  private static List<PlantedBug> disk2() {
    return List.of(
        bug(
            "ids do not lead to their vertices",
            () -> puts((family, key, value) -> family == Family.IDS ? null : value),
            SNAPSHOT_READS,
            CONSISTENT_ROWS,
            GRAPH_RULES),
        bug(
            "the last token of each group is not written",
            () ->
                inTrouble(
                    puts(
                        (family, key, value) ->
                            family == Family.META
                                    && new String(key, StandardCharsets.ISO_8859_1)
                                        .startsWith("tokens")
                                ? Arrays.copyOf(value, value.length - TOKEN_BYTES)
                                : value)),
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            NOTHING_LOST,
            SNAPSHOT_ISOLATION,
            ALL_OR_NOTHING,
            GRAPH_RULES),
        bug(
            "the ends of leases are not written",
            () ->
                inTrouble(
                    puts(
                        (family, key, value) ->
                            family == Family.META && key[0] == 's' && key[1] == 'e'
                                ? null
                                : value)),
            SNAPSHOT_READS,
            GRAPH_RULES,
            ALL_OR_NOTHING,
            NO_HALF_EDGE,
            CONSISTENT_ROWS,
            SNAPSHOT_ISOLATION),
        bug(
            "what is found when a store is opened is not synced",
            () ->
                new WithSyncsThatTakeLong() {
                  @Override
                  boolean opensSynced() {
                    return false;
                  }
                },
            ALL_OR_NOTHING,
            NOTHING_LOST,
            NO_HALF_EDGE,
            SNAPSHOT_READS,
            CONSISTENT_ROWS));
  }

  /** A defect of a log that shows when shards begin again often. */
  private static Sabotage inTrouble(Sabotage bug) {
    return new Sabotage() {
      @Override
      ReplicationLog log(int shard, ReplicationLog log) {
        return bug.log(shard, log);
      }

      @Override
      Options world(Options drawn) {
        return drawn.withSlowDisksAndMuchTrouble().withBusyClients();
      }
    };
  }

  private static boolean isNamed(Family family, byte[] key, String name) {
    return family == Family.META && new String(key, StandardCharsets.US_ASCII).equals(name);
  }
}
