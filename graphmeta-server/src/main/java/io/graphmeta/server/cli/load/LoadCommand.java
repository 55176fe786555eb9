package io.graphmeta.server.cli.load;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.ingest.ArrivingLogs;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctFormatException;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
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
    description =
        "Loads logs and accounting into a database, which is made if it is not there, or through a running server.",
    subcommands = {
      LoadSlurmCommand.class,
      LoadAccountingCommands.Pbs.class,
      LoadAccountingCommands.Lsf.class,
      TraceSource.OpenLineage.class,
      TraceSource.Prov.class
    },
    synopsisSubcommandLabel = "SOURCE")
public final class LoadCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "Missing the source; expected one of " + String.join(", ", spec.subcommands().keySet()));
  }

  @Command(
      name = "darshan",
      description = {
        "Loads binary Darshan logs. A log that is loaded already changes nothing; a damaged one is named and passed over,"
            + " and the exit code is 1 then."
      },
      footer = {
        "%nExamples:%n  graphmeta load darshan --db graph logs/ more/run.darshan%n"
            + "  graphmeta load darshan --connect localhost:8182 logs/%n"
      })
  int darshan(
      @Mixin NewGraphOptions target,
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
      @Option(
              names = "--follow",
              description =
                  "Go on: load logs as they come below the directories, until the process is ended.")
          boolean follow,
      @Option(
              names = "--interval",
              paramLabel = "SECONDS",
              defaultValue = "30",
              description = "With --follow: how often to look. Default: ${DEFAULT-VALUE}.")
          int interval,
      @Option(names = "--json", description = "The summary as one JSON object.") boolean json)
      throws IOException {
    if (follow) {
      if (interval < 1) {
        throw new CommandLine.ParameterException(
            subcommand("darshan"), "--interval " + interval + "; expected seconds, 1 or more");
      }
      return new FollowedLogs(target, subcommand("darshan"), granularity, json)
          .follow(new ArrivingLogs(paths, Clock.systemUTC()), interval);
    }
    List<Path> logs = DarshanIngest.logs(paths);
    if (logs.isEmpty()) {
      throw GraphMetaException.invalid(
          "No *.darshan, *.darshan.gz or *.darshan.bz2 below "
              + paths
              + "; expected logs, or directories that hold some");
    }
    try (Loading loading =
        Loading.into(target, subcommand("darshan"), "Loading logs", logs.size())) {
      for (Path log : logs) {
        try {
          loading.add(log.toString(), DarshanIngest.read(log, granularity));
        } catch (IOException e) {
          loading.fail(e);
        }
        loading.step();
      }
      return loading.finish(logs.size() == 1 ? "log" : "logs", logs.size(), json);
    }
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
      @Mixin NewGraphOptions target,
      @Parameters(paramLabel = "FILE", description = "The text.") Path file,
      @Option(
              names = "--zone",
              paramLabel = "ZONE",
              description = "Time zone of the text, such as Europe/Berlin. Default: UTC.")
          @Nullable ZoneId zone,
      @Option(names = "--json", description = "The summary as one JSON object.") boolean json)
      throws IOException {
    SacctOptions options = SacctOptions.defaults().withZone(zone == null ? ZoneOffset.UTC : zone);
    try (SacctReader reader = SacctReader.open(file, options);
        Loading loading = Loading.into(target, subcommand("sacct"), "Loading lines", 0)) {
      boolean more = true;
      while (more) {
        try {
          Optional<SacctRecord> next = reader.next();
          next.flatMap(SacctIngest::account)
              .ifPresent(account -> loading.add(file + ": job " + account.number(), account));
          more = next.isPresent();
        } catch (SacctFormatException e) {
          loading.fail(e);
        }
        loading.step();
      }
      return loading.finish("jobs", 0, json);
    }
  }

  private CommandLine subcommand(String name) {
    return java.util.Objects.requireNonNull(spec.subcommands().get(name));
  }
}
