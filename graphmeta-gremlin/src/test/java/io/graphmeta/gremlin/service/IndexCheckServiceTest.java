package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.List;
import java.util.Map;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.junit.jupiter.api.Test;

/** The comparison of indexes with what is stored, as a traversal asks for it. */
class IndexCheckServiceTest {
  private static final String INDEX = "graphmeta.index";
  private static final Map<String, Object> CHECK = Map.of("do", "check");

  @Test
  void whatWasComparedIsToldOfEachShard() {
    BaseConfiguration memory = new BaseConfiguration();
    memory.setProperty("graphmeta.storage", "memory");
    try (GraphMetaGraph graph = GraphMetaGraph.open(memory)) {
      GraphTraversalSource g = graph.traversal();
      g.addV("file").property("name", "a").iterate();
      g.tx().commit();
      GraphTraversalSource reading = g.withStrategies(ReadOnlyStrategy.instance());
      assertThat(reading.call(INDEX, CHECK).toList()).isEmpty();
      g.call(INDEX, Map.of("do", "create", "name", "file.name")).iterate();
      while (!Boolean.TRUE.equals(map(g.call(INDEX).next()).get("built"))) {
        Thread.onSpinWait();
      }
      Map<?, ?> checked = map(reading.call(INDEX, CHECK).next());
      assertThat(checked.get("name")).isEqualTo("file.name");
      assertThat(checked.get("clean")).isEqualTo(true);
      Map<?, ?> shard = map(((List<?>) checked.get("shards")).get(0));
      assertThat(shard.get("versions")).isEqualTo(1L);
      assertThat(shard.get("missing")).isEqualTo(0L);
      assertThat(shard.get("wider")).isEqualTo(0L);
      assertThat(shard.get("surplus")).isEqualTo(0L);
      Map<String, Object> unknown = Map.of("do", "check", "name", "file.x");
      assertThatThrownBy(() -> g.call(INDEX, unknown).toList())
          .hasMessageContaining("'file.x'")
          .hasMessageContaining("file.name");
    }
  }

  private static Map<?, ?> map(Object answer) {
    return (Map<?, ?>) answer;
  }
}
