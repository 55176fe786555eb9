package io.graphmeta.server.cli;

import static java.util.stream.Collectors.joining;

import io.graphmeta.server.cli.backup.BackupCommand;
import io.graphmeta.server.cli.backup.RestoreCommand;
import io.graphmeta.server.cli.cluster.ClusterCommand;
import io.graphmeta.server.cli.cluster.NodeCommand;
import io.graphmeta.server.cli.demo.DemoCommand;
import io.graphmeta.server.cli.health.CheckCommand;
import io.graphmeta.server.cli.health.StatusCommand;
import io.graphmeta.server.cli.index.IndexCommand;
import io.graphmeta.server.cli.index.SearchCommand;
import io.graphmeta.server.cli.lineage.DiffCommand;
import io.graphmeta.server.cli.lineage.HistoryCommand;
import io.graphmeta.server.cli.lineage.ImpactCommand;
import io.graphmeta.server.cli.lineage.LineageCommand;
import io.graphmeta.server.cli.load.LoadCommand;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.StandardOutput;
import io.graphmeta.server.cli.pages.CompletionCommand;
import io.graphmeta.server.cli.pages.ManualCommand;
import io.graphmeta.server.cli.query.ConsoleCommand;
import io.graphmeta.server.cli.query.QueryCommand;
import io.graphmeta.server.cli.report.ReportCommand;
import io.graphmeta.server.cli.report.TopCommand;
import io.graphmeta.server.cli.retention.ArchiveCommand;
import io.graphmeta.server.cli.retention.RetentionCommand;
import io.graphmeta.server.cli.server.ServerCommand;
import io.graphmeta.server.cli.server.TokenCommand;
import io.graphmeta.server.cli.server.UserCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code graphmeta} command. Its sub-commands do the work. */
@Command(
    name = "graphmeta",
    description = "A versioned property graph for the rich metadata of HPC centres.",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = GraphMetaCommand.ManifestVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed, or done in part; the message on standard error says why and what to do",
      "2:the command line is not understood",
      "70:no Java of version 17 or newer was found",
      "130:interrupted by Ctrl-C; what was done is kept"
    })
public final class GraphMetaCommand implements Runnable {
  /** The sub-commands by their names, in the order of the help. */
  static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  private static final Set<String> NEED_OTHERS = Set.of("class-archive", "completion", "manual");

  static {
    COMMANDS.put("demo", DemoCommand.class);
    COMMANDS.put("load", LoadCommand.class);
    COMMANDS.put("query", QueryCommand.class);
    COMMANDS.put("console", ConsoleCommand.class);
    COMMANDS.put("lineage", LineageCommand.class);
    COMMANDS.put("impact", ImpactCommand.class);
    COMMANDS.put("history", HistoryCommand.class);
    COMMANDS.put("diff", DiffCommand.class);
    COMMANDS.put("top", TopCommand.class);
    COMMANDS.put("report", ReportCommand.class);
    COMMANDS.put("search", SearchCommand.class);
    COMMANDS.put("index", IndexCommand.class);
    COMMANDS.put("status", StatusCommand.class);
    COMMANDS.put("check", CheckCommand.class);
    COMMANDS.put("backup", BackupCommand.class);
    COMMANDS.put("restore", RestoreCommand.class);
    COMMANDS.put("retention", RetentionCommand.class);
    COMMANDS.put("archive", ArchiveCommand.class);
    COMMANDS.put("server", ServerCommand.class);
    COMMANDS.put("cluster", ClusterCommand.class);
    COMMANDS.put("node", NodeCommand.class);
    COMMANDS.put("token", TokenCommand.class);
    COMMANDS.put("user", UserCommand.class);
    COMMANDS.put("completion", CompletionCommand.class);
    COMMANDS.put("class-archive", ClassArchiveCommand.class);
    COMMANDS.put("manual", ManualCommand.class);
  }

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "With an error, show where in the program it came from.")
  private boolean verbose;

  @Option(
      names = {"-q", "--quiet"},
      scope = ScopeType.INHERIT,
      description =
          "Show no progress and no summary of what was loaded; what goes wrong is told all the same.")
  private boolean quiet;

  /** Lucene writes lines about the version of Java, which the platform shows on standard error. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private GraphMetaCommand() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    LUCENE.setLevel(Level.SEVERE);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(execute(new StandardOutput(), err, arguments));
  }

  /** Runs the command and returns its exit code; what standard output does not take is told. */
  static int execute(StandardOutput stream, PrintWriter err, String... arguments) {
    int exitCode = execute(new PrintWriter(stream, false, StandardCharsets.UTF_8), err, arguments);
    stream.report(err);
    return exitCode;
  }

  /** Runs the command and returns its exit code. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    GraphMetaCommand command = new GraphMetaCommand();
    CommandLine line = new CommandLine(command);
    addCommands(line, arguments);
    line.setOut(out);
    line.setErr(err);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler(Failures::usage);
    line.setExecutionExceptionHandler(
        (e, failed, parsed) -> Failures.execution(e, failed, command.verbose));
    int exitCode = line.execute(arguments);
    out.flush();
    err.flush();
    return out.checkError() && exitCode == 0 ? 1 : exitCode;
  }

  /**
   * Adds the sub-command that is called, alone; all of them where none is, for the help and the
   * suggestions, or where it needs the others. To describe a command to picocli takes reflection on
   * all of its options, which for those that are not called is a fifth of the time of a short
   * command.
   */
  private static void addCommands(CommandLine line, String... arguments) {
    String called =
        Arrays.stream(arguments).filter(word -> !word.startsWith("-")).findFirst().orElse("");
    @Nullable Class<?> alone = NEED_OTHERS.contains(called) ? null : COMMANDS.get(called);
    if (alone == null) {
      COMMANDS.forEach(line::addSubcommand);
    } else {
      line.addSubcommand(called, alone);
    }
    CommandLine demo = line.getSubcommands().get("demo");
    if (demo != null) {
      DemoCommand.completeOptions(demo.getCommandSpec());
    }
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "Missing command; expected one of "
            + COMMANDS.keySet().stream()
                .filter(name -> !NEED_OTHERS.contains(name))
                .collect(joining(", ")));
  }

  /** The version that the build wrote into the jar. */
  static final class ManifestVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = GraphMetaCommand.class.getPackage().getImplementationVersion();
      return new String[] {"graphmeta " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
