package io.graphmeta.server.cli.demo;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.NewDatabaseOption;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Loads the sample campaign and asks it questions. */
@Command(
    name = "demo",
    description = {
      "Loads the sample campaign that comes with the distribution and answers questions about it, each with the Gremlin that"
          + " answers it too. With --db the database is kept, to be asked more; else it is removed at the end."
    },
    footer = {
      "%nExamples:%n  graphmeta demo%n  graphmeta demo --db graph && graphmeta status --db graph%n"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String HOME = "graphmeta.home";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NewDatabaseOption db = new NewDatabaseOption();

  @Override
  public Integer call() throws IOException {
    CommandLine line = spec.commandLine();
    Path sample = sample();
    Path given = db.directory();
    Path directory = given != null ? given : Files.createTempDirectory("graphmeta-demo");
    try {
      demonstrate(line, sample, directory, given != null);
    } finally {
      if (given == null) {
        delete(directory);
      }
    }
    return 0;
  }

  /** The sample of the distribution. */
  public static Path sample() {
    String home = System.getProperty(HOME);
    Path sample = Path.of(home == null ? "." : home, "sample", "campaign");
    if (!Files.isDirectory(sample)) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There is no sample at "
              + sample.toAbsolutePath()
              + "; run bin/graphmeta of the distribution, which brings it along");
    }
    return sample;
  }

  private void demonstrate(CommandLine line, Path sample, Path directory, boolean kept)
      throws IOException {
    PrintWriter out = line.getOut();
    Terminal terminal = Terminal.detect();
    try (GraphDatabase database =
        db.openOrCreate(directory, config -> config.with(Setting.DURABILITY, "background"))) {
      LoadResult result = load(database, sample, terminal, line.getErr());
      out.println(
          terminal.bold(
              "A campaign of three users on a small centre: Darshan logs and accounting"));
      out.printf(
          Locale.ROOT,
          "%,d logs and jobs loaded, %,d there already: %,d vertices and %,d edges added%n",
          result.loaded(),
          result.unchanged(),
          result.vertices(),
          result.edges());
      Demonstration.run(database, out, terminal);
    }
    out.println();
    if (kept) {
      out.println(
          "Ask on: graphmeta query --db " + directory + " \"g.V().groupCount().by(label)\"");
    } else {
      out.println("Keep the database to ask on: graphmeta demo --db DIR");
    }
  }

  /** Loads the sample; what is there already stays as it is. */
  public static LoadResult load(
      GraphDatabase database, Path sample, Terminal terminal, PrintWriter err) throws IOException {
    LoadResult result = LoadResult.NONE;
    List<Path> logs =
        DarshanIngest.logs(List.of(sample.resolve("logs"), sample.resolve("logs_partial")));
    DarshanIngest ingest = new DarshanIngest(database, ProcessGranularity.JOB);
    try (Progress progress = terminal.progress(err, "Loading logs", logs.size())) {
      for (int i = 0; i < logs.size(); i++) {
        result = result.plus(ingest.load(logs.get(i)));
        progress.update(i + 1);
      }
    }
    List<SacctRecord> jobs = new ArrayList<>();
    try (SacctReader reader =
        SacctReader.open(sample.resolve("sacct.txt"), SacctOptions.defaults())) {
      for (Optional<SacctRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
        jobs.add(next.get());
      }
    }
    return result.plus(new SacctIngest(database).load(jobs));
  }

  /** Removes a directory with all in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
