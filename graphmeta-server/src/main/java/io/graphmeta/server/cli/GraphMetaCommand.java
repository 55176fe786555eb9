package io.graphmeta.server.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
    subcommands = {
      DemoCommand.class,
      LoadCommand.class,
      QueryCommand.class,
      ConsoleCommand.class,
      LineageCommand.class,
      ImpactCommand.class,
      HistoryCommand.class,
      DiffCommand.class,
      TopCommand.class,
      ReportCommand.class,
      StatusCommand.class,
      CheckCommand.class,
      ServerCommand.class,
      TokenCommand.class,
      UserCommand.class,
      ClassArchiveCommand.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed, or done in part; the message on standard error says why and what to do",
      "2:the command line is not understood",
      "70:no Java of version 17 or newer was found"
    })
public final class GraphMetaCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "With an error, show where in the program it came from.")
  private boolean verbose;

  private GraphMetaCommand() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(execute(out, err, arguments));
  }

  /** Runs the command and returns its exit code. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    GraphMetaCommand command = new GraphMetaCommand();
    CommandLine line = new CommandLine(command);
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

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "Missing command; expected demo, load, query, server, user, console, lineage, impact, history, diff, top, report,"
            + " status or check");
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
