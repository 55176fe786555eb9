package io.graphmeta.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.Launcher.Outcome;
import io.graphmeta.server.ingest.Contents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose output goes nowhere, and loads on a disk that takes no more. */
final class FullDiskIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final Path SAMPLE = Launcher.HOME.resolve("sample/campaign");

  @TempDir private Path directory;

  private Outcome shell(String script) throws Exception {
    Path file = Files.writeString(Files.createTempFile(directory, "typed", ".sh"), script);
    Map<String, String> environment = Map.of("G", Launcher.FILE.toString());
    return new Launcher(directory).run(Path.of("/bin/bash"), environment, "", file.toString());
  }

  @Test
  void outputThatNobodyTakesIsAnError() throws Exception {
    String line = "graphmeta: Standard output cannot be written (%s); what was to be printed";
    Outcome full = shell("$G --version > /dev/full; echo $?");
    assertThat(full.output()).isEqualTo("1\n");
    assertThat(full.errors()).startsWith(line.formatted("No space left on device")).hasLineCount(1);
    Outcome closed = shell("$G --version >&-; echo $?");
    assertThat(closed.output()).isEqualTo("1\n");
    assertThat(closed.errors()).startsWith(line.formatted("Bad file descriptor")).hasLineCount(1);
    assertThat(shell("$G --version > /dev/full 2> /dev/full; echo $?").output()).isEqualTo("1\n");
    assertThat(shell("$G --version <&- 2>&-; echo $?").output()).matches("graphmeta .*\n0\n");
    Outcome enough = shell("(sleep 0.2; $G --version; echo $? >&2) | true");
    assertThat(enough.errors()).isEqualTo("1\n");
  }

  /** What is printed must not find its way into a file of the database. */
  @Test
  void closedStreamsAreNoFilesOfTheDatabase() throws Exception {
    Outcome closed =
        shell(
            "$G load sacct --db db %s <&- >&- 2>&-; echo $?"
                .formatted(SAMPLE.resolve("sacct.txt")));
    assertThat(closed.output()).isEqualTo("1\n");
    Outcome check = new Launcher(directory).run("check", "--db", "db");
    assertThat(check.errors()).isEmpty();
    assertThat(check.output()).endsWith("clean\n");
  }

  /** The limit of the system for the length of files stands for the room on a disk. */
  @Test
  void aLoadThatFindsNoRoomIsFinishedByLoadingAgain() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Path logs = SAMPLE.resolve("logs");
    int limit = random.nextInt(50, 2_000);
    String replay = "replay with -Dgraphmeta.seed=" + SEED + ": " + limit + " KiB";
    Outcome full = shell("ulimit -f %d\n$G load darshan --db db %s".formatted(limit, logs));
    assertThat(full.exitCode()).as(replay).isEqualTo(1);
    assertThat(full.errors())
        .as(replay)
        .contains("graphmeta: Could not write in ", "File too large");
    assertThat(full.errors()).as(replay).doesNotContain("Exception", "java", "rocksdb.");
    Launcher launcher = new Launcher(directory);
    Outcome again = launcher.run("load", "darshan", "--db", "db", logs.toString());
    assertThat(again.errors()).as(replay).isEmpty();
    assertThat(again.output()).as(replay).startsWith("231 logs: ").contains(" 0 failed; ");
    launcher.run("load", "darshan", "--db", "other", logs.toString());
    for (String time : Contents.TIMES) {
      boolean same = contents("db", time).equals(contents("other", time));
      assertThat(same).as("%s, %s", replay, time).isTrue();
    }
    assertThat(launcher.run("check", "--db", "db").output()).as(replay).endsWith("clean\n");
  }

  private Set<String> contents(String name, String time) {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory.resolve(name));
    try (GraphDatabase database = GraphDatabases.open(GraphDatabases.asCreated(config))) {
      return Contents.of(database, time);
    }
  }
}
