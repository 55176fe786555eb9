package io.graphmeta.server.faults;

import io.graphmeta.server.cluster.ClusterStatus.HostedPart;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.cluster.ReplicaMoves.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Nodes of a cluster that are given shards, or lose them. */
final class Moves {
  private static final int REPLICAS = 3;

  /** Longest time in which a move of little data may be under way. */
  private static final int MOST_MILLIS = 6_000;

  private static final long MOST_AWAY_MILLIS = 2_000;

  private Moves() {}

  /**
   * Moves that begin, and at some time a node that they concern is killed, or stands still for a
   * while; in the end they are done.
   */
  static Fault cutOff(FaultyCluster cluster, Random random) {
    int failing = 1 + random.nextInt(cluster.nodes());
    boolean kills = random.nextInt(3) > 0;
    return beside(
        cluster,
        random,
        new Fault(
            (kills ? "killed n" : "stopped n") + failing,
            failing,
            random.nextLong(MOST_AWAY_MILLIS),
            () -> {
              if (kills) {
                cluster.kill(failing);
              } else {
                cluster.signal(failing, "STOP");
              }
            },
            () -> {
              if (kills) {
                cluster.restart(failing);
              } else {
                cluster.signal(failing, "CONT");
              }
            }));
  }

  /** Moves that begin, and at some time a fault does; when it is over they are waited for. */
  static Fault beside(FaultyCluster cluster, Random random, Fault fault) {
    int untilMillis = random.nextInt(MOST_MILLIS);
    long seed = random.nextLong();
    List<Move> moves = new ArrayList<>();
    return new Fault(
        fault.name() + " " + untilMillis + " ms after moves began",
        fault.place(),
        fault.millis(),
        () -> {
          moves.addAll(begin(cluster, new Random(seed)));
          pause(untilMillis);
          fault.begin().run();
        },
        () -> {
          fault.end().run();
          await(cluster, moves);
        });
  }

  /** Gives shards to a node that has none, or takes them from one, as the others allow. */
  private static List<Move> begin(FaultyCluster cluster, Random random) {
    TreeSet<String> used = new TreeSet<>();
    for (HostedPart shard : new Errors().persist(cluster::status).shards()) {
      used.addAll(shard.wanted());
    }
    List<String> unused =
        IntStream.rangeClosed(1, cluster.nodes())
            .mapToObj(node -> "n" + node)
            .filter(node -> !used.contains(node))
            .toList();
    boolean adds = used.size() == REPLICAS || !unused.isEmpty() && random.nextBoolean();
    List<String> from = adds ? unused : List.copyOf(used);
    String node = from.get(random.nextInt(from.size()));
    ReplicaMoves moves = cluster.moves();
    List<Move> begun = adds ? moves.add(node) : moves.drain(node);
    System.out.printf("%s %s: %s%n", adds ? "add" : "drain", node, begun);
    return begun;
  }

  private static void await(FaultyCluster cluster, List<Move> moves) {
    try {
      cluster.moves().await(moves, move -> {});
    } catch (InterruptedException e) {
      throw new IllegalStateException(e); // nobody interrupts tests
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
