package io.graphmeta.server.cli.retention;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Old versions dropped, read and restored by the commands of a person. */
final class RetentionCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;
  private String db;
  private String archives;
  private String before;

  @BeforeEach
  void write() {
    db = directory.resolve("graph").toString();
    archives = directory.resolve("archives").toString();
    GraphDatabases.open(GraphMetaConfig.inDirectory(Path.of(db))).close();
    write("g.addV('file').property(id, 'kept').property('size', 1)");
    write("g.addV('temporary').property(id, 'gone').property('size', 1)");
    write("g.V('kept').property('size', 2)");
    before = Instant.now().toString();
    write("g.V('kept').property('size', 3)");
    write("g.V('kept').property('size', 4)");
    write("g.V('gone').drop()");
  }

  private void write(String gremlin) {
    run(0, "query", "--write", "--db", db, gremlin);
  }

  private static Cli run(int exitCode, String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isEqualTo(exitCode);
    return run;
  }

  private static JsonNode json(String... words) throws IOException {
    return JSON.readTree(run(0, words).out());
  }

  private String sizeBefore(int exitCode, String database) {
    Cli run =
        run(exitCode, "query", "--db", database, "--as-of", before, "g.V('kept').values('size')");
    return exitCode == 0 ? run.out().trim() : run.err();
  }

  @Test
  void versionsGoToAnArchiveAndComeBack() throws IOException {
    assertThat(sizeBefore(0, db)).isEqualTo("2");
    JsonNode seen = json("retention", "--db", db, "--keep", "*=0m", "--dry-run", "--json");
    assertThat(seen.get("archive").isNull()).isTrue();
    assertThat(seen.get("versions").asInt()).isEqualTo(3); // sizes 2 and 3, and what is gone
    assertThat(sizeBefore(0, db)).isEqualTo("2");
    JsonNode done =
        json("retention", "--db", db, "--keep", "*=0m", "--archive", archives, "--json");
    assertThat(done.get("versions").asInt()).isEqualTo(3);
    assertThat(sizeBefore(1, db)).contains("versions were dropped by retention");
    assertThat(run(0, "query", "--db", db, "g.V('kept').values('size')").out()).isEqualTo("4\n");
    assertThat(run(0, "check", "--db", db).out()).endsWith("clean\n");

    assertThat(run(0, "archive", "list", archives).out())
        .startsWith(done.get("archive").asText() + "  database ");
    assertThat(run(0, "archive", "verify", archives).out())
        .isEqualTo("archives: 1 whole, 0 damaged\n");
    assertThat(run(0, "archive", "query", archives, "--label", "temporary").lines())
        .singleElement()
        .asString()
        .contains("vertex gone (temporary) {size=1}");

    run(0, "backup", "--db", db, directory.resolve("backups").toString());
    String copy = directory.resolve("copy").toString();
    run(0, "restore", directory.resolve("backups").toString(), copy);
    assertThat(sizeBefore(1, copy)).contains("versions were dropped by retention");
    assertThat(run(0, "archive", "restore", archives, "--db", copy).out()).startsWith("restored: ");
    assertThat(sizeBefore(0, copy)).isEqualTo("2");
    assertThat(run(0, "check", "--db", copy).out()).endsWith("clean\n");
    assertThat(run(0, "archive", "restore", archives, "--db", copy).out())
        .isEqualTo("nothing is missing\n");
    assertThat(sizeBefore(1, db)).contains("versions were dropped by retention");
  }

  @Test
  void aDamagedArchiveIsNamedAndNotRestored() throws IOException {
    run(0, "retention", "--db", db, "--keep", "file=0m", "--archive", archives);
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(archives))) {
      files = all.filter(file -> file.toString().endsWith(".sst")).toList();
    }
    byte[] content = Files.readAllBytes(files.get(0));
    content[content.length / 2] ^= 1;
    Files.write(files.get(0), content);
    assertThat(run(1, "archive", "verify", archives).out())
        .contains("fault: " + files.get(0), "0 whole, 1 damaged");
    assertThat(run(1, "archive", "restore", archives, "--db", db).err()).contains("is damaged");
    assertThat(sizeBefore(1, db)).contains("versions were dropped by retention");
  }

  @Test
  void whatIsNotUnderstoodIsToldSo() {
    assertThat(run(2, "retention", "--db", db, "--keep", "file=1d").err())
        .contains("Missing --archive");
    assertThat(run(2, "retention", "--db", db, "--keep", "file", "--dry-run").err())
        .contains("expected LABEL=AGE");
    assertThat(run(2, "retention", "--db", db, "--keep", "file=soon", "--dry-run").err())
        .contains("'soon' is no age");
    assertThat(run(1, "retention", "--db", db, "--keep", "fiel=1d", "--dry-run").err())
        .contains("No vertex and no edge has the label 'fiel'");
    assertThat(run(0, "retention", "--db", db, "--keep", "*=9d", "--archive", archives).out())
        .isEqualTo("nothing is older\n");
    assertThat(run(1, "archive", "list", db + "er").err()).contains("There are no archives in");
    assertThat(run(2, "archive").err()).contains("expected list, verify, query or restore");
  }
}
