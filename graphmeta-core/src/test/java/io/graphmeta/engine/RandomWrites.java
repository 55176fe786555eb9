package io.graphmeta.engine;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Transactions of any kind, by several threads on one database: elements with ids that come again,
 * edges of vertices that are split, changes of now and of earlier times, removals, and names that
 * are new. Each thread has one of these; what they add is known to all.
 */
final class RandomWrites {
  static final int IDS = 40;

  private final Random random;
  private final Shared shared;

  /** What the threads of a database have added. */
  static final class Shared {
    private final ConcurrentLinkedQueue<Long> vertices = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<EdgeKey> edges = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> committed = new ConcurrentLinkedQueue<>();

    /** The stamps of some commits. */
    List<Long> stamps() {
      return List.copyOf(committed);
    }
  }

  RandomWrites(long seed, Shared shared) {
    this.random = new Random(seed);
    this.shared = shared;
  }

  /** One transaction, which may be refused for what another one has done. */
  void commitOne(GraphDatabase database) {
    List<Long> addedVertices = new ArrayList<>();
    List<EdgeKey> addedEdges = new ArrayList<>();
    try (GraphTransaction tx = database.begin()) {
      for (int writes = 1 + random.nextInt(6); writes > 0; writes--) {
        write(tx, addedVertices, addedEdges);
      }
      long stamp = tx.commit();
      shared.vertices.addAll(addedVertices);
      shared.edges.addAll(addedEdges);
      shared.committed.add(stamp);
    } catch (GraphMetaException e) {
      boolean isOfOthers =
          e.code().category() == ErrorCode.Category.RETRY
              || Set.of(
                      ErrorCode.NOT_FOUND,
                      ErrorCode.ALREADY_EXISTS,
                      ErrorCode.INVALID_ARGUMENT,
                      ErrorCode.BELOW_WATERMARK)
                  .contains(e.code());
      if (!isOfOthers) {
        throw e;
      }
    }
  }

  private void write(GraphTransaction tx, List<Long> vertices, List<EdgeKey> edges) {
    long valid =
        random.nextInt(4) > 0
            ? Stamp.AT_COMMIT
            : Stamp.plusMicros(tx.snapshot().knownAt(), -1 - random.nextInt(3_000_000));
    Long vertex = some(shared.vertices, vertices);
    Long other = random.nextInt(3) == 0 ? first() : some(shared.vertices, vertices);
    EdgeKey edge = some(shared.edges, edges);
    int dice = random.nextInt(20);
    if (dice < 5 || vertex == null || other == null) {
      String id = random.nextInt(3) == 0 ? null : "v" + random.nextInt(IDS);
      vertices.add(tx.addVertex(id, "label" + random.nextInt(4), properties(), valid));
    } else if (dice < 13) {
      String id = random.nextInt(4) > 0 ? null : "e" + random.nextInt(IDS);
      boolean turned = random.nextBoolean();
      edges.add(
          tx.addEdge(
              id,
              turned ? other : vertex,
              random.nextBoolean() ? "read" : "wrote",
              turned ? vertex : other,
              properties(),
              valid));
    } else if (dice < 15) {
      writeProperty(tx, vertex, valid);
    } else if (dice < 17 && edge != null) {
      tx.setEdgeProperty(edge, name(), random.nextInt(100), valid);
    } else if (dice < 19 && edge != null) {
      tx.removeEdge(edge, valid);
    } else if (random.nextInt(3) == 0) {
      tx.removeVertex(vertex, valid);
    } else {
      tx.setVariable("variable" + random.nextInt(3), random.nextInt());
    }
  }

  private void writeProperty(GraphTransaction tx, long vertex, long valid) {
    if (random.nextInt(4) == 0) {
      tx.removeVertexProperty(vertex, name(), 0, valid);
    } else {
      ReadView now = tx.snapshot();
      List<VertexRecord> found = tx.vertices(new long[] {vertex}, now);
      if (found.get(0) != null) {
        tx.setVertexProperty(
            vertex, name(), "text" + random.nextInt(50), Cardinality.SINGLE, Map.of(), null, valid);
      }
    }
  }

  private Map<String, Object> properties() {
    return random.nextBoolean() ? Map.of() : Map.of(name(), random.nextInt(100), "n", 1);
  }

  /** Some of them are new to the database. */
  private String name() {
    return "p" + (random.nextInt(50) == 0 ? 100 + random.nextInt(200) : random.nextInt(4));
  }

  /** One that has many edges. */
  private Long first() {
    return shared.vertices.peek();
  }

  private <T> T some(Iterable<T> known, List<T> own) {
    List<T> all = new ArrayList<>(own);
    known.forEach(all::add);
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }
}
