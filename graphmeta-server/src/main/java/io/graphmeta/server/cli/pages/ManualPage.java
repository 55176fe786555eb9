package io.graphmeta.server.cli.pages;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** One command as a page of the manual, in the language of man(7). */
final class ManualPage {
  private final StringBuilder page = new StringBuilder();
  private final CommandSpec command;
  private final String name;

  private ManualPage(CommandSpec command) {
    this.command = command;
    this.name = command.qualifiedName().replace(' ', '-');
  }

  static String of(CommandSpec command) {
    return new ManualPage(command).written();
  }

  private String written() {
    String description = plain(command.usageMessage().description());
    page.append(".TH \"")
        .append(name.toUpperCase(Locale.ROOT))
        .append("\" \"1\" \"\" \"GraphMeta\" \"GraphMeta\"\n");
    page.append(".nh\n.ad l\n");
    section("NAME", name.replace("-", "\\-") + " \\- " + text(firstSentence(description)));
    section("SYNOPSIS", text(synopsis()));
    section("DESCRIPTION", text(description));
    parameters();
    options();
    commands();
    examples();
    exitCodes();
    seeAlso();
    return page.toString();
  }

  private void section(String title, String content) {
    page.append(".SH ").append(title).append('\n').append(content).append('\n');
  }

  private String synopsis() {
    return plain(command.commandLine().getUsageMessage(Ansi.OFF).split("\n\\S", 2)[0])
        .replaceFirst("^Usage:\\s*", "");
  }

  private void parameters() {
    List<PositionalParamSpec> parameters =
        command.positionalParameters().stream().filter(each -> !each.hidden()).toList();
    if (!parameters.isEmpty()) {
      page.append(".SH ARGUMENTS\n");
      parameters.forEach(each -> item(italic(each.paramLabel()), each.description()));
    }
  }

  private void options() {
    page.append(".SH OPTIONS\n");
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        String names = bold(String.join(", ", option.names()));
        boolean takes = option.arity().max() > 0;
        item(takes ? names + " " + italic(option.paramLabel()) : names, option.description());
      }
    }
  }

  private void commands() {
    if (command.subcommands().isEmpty()) {
      return;
    }
    page.append(".SH COMMANDS\n");
    for (Map.Entry<String, CommandLine> each : command.subcommands().entrySet()) {
      CommandSpec spec = each.getValue().getCommandSpec();
      if (!spec.usageMessage().hidden()) {
        item(bold(name + "-" + each.getKey()) + "(1)", spec.usageMessage().description());
      }
    }
  }

  private void examples() {
    String footer = String.format(String.join("\n", command.usageMessage().footer())).strip();
    if (footer.isEmpty()) {
      return;
    }
    page.append(".SH EXAMPLES\n.nf\n");
    footer.lines().skip(1).forEach(line -> page.append(text(line)).append('\n'));
    page.append(".fi\n");
  }

  private void exitCodes() {
    Map<String, String> codes = command.root().usageMessage().exitCodeList();
    page.append(".SH EXIT STATUS\n");
    codes.forEach((code, meaning) -> item(bold(code), meaning));
  }

  private void seeAlso() {
    if (command.parent() != null) {
      String parent = command.parent().qualifiedName().replace(' ', '-');
      section("SEE ALSO", bold(parent) + "(1)");
    }
  }

  private void item(String term, String... description) {
    page.append(".TP\n").append(term).append('\n').append(text(plain(description))).append('\n');
  }

  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    return end < 0 ? text.replaceFirst("\\.$", "") : text.substring(0, end);
  }

  private static String plain(String... lines) {
    return String.format(String.join(" ", lines)).strip().replaceAll("\\s+", " ");
  }

  private static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fP";
  }

  private static String italic(String text) {
    return "\\fI" + escaped(text) + "\\fP";
  }

  /** Text that holds no request: a line that begins with a dot or an apostrophe would be one. */
  private static String text(String text) {
    String escaped = escaped(text);
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\u2026", "\\[u2026]");
  }
}
