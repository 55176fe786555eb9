package io.graphmeta.server.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.objects.FakeS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups by the commands of a person. */
final class BackupCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;
  private String db;
  private String target;

  @BeforeEach
  void load() {
    db = directory.resolve("graph").toString();
    target = directory.resolve("backups").toString();
    GraphDatabases.open(GraphMetaConfig.inDirectory(Path.of(db))).close();
    write("first");
  }

  private void write(String id) {
    run(
        0,
        "query",
        "--write",
        "--db",
        db,
        "g.addV('file').property(id, '" + id + "').property('size', 1).id()");
  }

  private static Cli run(int exitCode, String... words) {
    Cli run = Cli.run(words);
    assertThat(run.exitCode()).as("%s %s", String.join(" ", words), run.err()).isEqualTo(exitCode);
    return run;
  }

  private static JsonNode json(String... words) throws IOException {
    return JSON.readTree(run(0, words).out());
  }

  @Test
  void backupsAreKeptInAServiceThatSpeaksS3() throws IOException {
    try (FakeS3 service = new FakeS3()) {
      String place = "s3://" + FakeS3.BUCKET + "/centre";
      String[] at = {"--endpoint", service.endpoint()};
      String first = json("backup", "--db", db, target, "--json").get("backup").asText();
      JsonNode sent = json("backup", "push", target, place, at[0], at[1], "--json");
      assertThat(sent.get("added").get(0).asText()).isEqualTo(first);
      assertThat(sent.get("files").asInt()).isPositive();
      write("second");
      String second = json("backup", "--db", db, target, "--json").get("backup").asText();
      run(0, "backup", "expire", target, "--keep", "1");
      assertThat(run(0, "backup", "push", target, place, at[0], at[1], "--expire").lines())
          .startsWith("added: " + second, "removed: " + first)
          .last()
          .asString()
          .startsWith("sent: ");
      assertThat(run(0, "backup", "push", target, place, at[0], at[1]).out())
          .isEqualTo("sent: 0 files with 0 bytes\n");

      String fetched = directory.resolve("fetched").toString();
      assertThat(run(0, "backup", "fetch", place, fetched, at[0], at[1]).out())
          .startsWith(second)
          .contains("brought: ");
      assertThat(
              json("backup", "fetch", place, fetched, at[0], at[1], "--json")
                  .get("newFiles")
                  .asInt())
          .isZero();
      String restored = directory.resolve("restored").toString();
      run(0, "restore", fetched, restored);
      assertThat(run(0, "query", "--db", restored, "g.V().id()").lines())
          .containsExactlyInAnyOrder("first", "second");
      assertThat(run(1, "backup", "fetch", place, fetched, "--backup", first, at[0], at[1]).err())
          .contains("There is no backup '" + first + "'", second);
      assertThat(run(1, "backup", "push", target, "s3://other", at[0], at[1]).err())
          .contains("404 NoSuchBucket", "make the bucket first");
      assertThat(run(1, "backup", "push", target, "nowhere").err())
          .contains("expected s3://BUCKET/PREFIX");
    }
  }

  @Test
  void aBackupIsTakenListedVerifiedRestoredAndExpired() throws IOException {
    JsonNode first = json("backup", "--db", db, target, "--json");
    assertThat(first.get("shards").asInt()).isEqualTo(1);
    assertThat(first.get("newFiles").asInt()).isEqualTo(first.get("files").asInt());
    String name = first.get("backup").asText();
    write("second");
    Cli second = run(0, "backup", target, "--db", db);
    assertThat(second.out()).contains("1 shard, ", "new and copied: ");
    assertThat(run(0, "backup", "list", target).lines())
        .hasSize(2)
        .first()
        .asString()
        .startsWith(name + "  database ");
    assertThat(json("backup", "list", target, "--json").get("backup").asText()).isEqualTo(name);
    assertThat(run(0, "backup", "verify", target).out()).endsWith("whole: 2 backups\n");

    String old = directory.resolve("old").toString();
    JsonNode restored = json("restore", target, old, "--backup", name, "--json");
    assertThat(restored.get("directory").asText()).isEqualTo(old);
    assertThat(restored.get("stamp")).isEqualTo(first.get("stamp"));
    assertThat(run(0, "query", "--db", old, "g.V().id()").lines()).containsExactly("first");
    String fresh = directory.resolve("fresh").toString();
    assertThat(run(0, "restore", target, fresh).out()).startsWith("restored ");
    assertThat(run(0, "query", "--db", fresh, "g.V().id()").lines())
        .containsExactlyInAnyOrder("first", "second");
    assertThat(run(0, "check", "--db", fresh).out()).endsWith("clean\n");
    assertThat(run(1, "restore", target, fresh).err()).contains(fresh + " is not empty");

    assertThat(run(0, "backup", "expire", target, "--older-than", "1d").out())
        .isEqualTo("nothing to expire\n");
    assertThat(run(0, "backup", "expire", target, "--keep", "1").out())
        .isEqualTo("expired: " + name + "\n");
    assertThat(run(1, "restore", target, old + "er", "--backup", name).err())
        .contains("There is no backup '" + name + "'");
    assertThat(run(0, "backup", "verify", target).out()).endsWith("whole: 1 backup\n");
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    run(0, "backup", "--db", db, target);
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(target, "files"))) {
      files = all.filter(Files::isRegularFile).toList();
    }
    Path damaged = files.get(0);
    byte[] content = Files.readAllBytes(damaged);
    content[0] ^= 1;
    Files.write(damaged, content);
    Cli verified = run(1, "backup", "verify", target);
    assertThat(verified.out()).contains("fault: " + damaged, "1 fault\n");
    assertThat(JSON.readTree(run(1, "backup", "verify", target, "--json").out()).get("fault"))
        .asString()
        .contains(damaged.toString());
    String restored = directory.resolve("restored").toString();
    assertThat(run(1, "restore", target, restored).err()).contains(damaged + " is damaged");
    assertThat(Path.of(restored)).doesNotExist();
  }

  @Test
  void whatIsNotUnderstoodIsToldSo() {
    assertThat(run(2, "backup", "--db", db).err()).contains("Missing TARGET");
    assertThat(run(1, "backup", "list", target).err())
        .contains("There are no backups in " + target);
    assertThat(run(1, "backup", db, "--db", db).err()).contains("holds other things than backups");
    assertThat(run(1, "backup", target, "--db", target).err()).contains("There is no database at");
    run(0, "backup", "--db", db, target);
    assertThat(run(2, "backup", "expire", target).err()).contains("Missing --keep N");
    assertThat(run(2, "backup", "expire", target, "--keep", "0").err()).contains("expected 1");
    assertThat(run(2, "backup", "expire", target, "--older-than", "soon").err())
        .contains("'soon' is no age");
  }
}
