package io.graphmeta.server.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code graphmeta} command. Its sub-commands do the work. */
@Command(
    name = "graphmeta",
    description = "A versioned property graph for the rich metadata of HPC centres.",
    mixinStandardHelpOptions = true,
    versionProvider = GraphMetaCommand.ManifestVersion.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed; the message on standard error says why and what to do",
      "2:the command line is not understood",
      "70:no Java of version 17 or newer was found"
    })
public final class GraphMetaCommand implements Runnable {
  @Spec private CommandSpec spec;

  private GraphMetaCommand() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new GraphMetaCommand()).execute(arguments));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command");
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
