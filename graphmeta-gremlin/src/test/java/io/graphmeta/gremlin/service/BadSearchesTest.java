package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.search.IndexKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What nobody should ask gets one clear line, odd values are what they are, and nothing is harmed.
 */
class BadSearchesTest {
  private static final long BIG = (1L << 53) + 1;
  private static final String FACE = "\ud83d\ude00";

  private final GraphDatabase database =
      GraphDatabases.open(
          GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 2)));
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void fill() {
    file("model", "model.c", 300);
    file("big", "big", BIG);
    file("bigger", "bigger", BIG + 1);
    file("largest", "largest", Long.MAX_VALUE);
    file("nan", "nan", Double.NaN);
    file("zero", "zero", -0.0);
    file("face", "a" + FACE + "b", 1);
    file("giant", "needle " + "x".repeat(3 << 20), 2);
    file("text", "text", "300");
    graph.addVertex(T.id, "job", T.label, "job", "name", 7);
    graph.tx().commit();
    database.indexes().create("file.id", Set.of(IndexKind.PATH));
    database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
    database.indexes().create("file.size", Set.of(IndexKind.EXACT, IndexKind.RANGE));
  }

  private void file(String id, String name, Object size) {
    graph.addVertex(T.id, id, T.label, "file", "name", name, "size", size);
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  /** Parameters as a list of names and values. */
  private static Map<Object, Object> parameters(Object... namesAndValues) {
    Map<Object, Object> parameters = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      parameters.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return parameters;
  }

  /** A search and a part of the line that answers it. */
  private record Refused(String line, Map<Object, Object> parameters) {
    static Refused query(String query, String line) {
      return new Refused(line, BadSearchesTest.parameters("query", query));
    }

    static Refused model(String line, Object... more) {
      Map<Object, Object> parameters = BadSearchesTest.parameters(more);
      parameters.put("query", "model");
      return new Refused(line, parameters);
    }
  }

  private static List<Refused> refused() {
    List<Refused> all =
        new ArrayList<>(
            List.of(
                Refused.query("", "The query is empty"),
                Refused.query(" \n\t", "The query is empty"),
                Refused.query("(model", "cannot be read; expected words"),
                Refused.query("model)", "cannot be read"),
                Refused.query("\"model", "cannot be read"),
                Refused.query("size:[1 TO", "cannot be read"),
                Refused.query("size:[1 2]", "cannot be read"),
                Refused.query("size:", "cannot be read"),
                Refused.query("AND", "cannot be read"),
                Refused.query("model AND", "cannot be read"),
                Refused.query("model\nOR\n\u0007(", "'model OR  (' cannot be read"),
                Refused.query("/mo.*/", "cannot be read"),
                Refused.query("model~2", "cannot be read"),
                Refused.query("model^3", "cannot be read"),
                Refused.query("m?del", "has a wildcard within"),
                Refused.query("mo*el", "has a wildcard within"),
                Refused.query("*", "asks for any text"),
                Refused.query("**", "asks for any text"),
                Refused.query("NOT model", "says only what is not wanted"),
                Refused.query("model OR -c", "says only what is not wanted"),
                Refused.query("*a*", "No index can be asked for '*a*'"),
                Refused.query("name:*a*", "No index can be asked for 'name:*a*'"),
                Refused.query("a ".repeat(2_000), "is too large; expected at most 256 clauses"),
                Refused.query(
                    "a OR ".repeat(400) + "a", "is too large; expected at most 256 clauses"),
                Refused.query("-a ".repeat(300) + "a", "is too large"),
                Refused.query(
                    "(".repeat(300) + "a" + ")".repeat(300), "300 parentheses; expected at most"),
                Refused.query("(a OR ".repeat(100) + "b" + ")".repeat(100), "is too large"),
                Refused.query("a".repeat(5_000), "has 5000 characters"),
                Refused.query("\ud83d (", "'\ufffd (' cannot be read"),
                Refused.query(
                    "size:[NaN TO 3]", "The bound 'NaN' of the range of 'size' is neither"),
                Refused.query("size:[* TO NaN]", "is neither a number nor a time"),
                Refused.query("size:[* TO *]", "has no bounds"),
                Refused.query("size:[a TO b]", "is neither a number nor a time"),
                Refused.query("[1 TO 2]", "has a range of no property"),
                Refused.query(
                    "size:[\"" + "9".repeat(3_000) + "x\" TO 3]", "99...' of the range of 'size'"),
                new Refused("is missing", parameters("label", "file")),
                new Refused("is '7' (Integer)", parameters("query", 7)),
                new Refused("text", parameters("query", "name:*ode*", "label", "job"))));
    all.addAll(refusedParameters());
    return all;
  }

  private static List<Refused> refusedParameters() {
    List<String> names = IntStream.range(0, 300).mapToObj(i -> "label" + i).toList();
    String late = "2026-11-22";
    return List.of(
        Refused.model("'nosuch'", "nosuch", 1),
        Refused.model("null; expected", "limit", null),
        Refused.model("'0' (Integer)", "limit", 0),
        Refused.model("'NaN' (Double)", "limit", Double.NaN),
        Refused.model("'9007199254740993' (Long)", "limit", BIG),
        Refused.model("'sideways'", "order", "sideways"),
        Refused.model("expected with 'sort' only", "order", "desc"),
        Refused.model("expected 'vertices' or 'maps'", "result", "xml"),
        Refused.model("expected true or false", "highlight", "yes"),
        Refused.model("expected with maps only", "highlight", true, "result", "vertices"),
        Refused.model("has 300 values; expected 1 to 256", "label", names),
        Refused.model("has 0 values; expected 1 to 256", "in", List.of()),
        Refused.model("expected a property key or a list", "in", List.of("name", 7)),
        Refused.model("expected the id of a vertex that the view has", "after", "nosuch"),
        Refused.model("expected without 'facet'", "facet", "label", "during", List.of(0, 1)),
        Refused.model("expected without 'during'", "after", "model", "during", List.of(0, 1)),
        Refused.model("not after the second", "during", List.of(late, "2026-11-21")),
        Refused.model("not after the second", "during", List.of(1_001, 1_000)),
        Refused.model("a list of two times", "during", late),
        Refused.model("a list of two times", "during", List.of(late)),
        Refused.model("a list of two times", "during", List.of(late, late, late)),
        Refused.model("a list of two times", "during", List.of("yesterday", "today")),
        Refused.model("a list of two times", "during", List.of(Double.NaN, 1)),
        Refused.model("a list of two times", "during", List.of(-1, 1)),
        Refused.model("a list of two times", "during", List.of(1, Long.MAX_VALUE)),
        Refused.model("a list of two times", "during", List.of(List.of(1), 2)),
        Refused.model("a list of two times", "during", List.of("x".repeat(1 << 20), 2)),
        Refused.model("a list of two times", "during", Collections.nCopies(100_000, 2)),
        Refused.model("of the view at the latest", "during", List.of("2200-01-01", "2201-01-01")));
  }

  @TestFactory
  List<DynamicTest> oneClearLineEach() {
    List<Refused> all = refused();
    return IntStream.range(0, all.size())
        .mapToObj(
            i -> DynamicTest.dynamicTest(i + ": " + all.get(i).line, () -> refuse(all.get(i))))
        .toList();
  }

  private void refuse(Refused refused) {
    Throwable error = catchThrowable(() -> g.call("graphmeta.search", refused.parameters).toList());
    assertThat(error).isInstanceOf(GraphMetaException.class);
    assertThat(((GraphMetaException) error).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(error.getMessage())
        .contains(refused.line)
        .hasLineCount(1)
        .hasSizeLessThan(900)
        .matches("\\P{Cntrl}+");
    assertThat(found("model")).as("afterwards").containsExactly("model");
  }

  /** Queries that are odd, and what they find. */
  @TestFactory
  List<DynamicTest> oddValuesAreWhatTheyAre() {
    Map<String, List<String>> expected = new LinkedHashMap<>();
    expected.put("size:" + BIG, List.of("big"));
    expected.put("size:[" + BIG + " TO " + BIG + "]", List.of("big"));
    expected.put("size:{" + BIG + " TO *]", List.of("bigger", "largest"));
    expected.put("size:" + Long.MAX_VALUE, List.of("largest"));
    expected.put("size:" + (Long.MAX_VALUE - 1), List.of());
    expected.put("size:NaN", List.of());
    expected.put("size:[1e400 TO *]", List.of());
    expected.put("size:\"-0.0\"", List.of("zero"));
    expected.put("size:0", List.of("zero"));
    expected.put("size:[\"-0.0\" TO 0]", List.of("zero"));
    expected.put("size:{* TO 0}", List.of());
    expected.put("size:{-1 TO 0]", List.of("zero"));
    expected.put("size:{\"-0\" TO 1]", List.of("face"));
    expected.put("size:300", List.of("model", "text"));
    expected.put("size:[300 TO 300]", List.of("model"));
    expected.put("size:1e999999999", List.of());
    expected.put("size:" + "9".repeat(400), List.of());
    expected.put("name:\"a" + FACE + "b\"", List.of("face"));
    expected.put("name:*\ud83d*", List.of("face"));
    expected.put("name:*a\ud83d*", List.of("face"));
    expected.put("name:\"\ud83d\"", List.of());
    expected.put("name:needle*", List.of("giant"));
    expected.put("name:*xxxxxx*", List.of("giant"));
    expected.put("\\*a\\*", List.of());
    expected.put("\"" + "model ".repeat(500) + "\"", List.of());
    return expected.entrySet().stream()
        .map(
            each ->
                DynamicTest.dynamicTest(
                    each.getKey().substring(0, Math.min(40, each.getKey().length())),
                    () -> {
                      assertThat(found(each.getKey()))
                          .containsExactlyInAnyOrderElementsOf(each.getValue());
                      duringTheSame(each.getKey(), each.getValue());
                    }))
        .toList();
  }

  private List<Object> found(String query) {
    return g.call("graphmeta.search", parameters("query", query, "label", "file"))
        .toStream()
        .map(each -> ((Vertex) each).id())
        .toList();
  }

  private void duringTheSame(String query, List<String> expected) {
    graph.tx().rollback(); // so that it begins behind what was written
    List<Object> maps =
        g.call(
                "graphmeta.search",
                parameters(
                    "query",
                    query,
                    "label",
                    "file",
                    "highlight",
                    true,
                    "during",
                    List.of(0, "2255-01-01")))
            .toList();
    assertThat(maps.stream().map(map -> ((Map<?, ?>) map).get("id").toString()))
        .containsExactlyInAnyOrderElementsOf(expected);
  }
}
