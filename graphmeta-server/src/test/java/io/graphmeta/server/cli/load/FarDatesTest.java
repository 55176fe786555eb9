package io.graphmeta.server.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties hold dates that no version of an element can have: those of people's own. */
final class FarDatesTest {
  private static final List<String> DATES =
      List.of(
          "0001-01-01T00:00:00Z",
          "1900-01-01T12:30:00Z",
          "1969-12-31T23:59:59.999999Z",
          "2026-11-21T00:35:25Z",
          "2255-06-06T00:00:00Z",
          "2262-04-12T00:00:00Z",
          "9999-12-31T00:00:00Z");
  private static final List<String> EARLY =
      List.of(
          "",
          ".property('earlyMillis',1000)",
          ".property('earlyMillis',-5)",
          ".property('earlyMillis',9223372036854775807L)");
  private static final int RUNS = Integer.getInteger("graphmeta.sequences", 4);

  @TempDir private Path directory;

  @Test
  void theyArePrintedAsTheyAre() {
    String db = loaded();
    for (String date : DATES) {
      String id = "note:" + date.substring(0, 4);
      String add = "g.addV('note').property(id,'%s').property('due',datetime('%s'))";
      run("query", "--db", db, "--write", add.formatted(id, date));
      assertThat(run("history", "--db", db, "--json", id))
          .contains("\"due\":\"" + date.substring(0, "0001-01-01T00:00".length()));
    }
  }

  /** Whoever records runs by hand may get their times wrong. */
  @Test
  void runsThatBeginAndEndThenAreFollowed() {
    String db = loaded();
    long seed = Long.getLong("graphmeta.seed", 1);
    Random random = new Random(seed);
    for (int run = 0; run < RUNS; run++) {
      String process = "job:" + run + "/p";
      String in = "/far/in" + run;
      String out = "/far/out" + run;
      run(
          "query",
          "--db",
          db,
          "--write",
          ("g.addV('process').property(id,'%s')%s.as('p').addV('file').property(id,'%s').as('in')"
                  + ".addV('file').property(id,'%s').as('out')"
                  + ".addE('read').from('p').to('in')%s.addE('wrote').from('p').to('out')%s")
              .formatted(process, times(random), in, out, times(random), times(random)));
      for (String id : List.of(process, in, out)) {
        assertThat(run("history", "--db", db, id)).as("seed %d, %s", seed, id).isNotEmpty();
        for (String format : List.of("dot", "mermaid", "prov-json", "ro-crate", "openlineage")) {
          run("lineage", "--db", db, "--format", format, id);
        }
        run("lineage", "--db", db, id);
        assertThat(run("lineage", "--db", db, "--json", id)).as("seed %d", seed).contains(id);
        assertThat(run("lineage", "--forward", "--db", db, "--json", id))
            .as("seed %d", seed)
            .isNotEmpty();
      }
    }
    run("top", "--db", db);
    run("top", "--db", db, "--by", "file", "--since", "1971-01-01");
    run("check", "--db", db);
  }

  private String loaded() {
    String db = directory.resolve("db").toString();
    run("load", "sacct", "--db", db, Path.of("src/main/sample/campaign/sacct.txt").toString());
    return db;
  }

  private static String times(Random random) {
    StringBuilder times = new StringBuilder();
    for (String property : List.of("start", "end")) {
      if (random.nextInt(5) > 0) {
        String date = DATES.get(random.nextInt(DATES.size()));
        times.append(".property('%s',datetime('%s'))".formatted(property, date));
      }
    }
    return times.append(EARLY.get(random.nextInt(EARLY.size()))).toString();
  }

  private static String run(String... arguments) {
    Cli done = Cli.run(arguments);
    assertThat(done.exitCode()).as("%s: %s", List.of(arguments), done.err()).isZero();
    return done.out();
  }
}
