package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.lineage.LineageCommand;
import io.graphmeta.server.cli.output.StandardOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Every command with standard output that takes nothing, or takes it up to some byte: one line on
 * standard error, unless the reader has read enough, and exit code 1. What was to be done is done
 * all the same.
 */
final class OutputFailuresTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final String LINE =
      "graphmeta: Standard output cannot be written (No space left on device);"
          + " what was to be printed is not all there\n";

  @TempDir private static Path directory;
  private static String db = "";

  @BeforeAll
  static void load() {
    db = directory.resolve("db").toString();
    for (String[] source : new String[][] {{"darshan", "logs"}, {"sacct", "sacct.txt"}}) {
      String from = Path.of("src/main/sample/campaign", source[1]).toAbsolutePath().toString();
      assertThat(Cli.run("load", source[0], "--db", db, from).exitCode()).isZero();
    }
  }

  private record Failed(int exitCode, String err) {}

  private static Failed run(int room, String reason, String... command) {
    OutputStream device =
        new OutputStream() {
          private int left = room;

          @Override
          public void write(int oneByte) throws IOException {
            if (left-- <= 0) {
              throw new IOException(reason);
            }
          }
        };
    StringWriter err = new StringWriter();
    int exitCode =
        GraphMetaCommand.execute(new StandardOutput(device), new PrintWriter(err), command);
    return new Failed(exitCode, err.toString());
  }

  private static List<List<String>> commands() {
    String figure = "/scratch/amira/sweep1/figure.svg";
    String logs = Path.of("src/main/sample/campaign/logs").toAbsolutePath().toString();
    List<List<String>> commands =
        new ArrayList<>(
            List.of(
                List.of("--help"),
                List.of("--version"),
                List.of("completion", "bash"),
                List.of("completion", "zsh"),
                List.of("status"),
                List.of("status", "--json", "--hot"),
                List.of("check"),
                List.of("history", figure),
                List.of("diff", "job:184267", "job:184268"),
                List.of("top"),
                List.of("top", "--json"),
                List.of("report", "--html", directory.resolve("job.html").toString(), "184229"),
                List.of("load", "darshan", logs)));
    for (String format : List.of("text", "json", "table", "csv", "spreadsheet")) {
      commands.add(List.of("query", "--format", format, "g.V().hasLabel('job')"));
    }
    for (String format :
        new CommandLine(LineageCommand.class)
            .getCommandSpec()
            .findOption("--format")
            .completionCandidates()) {
      commands.add(List.of("lineage", "--format", format, figure));
      commands.add(List.of("impact", "--format", format, figure));
    }
    return commands;
  }

  @Test
  void everyCommandTellsThatItsOutputIsNotAllThere() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (List<String> command : commands()) {
      List<String> words = new ArrayList<>(command);
      if (!command.get(0).startsWith("-") && !command.get(0).equals("completion")) {
        words.addAll(List.of("--db", db));
      }
      String[] typed = words.toArray(String[]::new);
      String whole = Cli.run(typed).out();
      assertThat(whole).as("%s", words).isNotEmpty();
      int room = random.nextBoolean() ? 0 : random.nextInt(Math.min(whole.length(), 40));
      String as = "seed " + SEED + ", " + words + " with room for " + room;
      assertThat(run(room, "No space left on device", typed)).as(as).isEqualTo(new Failed(1, LINE));
      assertThat(run(room, "Broken pipe", typed)).as(as).isEqualTo(new Failed(1, ""));
    }
  }

  /** More results than the program prints before it looks whether anybody reads them. */
  @Test
  void aQueryWritesAllThoughNobodyReads() {
    String mark = "g.V().hasLabel('file').property('seen', true)";
    Failed failed = run(0, "Broken pipe", "query", "--db", db, "--write", mark);
    assertThat(failed).isEqualTo(new Failed(1, ""));
    String files = Cli.run("query", "--db", db, "g.V().hasLabel('file').count()").out();
    assertThat(Integer.parseInt(files.strip())).isGreaterThan(2_000);
    assertThat(Cli.run("query", "--db", db, "g.V().has('seen', true).count()").out())
        .isEqualTo(files);
  }

  @Test
  void aLoadIsDoneThoughNobodyReads() {
    String jobs = Path.of("src/main/sample/campaign/sacct.txt").toAbsolutePath().toString();
    String other = directory.resolve("other").toString();
    assertThat(run(0, "No space left on device", "load", "sacct", "--db", other, jobs))
        .isEqualTo(new Failed(1, LINE));
    assertThat(Cli.run("load", "sacct", "--db", other, jobs).out()).contains(" 0 loaded, ");
  }

  @Test
  void aReportThatCannotBeWrittenLeavesNothingAndReplacesNoDevice() throws IOException {
    Path places = Files.createDirectory(directory.resolve("places"));
    Path page = Files.writeString(places.resolve("page.html"), "old");
    Path link = Files.createSymbolicLink(places.resolve("link.html"), page);
    Path device = Files.createSymbolicLink(places.resolve("full"), Path.of("/dev/full"));
    Path nothing = Files.createSymbolicLink(places.resolve("null"), Path.of("/dev/null"));
    Path below = page.resolve("below.html");
    for (Path bad : List.of(device, below, Path.of("/proc/job.html"), places)) {
      Cli told = Cli.run("report", "--db", db, "--html", bad.toString(), "184229");
      assertThat(told.exitCode()).as("%s", bad).isEqualTo(bad.equals(places) ? 2 : 1);
      assertThat(told.err()).contains(bad.equals(below) ? page.toString() : bad.toString());
      assertThat(told.err().lines().findFirst().orElse("")).hasSizeGreaterThan(30);
      assertThat(told.err()).doesNotContain("Exception", ".tmp");
      assertThat(told.out()).isEmpty();
    }
    assertThat(page).hasContent("old");
    for (Path good : List.of(nothing, link)) {
      Cli told = Cli.run("report", "--db", db, "--html", good.toString(), "184229");
      assertThat(told.err()).isEmpty();
      assertThat(told.exitCode()).isZero();
      assertThat(good).isSymbolicLink();
    }
    assertThat(Files.isRegularFile(Path.of("/dev/null"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>");
    try (var files = Files.list(places)) {
      assertThat(files).hasSize(4);
    }
    Files.delete(link);
    Files.delete(device);
    Files.delete(nothing);
  }
}
