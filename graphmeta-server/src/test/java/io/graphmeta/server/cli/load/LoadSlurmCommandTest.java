package io.graphmeta.server.cli.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slurm is asked through a program that answers as sacct does, and notes what it was asked. */
class LoadSlurmCommandTest {
  private static final String HEADER =
      "JobID|JobIDRaw|User|UID|Account|Partition|State|ExitCode|Submit|Start|End|NNodes|NTasks|WorkDir|JobName|SubmitLine";
  private static final String RUNNING =
      "7|7|ada|1001|hx|short|RUNNING|0:0|2026-11-21T10:00:00|2026-11-21T10:00:05|Unknown|2||/home/ada|sim|sbatch a|b";
  private static final String ENDED =
      "7|7|ada|1001|hx|short|FAILED|1:0|2026-11-21T10:00:00|2026-11-21T10:00:05|2026-11-21T11:00:00|2||/home/ada|sim|sbatch a|b";

  @TempDir private Path directory;
  private Path sacct;
  private Path answer;
  private Path asked;
  private String db = "";

  @BeforeEach
  void program() throws IOException {
    sacct = directory.resolve("sacct; touch forged");
    answer = directory.resolve("answer");
    asked = directory.resolve("asked");
    db = directory.resolve("db").toString();
  }

  /** A program that prints the answer, after some commands. */
  private void fake(String commands, String... lines) throws IOException {
    Files.write(answer, List.of(lines));
    Files.writeString(
        sacct,
        "#!/bin/sh\nprintf '%s\\n' \"$TZ $SLURM_TIME_FORMAT\" \"$@\" >> '"
            + asked
            + "'\n"
            + commands.replace("ANSWER", "cat '" + answer + "'")
            + "\n");
    Files.setPosixFilePermissions(sacct, PosixFilePermissions.fromString("rwx------"));
  }

  private Cli load(String... more) {
    String[] arguments = new String[more.length + 6];
    System.arraycopy(
        new String[] {"load", "slurm", "--db", db, "--sacct", sacct.toString()},
        0,
        arguments,
        0,
        6);
    System.arraycopy(more, 0, arguments, 6, more.length);
    return Cli.run(arguments);
  }

  private String query(String gremlin) {
    return Cli.run("query", "--db", db, gremlin).out().strip();
  }

  @Test
  void itIsAskedOnFromTheLastTimeAndARunningJobEnds() throws IOException {
    fake("ANSWER", HEADER, RUNNING);
    Cli unknown = load();
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("expected --since T");
    assertThat(Files.exists(Path.of(db))).isFalse();

    Cli first = load("--since", "2026-11-20T00:00:00Z");
    assertThat(first.err()).isEmpty();
    assertThat(first.out()).startsWith("1 jobs: 1 loaded");
    assertThat(Files.readAllLines(asked))
        .contains(
            "UTC standard",
            "--parsable2",
            "--allusers",
            "--allocations",
            "--starttime=2026-11-20T00:00:00")
        .anyMatch(line -> line.startsWith("--endtime=20"))
        .anyMatch(line -> line.startsWith("--format=JobID,") && line.endsWith(",SubmitLine"));
    assertThat(query("g.V('job:7').values('state','submitLine')"))
        .contains("RUNNING", "sbatch a|b");
    Instant until = Instant.parse(query("g.V('source:slurm').values('askedUntil')"));
    assertThat(until).isBetween(Instant.now().minusSeconds(60), Instant.now());

    Files.delete(asked);
    fake("ANSWER", HEADER, ENDED);
    assertThat(load().out()).startsWith("1 jobs: 1 loaded");
    assertThat(Files.readAllLines(asked))
        .contains("--starttime=" + until.minusSeconds(3_600).toString().replace("Z", ""));
    assertThat(query("g.V('job:7').values('state','exitCode')")).contains("FAILED", "1:0");
    assertThat(
            Cli.run(
                    "query",
                    "--db",
                    db,
                    "--as-of",
                    "2026-11-21T10:30:00Z",
                    "g.V('job:7').values('state')")
                .out())
        .isEqualTo("RUNNING\n");
    // The same again changes nothing; and no argument went through a shell.
    assertThat(load().out()).startsWith("1 jobs: 0 loaded, 1 there already");
    assertThat(Files.exists(Path.of("forged"))).isFalse();
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString())).doesNotContain("forged");
    }
  }

  @Test
  void aSacctThatFailsIsToldAndAskedAgainFromTheSameTime() throws IOException {
    fake(
        "ANSWER; echo 'slurm_persist_conn_open_without_init: failed to open' >&2; exit 1",
        HEADER,
        RUNNING);
    Cli failed = load("--since", "2026-11-20T00:00:00Z");
    assertThat(failed.exitCode()).isEqualTo(1);
    assertThat(failed.err())
        .contains("failed with the exit code 1", "slurm_persist_conn_open_without_init")
        .hasLineCount(1);
    assertThat(query("g.V('job:7').count()")).isEqualTo("1");
    assertThat(query("g.V('source:slurm').count()")).isEqualTo("0");

    fake("echo 'sacct: error: connection refused' >&2; exit 2");
    assertThat(load("--since", "2026-11-20T00:00:00Z").err())
        .contains("exit code 2", "connection refused");
    fake("exit 0");
    Cli empty = load("--since", "2026-11-20T00:00:00Z");
    assertThat(empty.exitCode()).isEqualTo(1);
    assertThat(empty.err()).contains("line 1", "expected the header of sacct").hasLineCount(1);
    assertThat(query("g.V('source:slurm').count()")).isEqualTo("0");

    Files.delete(sacct);
    assertThat(load("--since", "2026-11-20T00:00:00Z").err())
        .contains("cannot be started", "expected Slurm's sacct on the PATH");
  }

  @Test
  void oddLinesArePassedOverAndSlowOutputIsAwaited() throws IOException {
    fake(
        "ANSWER; sleep 1; echo '8|8|ada|1001|hx|short|COMPLETED|0:0|2026-11-21T10:00:00|2026-11-21T10:00:05|2026-11-21T11:00:00|1|||x|'",
        HEADER,
        "what is this",
        RUNNING.replace("7|7", "9|nine|x"));
    Cli run = load("--since", "2026-11-20T00:00:00Z");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("line 2", "what is this", "expected 16").hasLineCount(2);
    assertThat(run.out()).contains("1 loaded, 0 there already, 2 failed");
    assertThat(query("g.V('job:8').values('state')")).isEqualTo("COMPLETED");
    assertThat(query("g.V('source:slurm').count()")).isEqualTo("1");
  }

  @Test
  void anOlderSlurmIsAskedForWhatItKnows() throws IOException {
    fake(
        "case \"$*\" in *SubmitLine*) echo 'sacct: fatal: Invalid field requested: \"SubmitLine\"' >&2; exit 1;; esac; ANSWER",
        HEADER.replace("|SubmitLine", ""),
        RUNNING.replace("|sbatch a|b", ""));
    Cli run = load("--since", "2026-11-20T00:00:00Z");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).startsWith("1 jobs: 1 loaded");
  }

  @Test
  void pbsAndLsfFilesAreLoaded() throws IOException {
    Path pbs =
        Files.writeString(
            directory.resolve("20260720"),
            "07/20/2026 14:00:01;E;1234.pbs;user=alice jobname=a queue=q ctime=1784545000 start=1784545010 end=1784552401 Exit_status=0\nodd\n");
    Cli run = Cli.run("load", "pbs", "--db", db, pbs.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(pbs + ", line 2", "\"odd\"").hasLineCount(1);
    assertThat(run.out()).contains("1 loaded, 0 there already, 1 failed");
    assertThat(query("g.V('job:1234').in('ran').id()")).isEqualTo("user:alice");
    Path lsf =
        Files.writeString(
            directory.resolve("lsb.acct"),
            "\"JOB_FINISH\" \"5.1\" 1089407406 699195 283 33554482 1 1089290023 0 0 1089406862 \"rao\" \"8nm\" \"\" \"\" \"\" \"lx\" \"/w\" \"\" \"\" \"\" \"1\" 0 1 \"t9\" 64 3.3 \"\" \"run\" 277.21 17.28 0 0 -1 0 0 9 8 0 0 0 -1 0 0 0 0 0 -1 \"\" \"p\" 0 1 \"\" \"\" 0 3 3 \"\" \"\" \"\"\n");
    assertThat(Cli.run("load", "lsf", "--db", db, lsf.toString(), lsf.toString()).out())
        .startsWith("1 jobs: 1 loaded");
    assertThat(query("g.V('job:699195').values('state','account')")).contains("COMPLETED", "p");
    assertThat(query("g.V('user:283').values('name')")).isEqualTo("rao");
  }
}
