package io.graphmeta.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.Query;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Small runs of the comparison itself, with the subjects that need nothing but this project. */
final class PeersIT {
  private static final long LIMIT_MILLIS = 60_000;

  @TempDir private Path work;

  @Test
  void everyQueryHasOneAnswerFromAllSubjects() throws Exception {
    Path graph = work.resolve("graph.bin");
    GraphMaker.make(9, 2_500, 3).write(graph);
    AnswerBook answers = new AnswerBook();
    for (String name : List.of("longs", "seeks", "tinkergraph", "graphmeta")) {
      try (SubjectProcess subject =
          PeersBenchmark.process(Candidate.named(name, work), "512m", "each", graph)) {
        subject.start();
        subject.tell("load", LIMIT_MILLIS);
        subject.tell("open", LIMIT_MILLIS);
        for (Query.Kind kind : Query.Kind.values()) {
          for (int steps = 1; steps <= 4; steps++) {
            Query query = new Query(kind, steps);
            answers.check(query, name, subject.run(query, 1, LIMIT_MILLIS).answer());
          }
        }
      }
    }
    assertThat(answers.of(new Query(Query.Kind.LINEAGE, 4))).isEqualTo("1000 paths");
    assertThatThrownBy(() -> answers.check(new Query(Query.Kind.PATHS, 2), "other", "-1"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("longs says")
        .hasMessageContaining("other says -1");
  }

  @Test
  void aQueryOverItsLimitEndsTheProcessAndTheNextOneStartsAfresh() throws Exception {
    Path graph = work.resolve("graph.bin");
    GraphMaker.make(9, 2_500, 3).write(graph);
    try (SubjectProcess subject =
        PeersBenchmark.process(Candidate.named("longs", work), "512m", "each", graph)) {
      subject.start();
      subject.tell("open", LIMIT_MILLIS);
      assertThatThrownBy(() -> subject.run(new Query(Query.Kind.SIMPLE_PATHS, 30), 1, 1))
          .isInstanceOf(SubjectProcess.OverLimitException.class);
      subject.start();
      subject.tell("open", LIMIT_MILLIS);
      assertThat(subject.run(new Query(Query.Kind.DISTINCT, 1), 3, LIMIT_MILLIS).answer())
          .matches("[0-9]+");
    }
  }

  @Test
  void theSameSeedMakesTheSameGraphAndTheFileKeepsIt() throws Exception {
    GraphFile made = GraphMaker.make(9, 2_500, 3);
    Path file = work.resolve("graph.bin");
    made.write(file);
    GraphFile read = GraphFile.read(file);
    GraphFile again = GraphMaker.make(9, 2_500, 3);
    for (GraphFile other : List.of(read, again)) {
      assertThat(other.sources()).isEqualTo(made.sources());
      assertThat(other.destinations()).isEqualTo(made.destinations());
      assertThat(other.weights()).isEqualTo(made.weights());
      assertThat(other.edgeLabels()).isEqualTo(made.edgeLabels());
      assertThat(other.owners()).isEqualTo(made.owners());
      assertThat(other.sizes()).isEqualTo(made.sizes());
      assertThat(other.vertexLabels()).isEqualTo(made.vertexLabels());
      assertThat(other.scanned()).isEqualTo(made.scanned());
      assertThat(other.start()).isEqualTo(made.start());
    }
  }

  @Test
  void aQueryIsReadAsItIsWritten() {
    for (Query.Kind kind : Query.Kind.values()) {
      Query query = new Query(kind, 4);
      assertThat(Query.parse(query.toString())).isEqualTo(query);
    }
  }
}
