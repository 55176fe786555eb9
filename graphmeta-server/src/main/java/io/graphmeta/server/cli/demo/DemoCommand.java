package io.graphmeta.server.cli.demo;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cli.connection.ClusterOption;
import io.graphmeta.server.cli.connection.NewDatabaseOption;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.cli.server.ServedDatabase;
import io.graphmeta.server.cli.server.StopSignal;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Loads the sample campaign and asks it questions. */
@Command(
    name = "demo",
    description = {
      "Loads the sample campaign that comes with the distribution and answers questions about it, each with the Gremlin that"
          + " answers it too. With --db the database is kept, to be asked more; else it is removed at the end."
    },
    footer = {
      "%nExamples:%n  graphmeta demo%n  graphmeta demo --serve%n  graphmeta demo --db graph && graphmeta status --db graph%n"
    })
public final class DemoCommand implements Callable<Integer> {
  static final int NODES = 3;
  private static final int SHARDS = 8;
  private static final String CLUSTER = "--cluster";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NewDatabaseOption db = new NewDatabaseOption();
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--serve",
      description =
          "Serves the sample after that, read-only and without a log-in, to Gremlin clients and browsers of this machine,"
              + " until it is stopped; then it is removed.")
  private boolean serve;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "With --serve: port to listen on; 0 takes a free one. Default: 8182.")
  private @Nullable Integer port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    CommandLine line = spec.commandLine();
    if (!serve && port != null) {
      throw new CommandLine.ParameterException(line, "Option --port is for --serve");
    }
    if (serve && (db.isGiven() || cluster.isGiven())) {
      throw new CommandLine.ParameterException(
          line,
          "Options --serve and --db or --cluster exclude each other; to keep the sample and serve it, run 'graphmeta demo"
              + " --db DIR' and 'graphmeta server --db DIR'");
    }
    SampleCampaign sample = SampleCampaign.find();
    if (cluster.isWithoutName()) {
      onProcesses(line, sample);
      return 0;
    }
    GraphMetaConfig asked = cluster.config(db.isGiven());
    if (asked != null) {
      try (GraphDatabase database = GraphDatabases.open(asked)) {
        demonstrate(line, sample, database);
      }
      askOn(line, "--cluster " + asked.get(Setting.CLUSTER));
      return 0;
    }
    if (serve) {
      serve(line, sample);
      return 0;
    }
    Path given = db.directory();
    Path directory = given != null ? given : Files.createTempDirectory("graphmeta-demo");
    try {
      try (GraphDatabase database =
          db.openOrCreate(directory, config -> config.with(Setting.DURABILITY, "background"))) {
        demonstrate(line, sample, database);
      }
      if (given != null) {
        askOn(line, "--db " + given);
      } else {
        line.getOut().println("Keep the database to ask on: graphmeta demo --db DIR");
      }
    } finally {
      if (given == null) {
        delete(directory);
      }
    }
    return 0;
  }

  /** Whoever is on this machine may read the sample, which is public, and nobody may change it. */
  private void serve(CommandLine line, SampleCampaign sample)
      throws IOException, InterruptedException {
    ServerSettings settings =
        ServerSettings.defaults()
            .with(ServerSetting.ADMIN_PORT, -1)
            .with(ServerSetting.LOG_IN, "none")
            .with(ServerSetting.READ_ONLY, true)
            .with(ServerSetting.AUDIT_FILE, "none");
    if (port != null) {
      settings = settings.with(ServerSetting.PORT, port);
    }
    Path directory = Files.createTempDirectory("graphmeta-demo");
    try (StopSignal signal = new StopSignal()) {
      try (GraphDatabase database =
          db.openOrCreate(directory, config -> config.with(Setting.DURABILITY, "background"))) {
        demonstrate(line, sample, database);
        ServedDatabase.serve(database, settings, line.getOut(), signal);
      } finally {
        delete(directory);
      }
    }
  }

  /** On a cluster that is there for as long as this. */
  private void onProcesses(CommandLine line, SampleCampaign sample) throws IOException {
    if (db.isGiven()) {
      throw new CommandLine.ParameterException(
          line, "Options --cluster and --db exclude each other; give one of them");
    }
    Path directory = Files.createTempDirectory("graphmeta-demo");
    try (LocalCluster processes =
            LocalCluster.start(
                directory,
                new LocalCluster.Shape(NODES, SHARDS, 1),
                List.of("-Xmx512m"),
                List.of("graphmeta.durability=background"));
        GraphDatabase database = GraphDatabases.open(processes.config())) {
      line.getOut()
          .println(
              "On "
                  + SHARDS
                  + " shards of "
                  + NODES
                  + " nodes, which are processes on this machine");
      demonstrate(line, sample, database);
      line.getOut().println("Keep such a cluster to ask on: graphmeta cluster try --dir DIR");
    } finally {
      delete(directory);
    }
  }

  private static void demonstrate(CommandLine line, SampleCampaign sample, GraphDatabase database)
      throws IOException {
    PrintWriter out = line.getOut();
    Terminal terminal = Terminal.detect();
    LoadResult result = sample.load(database, terminal, line.getErr());
    out.println(
        terminal.bold("A campaign of three users on a small centre: Darshan logs and accounting"));
    out.printf(
        Locale.ROOT,
        "%,d logs and jobs loaded, %,d there already: %,d vertices and %,d edges added%n",
        result.loaded(),
        result.unchanged(),
        result.vertices(),
        result.edges());
    Demonstration.run(database, out, terminal);
    out.println();
  }

  private static void askOn(CommandLine line, String graph) {
    line.getOut().println("Ask on: graphmeta query " + graph + " \"g.V().groupCount().by(label)\"");
  }

  /** Removes a directory with all in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Lets {@code --cluster} be given without a name, in this command alone. */
  public static void completeOptions(CommandLine.Model.CommandSpec demo) {
    CommandLine.Model.OptionSpec named = demo.findOption(CLUSTER);
    demo.remove(named);
    demo.addOption(
        CommandLine.Model.OptionSpec.builder(named)
            .arity("0..1")
            .fallbackValue(ClusterOption.WITHOUT_NAME)
            .build());
  }
}
