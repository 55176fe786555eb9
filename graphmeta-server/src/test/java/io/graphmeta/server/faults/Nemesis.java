package io.graphmeta.server.faults;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Lets things go wrong, and tells how long it took until all was well again. Between two faults is
 * a second at most; {@code -Dgraphmeta.between-seconds=N} sets how long, so that a long run has
 * clients at work and not machines that start.
 */
final class Nemesis {
  private static final long BETWEEN_MILLIS =
      1_000L * Integer.getInteger("graphmeta.between-seconds", 1);

  private final FaultyCluster cluster;
  private final Load load;
  private final Random random;
  private final List<Long> recoveries = new ArrayList<>();

  Nemesis(FaultyCluster cluster, Load load, Random random) {
    this.cluster = cluster;
    this.load = load;
    this.random = random;
  }

  /** One fault of each kind, and then some two at a time on different places. */
  void runAll(int pairs) throws InterruptedException {
    for (Fault fault : Fault.kinds(cluster, random)) {
      run(List.of(fault));
    }
    if (cluster.isReplicated()) {
      runMoves(1); // which are two things at once already
    }
    for (int i = 0; i < pairs; i++) {
      List<Fault> kinds = Fault.kinds(cluster, random);
      Fault first = kinds.get(0);
      Fault second =
          kinds.stream().filter(each -> each.place() != first.place()).findFirst().orElseThrow();
      run(List.of(first, second));
    }
  }

  /** Faults that replicas are there for: nodes killed and stopped, and ways between replicas. */
  void runOfReplicas() throws InterruptedException {
    List<Fault> faults = new ArrayList<>(Fault.ofReplicas(cluster, random));
    faults.add(Fault.kill(cluster, random));
    faults.add(Fault.pause(cluster, random));
    Collections.shuffle(faults, random);
    for (Fault fault : faults) {
      run(List.of(fault));
    }
  }

  /** Replicas go to other nodes, and one of the nodes fails meanwhile. */
  void runMoves(int moves) throws InterruptedException {
    for (int move = 0; move < moves; move++) {
      run(List.of(Moves.cutOff(cluster, random)));
    }
  }

  /** Kills a node and starts it again. */
  void kill() throws InterruptedException {
    run(List.of(Fault.kill(cluster, random)));
  }

  /** Stops one node after the other, and starts each again with more settings. */
  void restartAll(String... settings) throws InterruptedException {
    for (int node = 1; node <= cluster.nodes(); node++) {
      run(List.of(Fault.stop(cluster, node, settings)));
    }
  }

  /** Lets things go wrong at one time. */
  void run(List<Fault> faults) throws InterruptedException {
    if (!load.isFine()) {
      return;
    }
    Thread.sleep(random.nextLong(BETWEEN_MILLIS));
    // A node that joins again needs ZooKeeper.
    List<Fault> inOrder = faults.stream().sorted(Comparator.comparingInt(Fault::place)).toList();
    inOrder.forEach(fault -> fault.begin().run());
    Thread.sleep(inOrder.stream().mapToLong(Fault::millis).max().orElse(0));
    long ending = System.nanoTime();
    inOrder.forEach(fault -> fault.end().run());
    long ended = (System.nanoTime() - ending) / 1_000_000;
    long recovered = load.recover();
    recoveries.add(recovered);
    for (Fault fault : inOrder) {
      System.out.printf(
          "%s for %d ms, ended in %d ms, all writes again after %d ms; %d operations until then%n",
          fault.name(), fault.millis(), ended, recovered, load.operations());
    }
  }

  /** How many rounds of faults there were, and how long it took after them, for people. */
  String tally() {
    List<Long> sorted = recoveries.stream().sorted().toList();
    return sorted.isEmpty()
        ? "no faults"
        : String.format(
            "%d rounds of faults; all writes again after %d ms (median), %d ms (longest)",
            sorted.size(), sorted.get(sorted.size() / 2), sorted.get(sorted.size() - 1));
  }
}
