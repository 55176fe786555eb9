package io.graphmeta.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** A command is described to picocli alone when it is called, and with all others for the help. */
final class CommandNamesTest {
  @Test
  void eachCommandIsFoundUnderItsName() {
    for (var command : GraphMetaCommand.COMMANDS.entrySet()) {
      assertThat(command.getValue().getAnnotation(CommandLine.Command.class).name())
          .isEqualTo(command.getKey());
      assertThat(Cli.run(command.getKey(), "--help").out())
          .startsWith("Usage: graphmeta " + command.getKey());
    }
  }

  /** Who adds a command and forgets the list adds none. */
  @Test
  void noCommandIsForgotten() throws Exception {
    Set<Class<?>> listed = new HashSet<>(GraphMetaCommand.COMMANDS.values());
    listed.add(GraphMetaCommand.class);
    for (Class<?> command : GraphMetaCommand.COMMANDS.values()) {
      listed.addAll(List.of(command.getAnnotation(CommandLine.Command.class).subcommands()));
    }
    Path classes =
        Path.of(GraphMetaCommand.class.getResource("GraphMetaCommand.class").toURI()).getParent();
    Set<Class<?>> commands = new HashSet<>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String name =
            classes.relativize(file).toString().replace('/', '.').replaceFirst("\\.class$", "");
        Class<?> each =
            Class.forName(
                GraphMetaCommand.class.getPackageName() + "." + name,
                false,
                GraphMetaCommand.class.getClassLoader());
        if (each.isAnnotationPresent(CommandLine.Command.class)) {
          commands.add(each);
        }
      }
    }
    assertThat(commands).hasSizeGreaterThan(20).isEqualTo(listed);
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
