package io.graphmeta.server.cli.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code graphmeta query --profile}. */
class QueryProfileTest {
  private static final String ACCOUNTING = "src/main/sample/campaign/sacct.txt";
  private static final String QUERY = "g.V().hasLabel('user').out().dedup().in().dedup().count()";

  @TempDir Path directory;

  private String load(int shards) {
    String db = directory.resolve("db").toString();
    Cli loaded =
        Cli.run("load", "sacct", "--db", db, "--shards", Integer.toString(shards), ACCOUNTING);
    assertThat(loaded.exitCode()).as(loaded.err()).isZero();
    return db;
  }

  @Test
  void aPlanIsShownLevelByLevel() throws IOException {
    String db = load(4);
    Cli profile = Cli.run("query", "--db", db, "--profile", QUERY);
    assertThat(profile.exitCode()).as(profile.err()).isZero();
    assertThat(profile.out())
        .contains("ms in all")
        .contains("GraphMetaPlanStep(V[user] > out > dedup > in > dedup > count")
        .containsPattern("frontier +edges +bytes +messages +cache hits")
        .containsPattern("level 0 +\\d+ +\\d+")
        .containsPattern("level 1 +[1-9]\\d* +[1-9]\\d*")
        .containsPattern("shard 3: from .* ms: work .* ms, wait .* ms");
    Cli json = Cli.run("query", "--db", db, "--profile", "--json", QUERY);
    JsonNode shown = new ObjectMapper().readTree(json.out());
    assertThat(shown.toString()).contains("GraphMetaPlanStep", "level 1");
  }

  @Test
  void aTraversalWithoutAPlanIsShownStepByStep() {
    String db = load(1);
    Cli profile =
        Cli.run("query", "--db", db, "--profile", "g.with('engine','none').V().out().out()");
    assertThat(profile.out())
        .contains("GraphMetaGraphStep(vertex,[])", "GraphMetaVertexStep(OUT,vertex")
        .doesNotContain("level");
    Cli wrong = Cli.run("query", "--db", db, "--profile", "g.V().next()");
    assertThat(wrong.exitCode()).isNotZero();
    assertThat(wrong.err()).contains("g.V().next()", "--profile");
  }
}
