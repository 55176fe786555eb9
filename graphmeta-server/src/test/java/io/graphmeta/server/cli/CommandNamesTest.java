package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A command is described to picocli alone when it is called, and with all others for the help. */
final class CommandNamesTest {
  @Test
  void eachCommandIsFoundUnderItsName() {
    for (var command : GraphMetaCommand.COMMANDS.entrySet()) {
      assertThat(command.getValue().getAnnotation(picocli.CommandLine.Command.class).name())
          .isEqualTo(command.getKey());
      assertThat(Cli.run(command.getKey(), "--help").out())
          .startsWith("Usage: graphmeta " + command.getKey());
    }
  }

  @Test
  void theHelpAndTheSuggestionsKnowAllCommands() {
    assertThat(Cli.run("--help").out())
        .contains("  history", "  completion")
        .doesNotContain("manual");
    assertThat(Cli.run("histori").err()).contains("history");
    assertThat(Cli.run().exitCode()).isEqualTo(2);
    assertThat(Cli.run("--quiet", "query", "--help").exitCode()).isZero();
  }
}
