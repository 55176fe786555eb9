package io.graphmeta.server.cli;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctFormatException;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Loads logs and accounting. */
@Command(
    name = "load",
    description = "Loads logs and accounting into a database, which is made if it is not there.",
    synopsisSubcommandLabel = "SOURCE")
final class LoadCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing the source; expected darshan or sacct");
  }

  @Command(
      name = "darshan",
      description = {
        "Loads binary Darshan logs. A log that is loaded already changes nothing; a damaged one is named and passed over,"
            + " and the exit code is 1 then."
      },
      footer = {"%nExample:%n  graphmeta load darshan --db graph logs/ more/run.darshan%n"})
  int darshan(
      @Mixin DatabaseOption db,
      @Parameters(
              paramLabel = "PATH",
              arity = "1..*",
              description =
                  "Logs, or directories with *.darshan, *.darshan.gz or *.darshan.bz2 files below them.")
          List<Path> paths,
      @Option(
              names = "--processes",
              paramLabel = "job|rank",
              defaultValue = "job",
              description =
                  "One process for each program in a job (the default), or one for each rank that a log keeps apart.")
          ProcessGranularity granularity,
      @Option(names = "--json", description = "The summary as one JSON object.") boolean json)
      throws IOException {
    List<Path> logs = DarshanIngest.logs(paths);
    if (logs.isEmpty()) {
      throw GraphMetaException.invalid(
          "No *.darshan, *.darshan.gz or *.darshan.bz2 below "
              + paths
              + "; expected logs, or directories that hold some");
    }
    CommandLine line = subcommand("darshan");
    Summary summary = new Summary(logs.size() == 1 ? "log" : "logs", logs.size());
    try (GraphDatabase database = db.openOrCreate();
        Terminal.Progress progress =
            Terminal.detect().progress(line.getErr(), "Loading logs", logs.size())) {
      DarshanIngest ingest = new DarshanIngest(database, granularity);
      int done = 0;
      for (Path log : logs) {
        try {
          summary.result = summary.result.plus(ingest.load(log));
        } catch (IOException e) {
          summary.fail(line.getErr(), e);
        } catch (GraphMetaException e) {
          // Bad content of this log is a failure of this log; a full disk is one of all.
          if (e.code().category() != io.graphmeta.error.ErrorCode.Category.INPUT
              && e.code().category() != io.graphmeta.error.ErrorCode.Category.LIMIT) {
            throw e;
          }
          summary.fail(line.getErr(), new IOException(log + ": " + e.getMessage(), e));
        }
        progress.update(++done);
      }
    }
    return summary.print(line.getOut(), json);
  }

  @Command(
      name = "sacct",
      description = {
        "Loads the text that 'sacct --parsable2' prints. It needs the column JobID; User, UID, Submit, Start, End, State and"
            + " JobName should be there too. A bad line is named and passed over, and the exit code is 1 then."
      },
      footer = {
        "%nExample:%n  sacct --parsable2 --allusers --starttime 2026-11-20 \\%n"
            + "    --format JobID,JobName,User,UID,State,ExitCode,Submit,Start,End,SubmitLine > jobs.txt%n"
            + "  graphmeta load sacct --db graph jobs.txt%n"
      })
  int sacct(
      @Mixin DatabaseOption db,
      @Parameters(paramLabel = "FILE", description = "The text.") Path file,
      @Option(
              names = "--zone",
              paramLabel = "ZONE",
              description = "Time zone of the text, such as Europe/Berlin. Default: UTC.")
          @Nullable ZoneId zone,
      @Option(names = "--json", description = "The summary as one JSON object.") boolean json)
      throws IOException {
    CommandLine line = subcommand("sacct");
    SacctOptions options = SacctOptions.defaults().withZone(zone == null ? ZoneOffset.UTC : zone);
    Summary summary = new Summary("jobs", 0);
    try (SacctReader reader = SacctReader.open(file, options);
        GraphDatabase database = db.openOrCreate();
        Terminal.Progress progress =
            Terminal.detect().progress(line.getErr(), "Loading lines", 0)) {
      SacctIngest ingest = new SacctIngest(database);
      List<SacctRecord> batch = new ArrayList<>();
      long lines = 0;
      boolean more = true;
      while (more) {
        try {
          Optional<SacctRecord> next = reader.next();
          next.ifPresent(batch::add);
          more = next.isPresent();
        } catch (SacctFormatException e) {
          summary.fail(line.getErr(), e);
        }
        if (batch.size() >= SacctIngest.BATCH_RECORDS || !more) {
          summary.result = summary.result.plus(ingest.load(batch));
          batch.clear();
        }
        progress.update(++lines);
      }
    }
    return summary.print(line.getOut(), json);
  }

  private CommandLine subcommand(String name) {
    return java.util.Objects.requireNonNull(spec.subcommands().get(name));
  }

  /** What a load came to. */
  private static final class Summary {
    private final String things;
    private final int total;
    private LoadResult result = LoadResult.NONE;
    private int failed;

    Summary(String things, int total) {
      this.things = things;
      this.total = total;
    }

    void fail(PrintWriter err, IOException e) {
      failed++;
      Failures.report(err, e);
    }

    int print(PrintWriter out, boolean json) {
      if (json) {
        new JsonLines.Line()
            .put("loaded", result.loaded())
            .put("unchanged", result.unchanged())
            .put("failed", failed)
            .put("vertices", result.vertices())
            .put("edges", result.edges())
            .print(out);
      } else {
        out.printf(
            Locale.ROOT,
            "%,d %s: %,d loaded, %,d there already, %,d failed; %,d vertices and %,d edges added%n",
            total == 0 ? result.loaded() + result.unchanged() + failed : total,
            things,
            result.loaded(),
            result.unchanged(),
            failed,
            result.vertices(),
            result.edges());
      }
      return failed == 0 ? 0 : 1;
    }
  }
}
