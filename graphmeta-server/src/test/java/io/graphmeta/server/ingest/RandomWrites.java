package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Writes at random to whatever the graph holds: new elements, properties, deletions, live ones and
 * backfills of any time since a start. Used by one thread.
 */
final class RandomWrites {
  private static final int TRANSACTION_SIZE = 100;

  private final GraphDatabase database;
  private final Random random;
  private final InstantSource clock;
  private final Instant start;
  private final List<Long> vertices = new ArrayList<>();
  private final List<Long> files = new ArrayList<>();
  private final List<Long> processes = new ArrayList<>();
  private final List<EdgeKey> edges = new ArrayList<>();
  private int serial;
  private int backfills;

  RandomWrites(GraphDatabase database, Random random, InstantSource clock, Instant start) {
    this.database = database;
    this.random = random;
    this.clock = clock;
    this.start = start;
    try (GraphTransaction tx = database.begin();
        ElementCursor<VertexRecord> all = tx.scanVertices(Set.of(), tx.snapshot());
        ElementCursor<EdgeRecord> allEdges = tx.scanEdges(Set.of(), tx.snapshot())) {
      for (VertexRecord vertex = all.next(); vertex != null; vertex = all.next()) {
        keep(vertex.key(), vertex.label());
      }
      for (EdgeRecord edge = allEdges.next(); edge != null; edge = allEdges.next()) {
        edges.add(edge.key());
      }
    }
  }

  /** Backfills among what was written. */
  int backfills() {
    return backfills;
  }

  /** Writes so many changes, committed by the hundred. */
  void write(int changes) {
    int written = 0;
    while (written < changes) {
      try (GraphTransaction tx = database.begin()) {
        for (int i = 0; i < TRANSACTION_SIZE && written < changes; i++) {
          boolean backfill = random.nextInt(5) < 2;
          while (!isTaken(tx, backfill)) {
            // The element is gone, or not there yet at that time: another one.
          }
          written++;
          backfills += backfill ? 1 : 0;
        }
        tx.commit();
      }
    }
  }

  private boolean isTaken(GraphTransaction tx, boolean backfill) {
    try {
      change(tx, backfill ? past() : Stamp.AT_COMMIT);
      return true;
    } catch (GraphMetaException e) {
      if (e.code().category() != ErrorCode.Category.INPUT) {
        throw e;
      }
      return false;
    }
  }

  private long past() {
    long from = Stamp.micros(Stamp.startOf(start));
    long now = Stamp.micros(Stamp.startOf(clock.instant()));
    // Half of them in the first minutes, where the logs are.
    long span = random.nextBoolean() ? 400_000_000L : now - from - 1_000;
    return Stamp.startOfMicros(from + (long) (random.nextDouble() * span));
  }

  private void change(GraphTransaction tx, long stamp) {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> property(tx, stamp);
      case 5, 6 -> access(tx, stamp, Vocabulary.WROTE);
      case 7, 8 -> access(tx, stamp, Vocabulary.READ);
      case 9 -> link(tx, stamp);
      case 10, 11, 12 -> vertex(tx, stamp);
      case 13, 14 -> tx.setEdgeProperty(any(edges), "note", random.nextInt(), stamp);
      case 15 -> tx.removeEdgeProperty(any(edges), "note", stamp);
      case 16 -> tx.removeVertexProperty(any(vertices), "note", 0, stamp);
      case 17, 18 -> tx.removeEdge(any(edges), stamp);
      default -> {
        if (random.nextInt(5) == 0) {
          tx.removeVertex(any(vertices), stamp);
        } else {
          property(tx, stamp);
        }
      }
    }
  }

  private void property(GraphTransaction tx, long stamp) {
    String key = random.nextBoolean() ? "note" : Vocabulary.NAME;
    Cardinality cardinality = random.nextInt(4) == 0 ? Cardinality.LIST : Cardinality.SINGLE;
    tx.setVertexProperty(
        any(vertices), key, "value " + random.nextInt(), cardinality, Map.of(), null, stamp);
  }

  private void access(GraphTransaction tx, long stamp, String label) {
    long micros = Stamp.micros(stamp == Stamp.AT_COMMIT ? Stamp.startOf(clock.instant()) : stamp);
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put(Vocabulary.START, time(micros));
    properties.put(Vocabulary.END, time(micros + random.nextInt(1_000_000)));
    properties.put(Vocabulary.BYTES, (long) random.nextInt(10_000));
    addEdge(tx, any(processes), label, any(files), properties, stamp);
  }

  private void link(GraphTransaction tx, long stamp) {
    addEdge(tx, any(vertices), "link", any(vertices), Map.of(), stamp);
  }

  private void addEdge(
      GraphTransaction tx,
      long out,
      String label,
      long in,
      Map<String, Object> properties,
      long stamp) {
    // That an end is gone would be told with the commit otherwise, and take all changes with it.
    if (tx.vertices(new long[] {out, in}, tx.snapshot()).contains(null)
        && stamp == Stamp.AT_COMMIT) {
      throw new GraphMetaException(ErrorCode.NOT_FOUND, "An end of the edge is gone");
    }
    edges.add(tx.addEdge(null, out, label, in, properties, stamp));
  }

  private void vertex(GraphTransaction tx, long stamp) {
    String label = List.of(Vocabulary.FILE, Vocabulary.PROCESS, "thing").get(random.nextInt(3));
    String id = random.nextInt(3) == 0 ? null : "/random/" + serial++;
    keep(tx.addVertex(id, label, Map.of(Vocabulary.NAME, "new"), stamp), label);
  }

  private void keep(long vertex, String label) {
    vertices.add(vertex);
    if (label.equals(Vocabulary.FILE)) {
      files.add(vertex);
    } else if (label.equals(Vocabulary.PROCESS)) {
      processes.add(vertex);
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private static OffsetDateTime time(long micros) {
    return Stamp.instant(Stamp.startOfMicros(micros)).atOffset(ZoneOffset.UTC);
  }
}
