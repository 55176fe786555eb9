package io.graphmeta.server.cli.pages;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints what a shell needs to complete the words of this command, as picocli's model has them. */
@Command(
    name = "completion",
    description =
        "Prints the completion of this command for a shell, to be read when the shell starts.",
    footer = {
      "%nExamples:%n  echo 'source <(graphmeta completion bash)' >> ~/.bashrc%n"
          + "  graphmeta completion zsh > ~/.zfunc/_graphmeta%n"
    })
public final class CompletionCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  private Shell shell = Shell.BASH;

  /** A shell that completes words. */
  enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    String script =
        shell == Shell.BASH
            ? AutoComplete.bash(root.getCommandName(), root)
            : ZshCompletion.of(root.getCommandSpec());
    spec.commandLine().getOut().print(script);
    return 0;
  }
}
