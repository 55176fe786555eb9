package io.graphmeta.server.cli.pages;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * A completion function for zsh, of its own kind: it shows what each word is for, which a script
 * for bash that zsh emulates does not. There is one shell function for each command.
 */
final class ZshCompletion {
  private static final int DESCRIPTION_CHARS = 70;

  private final StringBuilder script = new StringBuilder();

  private ZshCompletion() {}

  static String of(CommandSpec root) {
    ZshCompletion completion = new ZshCompletion();
    completion.script.append("#compdef ").append(root.name()).append("\n\n");
    completion.function(root);
    // Read by compinit the file is the function itself; read by a shell it is registered.
    completion
        .script
        .append("if [[ $funcstack[1] == _%1$s ]]; then\n".formatted(root.name()))
        .append("  _%1$s \"$@\"\nelse\n  compdef _%1$s %1$s\nfi\n".formatted(root.name()));
    return completion.script.toString();
  }

  private static String function(String qualified) {
    return "_" + qualified.replaceAll("[ -]", "_");
  }

  private static List<CommandSpec> commands(CommandSpec spec) {
    return spec.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .filter(command -> !command.usageMessage().hidden())
        .toList();
  }

  private void function(CommandSpec spec) {
    List<CommandSpec> commands = commands(spec);
    commands.forEach(this::function);
    List<String> specs = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      if (!option.hidden()) {
        specs.addAll(option(option));
      }
    }
    if (commands.isEmpty()) {
      for (PositionalParamSpec parameter : spec.positionalParameters()) {
        specs.add(quoted("*:" + label(parameter) + ":" + action(parameter)));
      }
    } else {
      specs.add("'1: :->command'");
      specs.add("'*:: :->rest'");
    }
    script.append(function(spec.qualifiedName())).append("() {\n");
    script.append("  local curcontext=\"$curcontext\" state line\n");
    script.append("  typeset -A opt_args\n");
    script.append("  _arguments -C \\\n    ").append(String.join(" \\\n    ", specs)).append("\n");
    if (!commands.isEmpty()) {
      choice(spec, commands);
    }
    script.append("}\n\n");
  }

  private void choice(CommandSpec spec, List<CommandSpec> commands) {
    script.append("  case $state in\n    command)\n      local -a commands=(\n");
    for (CommandSpec command : commands) {
      String does = shortened(String.join(" ", command.usageMessage().description()));
      script.append("        ").append(quoted(command.name() + ":" + does)).append("\n");
    }
    script.append(
        "      )\n      _describe command commands ;;\n    rest)\n      case $line[1] in\n");
    for (CommandSpec command : commands) {
      String called = function(spec.qualifiedName() + " " + command.name());
      script.append("        %s) %s ;;\n".formatted(command.name(), called));
    }
    script.append("      esac ;;\n  esac\n");
  }

  private static List<String> option(OptionSpec option) {
    String does = "[" + escaped(shortened(String.join(" ", option.description()))) + "]";
    String value = option.arity().max() == 0 ? "" : ":" + label(option) + ":" + action(option);
    List<String> specs = new ArrayList<>();
    for (String name : option.names()) {
      boolean joined = !value.isEmpty() && name.startsWith("--");
      String exclusive = "(" + String.join(" ", option.names()) + ")";
      specs.add(quoted(exclusive + name + (joined ? "=" : "") + does + value));
    }
    return specs;
  }

  private static String label(ArgSpec argument) {
    return escaped(argument.paramLabel().replaceAll("[<>\\[\\]]", ""));
  }

  /** How a value is completed: one of several words, a directory, a file, or not at all. */
  private static String action(ArgSpec argument) {
    @Nullable Iterable<String> candidates = argument.completionCandidates();
    if (candidates != null) {
      return StreamSupport.stream(candidates.spliterator(), false)
          .map(each -> each.toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(" ", "(", ")"));
    }
    if (argument.paramLabel().equals("DIR")) {
      return "_directories";
    }
    boolean isFile =
        argument.auxiliaryTypes()[0] == Path.class || argument.paramLabel().equals("FILE");
    return isFile ? "_files" : " ";
  }

  /** The first sentence of a description, or its beginning. */
  private static String shortened(String description) {
    String plain = String.format(description).replaceAll("\\s+", " ");
    int end = plain.indexOf(". ");
    String first = end < 0 ? plain.replaceFirst("\\.$", "") : plain.substring(0, end);
    return first.length() <= DESCRIPTION_CHARS
        ? first
        : first.substring(0, DESCRIPTION_CHARS - 1) + "…";
  }

  private static String escaped(String text) {
    return text.replaceAll("([\\[\\]:\\\\])", "\\\\$1");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
