package io.graphmeta.server.cli.lineage;

import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.server.export.ExportFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How far a question on lineage goes, and in what form it is answered. */
final class LineageOptions {
  private static final String TEXT = "text";
  private static final String JSON = "json";

  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description =
          "Steps to go: from a file to its writer is one, from there to what that read another.")
  private int depth = LineageLimits.DEFAULT.maxDepth();

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Most elements in the answer. Default: ${DEFAULT-VALUE}.")
  private int limit = LineageLimits.DEFAULT.maxElements();

  @Option(
      names = "--format",
      paramLabel = "FORM",
      completionCandidates = Forms.class,
      description =
          "One of ${COMPLETION-CANDIDATES}: a tree, one JSON object a line with the fields of the service in the form"
              + " 'graph', or a document for other tools. Default: text.")
  private @Nullable String format;

  @Option(names = "--json", description = "Short for --format json.")
  private boolean json;

  @Option(
      names = "--svg",
      paramLabel = "OUT",
      description =
          "Draws a picture into this file: inputs left, outputs right, and what plays the same part in one box.")
  private @Nullable Path svg;

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "Most boxes of the picture, and lines of the tree. Default: ${DEFAULT-VALUE}.")
  private int budget = Folding.DEFAULT_BUDGET;

  /** The parameters of the service. */
  void put(Map<String, @Nullable Object> parameters) {
    form();
    folding();
    parameters.put("depth", depth);
    parameters.put("limit", limit);
  }

  /** The file that a picture is drawn into; null if none is. */
  @Nullable Path svg() {
    return svg;
  }

  /** How the picture and the tree are folded. */
  Folding folding() {
    return new Folding(budget);
  }

  boolean isJson() {
    return form().equals(JSON);
  }

  /** The form for other tools; null if it is none of these. */
  @Nullable ExportFormat export() {
    for (ExportFormat export : ExportFormat.values()) {
      if (name(export).equals(form())) {
        return export;
      }
    }
    return null;
  }

  private String form() {
    String form = format == null ? json ? JSON : TEXT : format.toLowerCase(Locale.ROOT);
    if (json && !form.equals(JSON)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "Options --json and --format " + form + " exclude each other");
    }
    if (svg != null && (format != null || json)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "Options --svg and --format or --json exclude each other");
    }
    if (svg != null && Files.isDirectory(svg)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--svg " + svg + " is a directory; expected the name of a file");
    }
    if (!names().contains(form)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "Invalid value for option '--format': '"
              + form
              + "'; expected one of "
              + String.join(", ", names()));
    }
    return form;
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(List.of(TEXT, JSON));
    for (ExportFormat export : ExportFormat.values()) {
      names.add(name(export));
    }
    return names;
  }

  private static String name(ExportFormat export) {
    return export.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What the option takes, for the help and for shells. */
  static final class Forms implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }
}
