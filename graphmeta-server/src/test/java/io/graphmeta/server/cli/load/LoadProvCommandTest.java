package io.graphmeta.server.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents of PROV that tell no time, as the command takes them. */
final class LoadProvCommandTest {
  @TempDir private Path directory;

  @Test
  void aTimeIsGivenToADocumentWithoutAny() throws IOException {
    Path document =
        Files.writeString(
            directory.resolve("old.json"),
            """
            {"entity":{"out":{"prov:location":"/out"}},"activity":{"run":{"prov:label":"make out"}},
             "wasGeneratedBy":{"_:g":{"prov:entity":"out","prov:activity":"run"}}}
            """);
    String db = directory.resolve("db").toString();
    Cli refused = Cli.run("load", "prov", "--db", db, document.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err())
        .hasLineCount(1)
        .contains("old.json: the activity run:run has no time", "--at");
    String[] dated = {"load", "prov", "--db", db, "--at", "2020-05-04", document.toString()};
    assertThat(Cli.run(dated).out()).startsWith("1 runs: 1 loaded, 0 there already, 0 failed");
    assertThat(Cli.run(dated).out()).startsWith("1 runs: 0 loaded, 1 there already, 0 failed");
    assertThat(Cli.run("lineage", "--db", db, "/out").out())
        .contains("/out  2020-05-04 00:00:00.000", "written by make out");
  }
}
