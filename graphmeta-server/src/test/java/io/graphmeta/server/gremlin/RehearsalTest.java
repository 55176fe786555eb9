package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.Test;

/** What a server asks itself before it listens. */
final class RehearsalTest {
  private static Set<Path> directories() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("graphmeta-rehearsal"))
          .collect(Collectors.toSet());
    }
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains("rehearsal"))
        .collect(Collectors.toSet());
  }

  /** The served graph is as it was. */
  private static int rehearse(long millis) {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphMetaGraph served = GraphMetaGraph.over(database)) {
      served.addVertex(T.id, "a").addEdge("to", served.addVertex(T.id, "b"));
      served.tx().commit();
      int answered =
          Rehearsal.run(
              ServerSettings.defaults().with(ServerSetting.REHEARSAL_MILLIS, millis), served);
      assertThat(served.tx().isOpen()).isFalse();
      assertThat(served.traversal().V().count().next()).isEqualTo(2);
      assertThat(served.traversal().E().count().next()).isEqualTo(1);
      return answered;
    }
  }

  @Test
  void allQuestionsAreAnsweredInEachRoundAndNothingIsLeft() throws Exception {
    Set<Path> before = directories();
    int answered = rehearse(60_000);
    assertThat(answered).isPositive();
    assertThat(answered % Rehearsal.ROUNDS).isZero();
    assertThat(directories()).isEqualTo(before);
    assertThat(threads()).isEmpty();
  }

  @Test
  void withoutTimeNothingIsAsked() {
    assertThat(rehearse(0)).isZero();
  }
}
