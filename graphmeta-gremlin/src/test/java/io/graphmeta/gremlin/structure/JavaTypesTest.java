package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program in Java can store beside the types that all drivers read. */
class JavaTypesTest {
  private static final List<Object> ARRAYS =
      List.of(
          new boolean[] {true, false},
          new byte[] {1, -1},
          new short[] {3},
          new int[] {1, Integer.MIN_VALUE},
          new long[] {Long.MAX_VALUE},
          new float[] {1.5f},
          new double[] {-0.5, Double.NaN},
          new String[] {"a", ""},
          new int[0]);

  @TempDir Path directory;

  /** A class of a user's program. */
  public record Rack(String row, int number) {}

  /** As records cannot be made by their fields, a class that can. */
  public static final class Station {
    private String name;
    private int[] racks;

    private Station() {
      this("", new int[0]);
    }

    Station(String name, int... racks) {
      this.name = name;
      this.racks = racks;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Station station
          && station.name.equals(name)
          && java.util.Arrays.equals(station.racks, racks);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public String toString() {
      return name + java.util.Arrays.toString(racks);
    }
  }

  private Configuration configuration(String types) {
    Configuration configuration = new BaseConfiguration();
    configuration.setProperty(Setting.DIRECTORY.key(), directory.resolve("db").toString());
    configuration.setProperty(GraphMetaGraph.JAVA_TYPES, types);
    return configuration;
  }

  @Test
  void arraysComeBackAsArraysAndElsewhereAsLists() {
    try (GraphMetaGraph graph = GraphMetaGraph.open(configuration("arrays"))) {
      Vertex vertex = graph.addVertex(T.id, "v");
      Edge edge = vertex.addEdge("e", vertex);
      for (int i = 0; i < ARRAYS.size(); i++) {
        vertex.property("p" + i, ARRAYS.get(i));
        edge.property("p" + i, ARRAYS.get(i));
        vertex.property("p" + i).property("meta", ARRAYS.get(i));
        graph.variables().set("p" + i, ARRAYS.get(i));
      }
      graph.tx().commit();
      for (int i = 0; i < ARRAYS.size(); i++) {
        Object expected = ARRAYS.get(i);
        assertThat(graph.traversal().V("v").values("p" + i).next()).isEqualTo(expected);
        assertThat(graph.traversal().E().values("p" + i).next()).isEqualTo(expected);
        assertThat(graph.traversal().V("v").properties("p" + i).values("meta").next())
            .isEqualTo(expected);
        assertThat(graph.variables().get("p" + i).orElseThrow()).isEqualTo(expected);
      }
      for (Object other : List.of(new char[] {'c'}, new Object[] {1}, new int[][] {{1}})) {
        assertThatThrownBy(() -> vertex.property("n", other))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
    try (GraphMetaGraph graph = GraphMetaGraph.open(configuration(""))) {
      assertThat(graph.traversal().V("v").values("p0").next()).isEqualTo(List.of(true, false));
      assertThat(graph.traversal().V("v").values("p1").next())
          .isEqualTo(ByteBuffer.wrap(new byte[] {1, -1}));
      assertThat(graph.traversal().E().values("p3").next())
          .isEqualTo(List.of(1, Integer.MIN_VALUE));
      assertThatThrownBy(() -> graph.addVertex("n", new int[] {1}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasRootCauseInstanceOf(GraphMetaException.class);
    }
  }

  @Test
  void objectsOfNamedClassesAreValuesAndIds() {
    Station north = new Station("north", 1, 2);
    String named = "arrays, " + Station.class.getName();
    try (GraphMetaGraph graph = GraphMetaGraph.open(configuration(named))) {
      assertThat(graph.features().vertex().willAllowId(north)).isTrue();
      Vertex vertex = graph.addVertex(T.id, north, "station", north);
      vertex.property(VertexProperty.Cardinality.set, "all", north);
      vertex.property(VertexProperty.Cardinality.set, "all", new Station("north", 1, 2));
      vertex.addEdge("e", vertex, T.id, new Station("edge"));
      graph.tx().commit();
      assertThat(graph.traversal().V(new Station("north", 1, 2)).values("station").next())
          .isEqualTo(north);
      assertThat(graph.traversal().V().hasId(north).id().toList()).containsExactly(north);
      assertThat(graph.traversal().V().has("station", north).values("all").toList())
          .containsExactly(north);
      assertThat(graph.traversal().E(new Station("edge")).outV().id().next()).isEqualTo(north);
      assertThat(graph.traversal().V(new Station("south")).hasNext()).isFalse();
      graph.addVertex(T.id, new Station("south"));
      assertThatThrownBy(() -> graph.addVertex(T.id, new Station("south")))
          .hasMessageContaining("south");
      graph.addVertex(T.id, new Station("north", 1, 2));
      assertThatThrownBy(() -> graph.tx().commit()).hasMessageContaining("exists already");
      assertThatThrownBy(() -> graph.addVertex("rack", new Rack("a", 1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    try (GraphMetaGraph graph = GraphMetaGraph.open(configuration(""))) {
      Vertex vertex = graph.vertices().next();
      assertThat(vertex.<Object>value("station")).isInstanceOf(ByteBuffer.class);
      assertThat((String) vertex.id()).contains(Station.class.getName());
      assertThat(graph.vertices(vertex.id()).next()).isEqualTo(vertex);
      assertThat(graph.features().vertex().willAllowId(north)).isFalse();
    }
  }

  @Test
  void nothingThatAUserStoresCanPassForAnObject() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      Map<String, Object> forged =
          Map.of("~java", Station.class.getName(), "value", ByteBuffer.allocate(4));
      assertThatThrownBy(() -> graph.addVertex("n", forged))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> graph.addVertex(T.id, "~#@" + Station.class.getName() + ":AAAA"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aClassThatIsNotThereIsAnErrorThatNamesIt() {
    List<String> names = new ArrayList<>(List.of("org.example.None", "int[]", "arrays,Nothing"));
    for (String name : names) {
      assertThatThrownBy(() -> GraphMetaGraph.open(configuration(name)))
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining(GraphMetaGraph.JAVA_TYPES);
    }
  }
}
