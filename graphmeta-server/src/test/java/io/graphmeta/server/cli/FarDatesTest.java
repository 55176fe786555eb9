package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Properties hold dates that no version of an element can have: those of people's own. */
final class FarDatesTest {
  @TempDir private Path directory;

  @Test
  void theyArePrintedAsTheyAre() {
    String db = directory.resolve("db").toString();
    String jobs = Path.of("src/main/sample/campaign/sacct.txt").toAbsolutePath().toString();
    assertThat(Cli.run("load", "sacct", "--db", db, jobs).exitCode()).isZero();
    for (String date : new String[] {"9999-12-31T00:00:00Z", "1900-01-01T12:30:00Z"}) {
      String id = "note:" + date.substring(0, 4);
      String add = "g.addV('note').property(id,'%s').property('due',datetime('%s'))";
      Cli added = Cli.run("query", "--db", db, "--write", add.formatted(id, date));
      assertThat(added.exitCode()).as(added.err()).isZero();
      Cli history = Cli.run("history", "--db", db, "--json", id);
      assertThat(history.err()).isEmpty();
      assertThat(history.out()).contains("\"" + date + "\"");
    }
  }
}
