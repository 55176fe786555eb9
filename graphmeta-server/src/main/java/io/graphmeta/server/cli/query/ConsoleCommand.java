package io.graphmeta.server.cli.query;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.cli.connection.NewGraphOptions;
import io.graphmeta.server.cli.demo.SampleCampaign;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.console.ConsoleSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts the Gremlin Console on a graph. */
@Command(
    name = "console",
    description = {
      "Starts TinkerPop's Gremlin Console with g bound to a database (--db; created if it is not there), to a running server (--connect), or else to the"
          + " sample campaign in memory. asOf(g, time), knownAt(g, time) and ago('90m') are imported."
    },
    footer = {
      "%nExamples:%n  graphmeta console%n  graphmeta console --db graph%n"
          + "  graphmeta console --connect localhost:8182%n  graphmeta console --db graph -e report.groovy 2026-11%n"
    })
public final class ConsoleCommand implements Callable<Integer> {
  private static final String HOME = "graphmeta.home";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NewGraphOptions named = new NewGraphOptions();

  @Option(
      names = {"-e", "--execute"},
      paramLabel = "FILE",
      description = "Run a Groovy script with the arguments that follow, and end.")
  private @Nullable Path execute;

  @Option(
      names = {"-i", "--interactive"},
      paramLabel = "FILE",
      description = "Run a Groovy script with the arguments that follow, and stay open.")
  private @Nullable Path interactive;

  @Option(names = "--no-color", description = "Do not colour the output.")
  private boolean noColor;

  @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "Arguments of the script.")
  private List<String> scriptArguments = List.of();

  @Override
  public Integer call() throws IOException {
    ConsoleSession.Options options = options();
    PrintWriter out = spec.commandLine().getOut();
    String given = named.given();
    if (given == null) {
      startWithSample(out, options);
      return 0;
    }
    return named.openOrCreate(
        database -> {
          greet(out, "graph and g are bound to " + given);
          return start(database, options);
        },
        server -> {
          greet(out, "g reads from and writes to the server at " + given);
          return start(Map.of("g", server.source()), options, server::close);
        });
  }

  private void startWithSample(PrintWriter out, ConsoleSession.Options options) throws IOException {
    SampleCampaign sample = SampleCampaign.find();
    GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
    sample.load(database, Terminal.detect(), spec.commandLine().getErr());
    greet(
        out,
        "graph and g are bound to the sample campaign, in memory: changes end with the console");
    start(database, options);
  }

  private static int start(GraphDatabase database, ConsoleSession.Options options) {
    GraphMetaGraph graph = GraphMetaGraph.over(database);
    return start(
        Map.of("graph", graph, "g", graph.traversal()),
        options,
        () -> {
          graph.close();
          database.close();
        });
  }

  private void greet(PrintWriter out, String line) {
    if (execute == null) {
      out.println(line);
      out.flush();
    }
  }

  private static int start(
      Map<String, Object> variables, ConsoleSession.Options options, Runnable closing) {
    String home = System.getProperty(HOME, ".");
    ConsoleSession.run(variables, Path.of(home, "ext").toString(), options, closing);
    return 0;
  }

  private ConsoleSession.Options options() {
    if (execute != null && interactive != null) {
      throw usage("Options -e and -i exclude each other; give one of them");
    }
    Path script = execute != null ? execute : interactive;
    if (script == null && !scriptArguments.isEmpty()) {
      throw usage("Arguments " + scriptArguments + " without a script; give it with -e or -i");
    }
    List<String> call = new ArrayList<>();
    if (script != null) {
      call.add(script.toAbsolutePath().toString());
      call.addAll(scriptArguments);
    }
    return new ConsoleSession.Options(call, execute == null, !noColor && System.console() != null);
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
