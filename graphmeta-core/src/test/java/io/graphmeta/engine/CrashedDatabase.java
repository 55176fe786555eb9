package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.model.Direction;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A database that a {@link CrashWriter} was torn from, and what must be there. */
final class CrashedDatabase implements AutoCloseable {
  private final GraphDatabase database;
  private final GraphTransaction tx;

  CrashedDatabase(GraphMetaConfig config) {
    this.database = GraphDatabases.open(config);
    this.tx = database.begin();
  }

  /** Everything acknowledged is there as a whole, and so is what came after, or not at all. */
  void assertNothingLost(String run, List<String> acknowledged) {
    Map<String, Integer> newest = new HashMap<>();
    for (String transaction : acknowledged) {
      assertThat(isWhole(transaction)).as("acknowledged transaction " + transaction).isTrue();
      int end = transaction.lastIndexOf('-');
      newest.merge(
          transaction.substring(0, end),
          Integer.parseInt(transaction.substring(end + 1)),
          Math::max);
    }
    for (int thread = 0; thread < CrashWriter.THREADS; thread++) {
      String name = run + "-" + thread;
      int last = newest.getOrDefault(name, -1);
      int stored = last(name);
      assertThat(stored).as("newest of thread " + name).isGreaterThanOrEqualTo(last);
      for (int n = Math.max(0, last); n <= stored + 3; n++) {
        assertThat(isWhole(name + "-" + n)).as(name + "-" + n).isEqualTo(n <= stored);
      }
    }
  }

  /** The number of the newest transaction of a thread, or -1. */
  int last(String thread) {
    VertexRecord counter = tx.verticesById(List.of(thread), tx.snapshot()).get(0);
    return counter == null ? -1 : (int) Objects.requireNonNull(counter.value("last"));
  }

  /** The newest transaction of each thread of a run that is there. */
  List<String> newest(String run) {
    List<String> newest = new ArrayList<>();
    for (int thread = 0; thread < CrashWriter.THREADS; thread++) {
      String name = run + "-" + thread;
      int last = last(name);
      if (last >= 0) {
        newest.add(name + "-" + last);
      }
    }
    return newest;
  }

  void assertClean() {
    CheckReport report = database.check(rows -> {});
    assertThat(report.examples()).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(database.status()).allMatch(shard -> shard.openIntents() == 0);
  }

  /** True if all of a transaction is there, false if nothing is; anything between fails. */
  boolean isWhole(String transaction) {
    List<String> ids = CrashWriter.ids(transaction);
    List<VertexRecord> ring = tx.verticesById(ids, tx.snapshot());
    if (ring.stream().allMatch(Objects::isNull)) {
      return false;
    }
    assertThat(ring).as("vertices of transaction " + transaction).doesNotContainNull();
    Object n = ring.get(0).value("n");
    long[] keys = ring.stream().mapToLong(VertexRecord::key).toArray();
    List<String> expectedOut = new ArrayList<>();
    List<String> expectedIn = new ArrayList<>();
    for (int i = 0; i < keys.length; i++) {
      expectedOut.add(i + " wrote " + n + " " + keys[(i + 1) % keys.length]);
      expectedIn.add(i + " wrote " + n + " " + keys[(i + keys.length - 1) % keys.length]);
    }
    assertThat(edges(keys, Direction.OUT))
        .as("edges from transaction " + transaction)
        .containsExactlyInAnyOrderElementsOf(expectedOut);
    long hub = Objects.requireNonNull(tx.verticesById(List.of("hub"), tx.snapshot()).get(0)).key();
    expectedIn.add("0 contains null " + hub);
    assertThat(edges(keys, Direction.IN))
        .as("edges to transaction " + transaction)
        .containsExactlyInAnyOrderElementsOf(expectedIn);
    return true;
  }

  private List<String> edges(long[] keys, Direction direction) {
    List<String> edges = new ArrayList<>();
    Expansion all = new Expansion(keys, direction, Set.of(), true);
    try (AdjacencyCursor cursor = tx.expand(all, tx.snapshot())) {
      while (cursor.next()) {
        edges.add(
            cursor.frontierIndex()
                + " "
                + cursor.edge().label()
                + " "
                + cursor.edge().value("n")
                + " "
                + cursor.otherVertex());
      }
    }
    return edges;
  }

  @Override
  public void close() {
    tx.close();
    database.close();
  }
}
