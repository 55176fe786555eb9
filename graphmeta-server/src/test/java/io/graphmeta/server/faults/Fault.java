package io.graphmeta.server.faults;

import io.graphmeta.server.faults.LinkFault.Cut;
import io.graphmeta.server.faults.LinkFault.Delay;
import io.graphmeta.server.faults.LinkFault.Flap;
import io.graphmeta.server.faults.LinkFault.Refuse;
import io.graphmeta.server.faults.LinkFault.Side;
import io.graphmeta.server.faults.LinkFault.Stall;
import io.graphmeta.server.faults.LinkFault.Swallow;
import io.graphmeta.server.faults.LinkFault.Throttle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Something that goes wrong for a while.
 *
 * @param name for people
 * @param place 0 for ZooKeeper, else the number of the node with which it does
 * @param millis for how long
 */
record Fault(String name, int place, long millis, Runnable begin, Runnable end) {
  private static final long MOST_PAUSE_MILLIS =
      1000L * Integer.getInteger("graphmeta.pause-seconds", 3);
  private static final long MOST_ZOOKEEPER_MILLIS =
      1000L * Integer.getInteger("graphmeta.zookeeper-seconds", 3);
  private static final long LEAST_MILLIS = 500;
  private static final long SHORT_MILLIS = 2_000;
  private static final int LONG_ONES = 4;
  private static final long FLAP_MILLIS = 300;

  /** One of each kind, in some order, each node of which is drawn. */
  static List<Fault> kinds(FaultyCluster cluster, Random random) {
    List<Fault> kinds = new ArrayList<>(List.of(kill(cluster, random), pause(cluster, random)));
    for (LinkFault fault :
        List.of(
            new Delay(0, 100),
            new Throttle(20_000),
            new Cut(20_000),
            new Refuse(),
            new Stall(),
            new Flap(FLAP_MILLIS),
            new Swallow(Side.CALLER),
            new Swallow(Side.CALLED))) {
      kinds.add(link(cluster, node(cluster, random), fault, drawMillis(random, MOST_PAUSE_MILLIS)));
    }
    long away = drawMillis(random, MOST_ZOOKEEPER_MILLIS);
    kinds.add(
        new Fault("ZooKeeper stopped", 0, away, cluster::stopZookeeper, cluster::startZookeeper));
    for (LinkFault fault : List.of(new Refuse(), new Stall())) {
      // For longer than a session lasts.
      kinds.add(link(cluster, 0, fault, drawMillis(random, MOST_ZOOKEEPER_MILLIS)));
    }
    if (cluster.isReplicated()) {
      kinds.addAll(ofReplicas(cluster, random));
    }
    Collections.shuffle(kinds, random);
    return kinds;
  }

  /**
   * Those of the ways between replicas, which clients and other nodes do not take, and of all ways
   * between two nodes.
   */
  static List<Fault> ofReplicas(FaultyCluster cluster, Random random) {
    List<Fault> kinds = new ArrayList<>();
    for (LinkFault fault :
        List.of(
            new Delay(0, 100), new Cut(20_000), new Refuse(), new Stall(), new Flap(FLAP_MILLIS))) {
      int node = node(cluster, random);
      FaultyProxy proxy = cluster.replicaLink(node);
      kinds.add(
          new Fault(
              fault + " of the replicas of n" + node,
              node,
              drawMillis(random, MOST_PAUSE_MILLIS),
              () -> proxy.set(fault),
              () -> proxy.set(LinkFault.NONE)));
    }
    for (LinkFault fault : List.of(new Refuse(), new Stall(), new Swallow(Side.CALLER))) {
      kinds.add(bridge(cluster, random, fault));
    }
    return kinds;
  }

  /** Two nodes do not reach each other, and all others reach both. */
  private static Fault bridge(FaultyCluster cluster, Random random, LinkFault fault) {
    int one = node(cluster, random);
    int other = 1 + (one + random.nextInt(cluster.nodes() - 1)) % cluster.nodes();
    return new Fault(
        fault + " between n" + one + " and n" + other,
        one,
        drawMillis(random, MOST_PAUSE_MILLIS),
        () -> cluster.between(one, other, fault),
        () -> cluster.endBetween(one, other));
  }

  private static int node(FaultyCluster cluster, Random random) {
    return 1 + random.nextInt(cluster.nodes());
  }

  private static long drawMillis(Random random, long most) {
    return random.nextInt(LONG_ONES) == 0
        ? most
        : LEAST_MILLIS + random.nextLong(Math.min(most, SHORT_MILLIS));
  }

  static Fault kill(FaultyCluster cluster, Random random) {
    int node = node(cluster, random);
    return new Fault(
        "killed n" + node,
        node,
        random.nextLong(LEAST_MILLIS),
        () -> cluster.kill(node),
        () -> cluster.restart(node));
  }

  /** A node is stopped as an administrator does it, and started again at once. */
  static Fault stop(FaultyCluster cluster, int node, String... settings) {
    return new Fault(
        "ended n" + node, node, 0, () -> cluster.stop(node), () -> cluster.restart(node, settings));
  }

  static Fault pause(FaultyCluster cluster, Random random) {
    return pause(cluster, node(cluster, random), drawMillis(random, MOST_PAUSE_MILLIS));
  }

  /** A node does nothing for a while. */
  static Fault pause(FaultyCluster cluster, int node, long millis) {
    return new Fault(
        "stopped n" + node,
        node,
        millis,
        () -> cluster.signal(node, "STOP"),
        () -> cluster.signal(node, "CONT"));
  }

  private static Fault link(FaultyCluster cluster, int place, LinkFault fault, long millis) {
    FaultyProxy proxy = place == 0 ? cluster.zookeeperLink() : cluster.link(place);
    return new Fault(
        fault + (place == 0 ? " of ZooKeeper" : " of n" + place),
        place,
        millis,
        () -> proxy.set(fault),
        () -> proxy.set(LinkFault.NONE));
  }
}
