package io.graphmeta.traversal;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A small graph with everything that a traversal can stumble over: loops, parallel edges, a vertex
 * with many edges, labels that are rare, properties of several types under one key, several values
 * under one key, and a history in which elements came, changed and went.
 */
final class RandomGraph {
  static final List<String> VERTEX_LABELS = List.of("job", "file", "user");
  static final List<String> EDGE_LABELS = List.of("wrote", "read", "ran");
  static final List<String> KEYS = List.of("number", "text", "mixed", "many");

  private final Random random;
  private final Supplier<GraphTransaction> transactions;
  private final List<Long> vertices = new ArrayList<>();
  private final List<EdgeKey> edges = new ArrayList<>();
  private final List<ReadView> past = new ArrayList<>();

  private RandomGraph(Random random, Supplier<GraphTransaction> transactions) {
    this.random = random;
    this.transactions = transactions;
  }

  /** Fills a graph and returns the past views that are worth a look. */
  static List<ReadView> fill(Supplier<GraphTransaction> transactions, Random random) {
    RandomGraph graph = new RandomGraph(random, transactions);
    graph.fill();
    return graph.past;
  }

  private void fill() {
    int size = 2 + random.nextInt(24);
    commit(tx -> grow(tx, size, random.nextInt(4 * size)));
    for (int change = random.nextInt(3); change > 0; change--) {
      commit(this::change);
    }
  }

  private interface Writes {
    void to(GraphTransaction tx);
  }

  private void commit(Writes writes) {
    try (GraphTransaction tx = transactions.get()) {
      writes.to(tx);
      ReadView view = ReadView.at(tx.commit());
      past.add(view);
      // What was true then, as far as is known by some moment behind it.
      past.add(new ReadView(view.validAt(), Stamp.plusMicros(view.knownAt(), 1)));
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD) { // a vertex was split meanwhile
        throw e;
      }
    }
  }

  private void grow(GraphTransaction tx, int newVertices, int newEdges) {
    for (int i = 0; i < newVertices; i++) {
      String label = random.nextInt(12) == 0 ? "user" : random.nextBoolean() ? "job" : "file";
      String id = random.nextInt(3) == 0 ? "v" + vertices.size() : null;
      long vertex = tx.addVertex(id, label, properties(), Stamp.AT_COMMIT);
      vertices.add(vertex);
      for (int value = random.nextInt(4); value > 1; value--) {
        tx.setVertexProperty(
            vertex, "many", number(), Cardinality.LIST, Map.of(), null, Stamp.AT_COMMIT);
      }
    }
    long hub = vertices.get(random.nextInt(vertices.size()));
    boolean hasHub = random.nextInt(3) == 0;
    for (int i = 0; i < newEdges; i++) {
      long out = hasHub && random.nextInt(3) == 0 ? hub : some(vertices);
      long in = hasHub && random.nextInt(5) == 0 ? hub : some(vertices);
      if (random.nextInt(12) == 0) {
        in = out;
      }
      for (int parallel = random.nextInt(8) == 0 ? 3 : 1; parallel > 0; parallel--) {
        String id = random.nextInt(3) == 0 ? "e" + edges.size() : null;
        edges.add(tx.addEdge(id, out, edgeLabel(), in, properties(), Stamp.AT_COMMIT));
      }
    }
  }

  private void change(GraphTransaction tx) {
    for (int i = random.nextInt(6); i > 0; i--) {
      attempt(
          () -> {
            switch (random.nextInt(4)) {
              case 0 -> tx.removeVertex(some(vertices), Stamp.AT_COMMIT);
              case 1 -> {
                if (!edges.isEmpty()) {
                  tx.removeEdge(some(edges), Stamp.AT_COMMIT);
                }
              }
              case 2 ->
                  tx.setVertexProperty(
                      some(vertices),
                      "number",
                      number(),
                      Cardinality.SINGLE,
                      Map.of(),
                      null,
                      Stamp.AT_COMMIT);
              default -> {
                long out = some(vertices);
                long in = some(vertices);
                // Told with the commit otherwise, which all changes would be lost with.
                if (!tx.vertices(new long[] {out, in}, tx.snapshot()).contains(null)) {
                  edges.add(tx.addEdge(null, out, edgeLabel(), in, properties(), Stamp.AT_COMMIT));
                }
              }
            }
          });
    }
    if (random.nextBoolean()) {
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        vertices.add(tx.addVertex(null, "job", properties(), Stamp.AT_COMMIT));
      }
    }
  }

  /** What was removed before cannot be changed. */
  private static void attempt(Runnable write) {
    try {
      write.run();
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
    }
  }

  private <T> T some(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String edgeLabel() {
    return random.nextInt(6) == 0 ? "ran" : random.nextBoolean() ? "wrote" : "read";
  }

  private int number() {
    return random.nextInt(5);
  }

  private Map<String, Object> properties() {
    Map<String, Object> properties = new TreeMap<>();
    if (random.nextInt(3) > 0) {
      properties.put("number", number());
    }
    if (random.nextInt(3) > 0) {
      properties.put("text", text(random));
    }
    if (random.nextInt(3) == 0) {
      properties.put("mixed", mixed(random));
    }
    return properties;
  }

  static String text(Random random) {
    return List.of("", "a", "ab", "abc", "b", "bc", "B", "\u00e4b").get(random.nextInt(8));
  }

  static Object mixed(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(5);
      case 1 -> (long) random.nextInt(5);
      case 2 -> random.nextInt(10) / 2.0;
      case 3 -> random.nextBoolean();
      case 4 -> random.nextInt(20) == 0 ? Double.NaN : random.nextInt(5) / 2f;
      default -> text(random);
    };
  }
}
