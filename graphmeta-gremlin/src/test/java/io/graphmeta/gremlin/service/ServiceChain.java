package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A graph to call services on, a chain: {@code make} wrote {@code /in}; {@code run-1} read it and
 * wrote {@code /out}; {@code spoil} wrote {@code /in} again; {@code run-2} read that and wrote
 * {@code /out2}. Times are seconds after a start.
 */
abstract class ServiceChain {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  final GraphMetaGraph graph = GraphMetaGraph.over(database);
  final GraphTraversalSource g = graph.traversal();
  final Map<String, Long> keys = new HashMap<>();

  @BeforeEach
  void fill() {
    try (GraphTransaction tx = database.begin()) {
      keys.put("user:1", tx.addVertex("user:1", "user", Map.of("name", "ada"), stamp(0)));
      for (String file : List.of("/in", "/out", "/out2")) {
        keys.put(file, tx.addVertex(file, "file", Map.of("name", file.substring(1)), stamp(0)));
      }
      keys.put("exe:/bin/solve", tx.addVertex("exe:/bin/solve", "executable", Map.of(), stamp(0)));
      run(tx, "make", 1, 2, "make");
      run(tx, "run-1", 3, 6, "solve --dt 0.1 /in");
      run(tx, "spoil", 10, 11, "make");
      run(tx, "run-2", 12, 15, "solve --dt 0.5 /in");
      access(tx, "make", "wrote", "/in", 1, 2);
      access(tx, "run-1", "read", "/in", 3, 4);
      access(tx, "run-1", "wrote", "/out", 5, 6);
      access(tx, "spoil", "wrote", "/in", 10, 11);
      access(tx, "run-2", "read", "/in", 12, 13);
      access(tx, "run-2", "wrote", "/out2", 14, 15);
      tx.commit();
    }
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  List<Map<String, Object>> call(String service, Map<String, ?> parameters) {
    return rows(g.call(service, parameters));
  }

  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> rows(Traversal<?, ?> traversal) {
    return (List<Map<String, Object>>) (List<?>) traversal.toList();
  }

  void assertError(Map<String, Object> parameters, String service, String... words) {
    assertThatThrownBy(() -> g.call(service, parameters).toList())
        .as("%s %s", service, parameters)
        .isInstanceOf(GraphMetaException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
  }

  static List<@Nullable Object> column(List<Map<String, Object>> rows, String key) {
    return rows.stream().<@Nullable Object>map(row -> row.get(key)).toList();
  }

  static List<Object> ids(List<Object> elements) {
    return elements.stream().map(element -> ((Element) element).id()).toList();
  }

  static Map<String, Object> version(String text, String writer) {
    Map<String, Object> version = new LinkedHashMap<>();
    version.put("version", text);
    version.put("writer", writer);
    return version;
  }

  void run(GraphTransaction tx, String process, double start, double end, String commandLine) {
    Map<String, Object> times =
        Map.of(
            Vocabulary.START, time(start), Vocabulary.END, time(end), "commandLine", commandLine);
    keys.put(process, tx.addVertex(process, "process", times, stamp(start)));
    keys.put("job:" + process, tx.addVertex("job:" + process, "job", Map.of(), stamp(start)));
    edge(tx, "user:1", "ran", "job:" + process, Map.of(), start);
    edge(tx, "job:" + process, "contains", process, Map.of(), start);
    if (commandLine.startsWith("solve")) {
      edge(tx, process, "exe", "exe:/bin/solve", Map.of(), start);
    }
  }

  void access(
      GraphTransaction tx, String process, String label, String file, double start, double end) {
    edge(
        tx,
        process,
        label,
        file,
        Map.of(Vocabulary.START, time(start), Vocabulary.END, time(end), "bytes", 10L),
        start);
  }

  void edge(
      GraphTransaction tx,
      String out,
      String label,
      String in,
      Map<String, Object> properties,
      double start) {
    tx.addEdge(
        null,
        java.util.Objects.requireNonNull(keys.get(out)),
        label,
        java.util.Objects.requireNonNull(keys.get(in)),
        properties,
        stamp(start));
  }

  static OffsetDateTime time(double seconds) {
    return START.plusMillis(Math.round(seconds * 1000)).atOffset(ZoneOffset.UTC);
  }

  static long millis(double seconds) {
    return START.toEpochMilli() + Math.round(seconds * 1000);
  }

  static long stamp(double seconds) {
    return Stamp.startOf(time(seconds).toInstant());
  }
}
