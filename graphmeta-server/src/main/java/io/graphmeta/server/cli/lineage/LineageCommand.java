package io.graphmeta.server.cli.lineage;

import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.ViewQuestion;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a file rests on, or what rests on it. */
@Command(
    name = "lineage",
    description = {
      "What a file rests on: its writer, what that had read by then, and so on. With --forward what rests on it.",
      "A program counts as resting on a file only in the versions that it can have read. What the record does not tell for"
          + " certain is marked."
    },
    footer = {
      "%nExamples:%n  graphmeta lineage --db graph /scratch/amira/sweep1/figure.svg%n"
          + "  graphmeta lineage --db graph --forward --as-of 2026-11-21T00:35:30Z /proj/hx01/config/model.cfg%n"
          + "  graphmeta lineage --db graph --format dot /scratch/amira/sweep1/figure.svg | dot -Tsvg > lineage.svg%n"
          + "  graphmeta lineage --db graph --svg figure-rests-on.svg /scratch/amira/sweep1/figure.svg%n"
    })
public final class LineageCommand extends ViewQuestion {
  /** Columns of text for people. */
  static final int WIDTH = 100;

  @Mixin private LineageOptions options = new LineageOptions();

  @Parameters(
      paramLabel = "FILE",
      description = "The path of a file; the id of a process or job does too.")
  private String id = "";

  @Option(
      names = "--forward",
      description =
          "What rests on the file: on the version that was the newest at --as-of, up to now.")
  private boolean forward;

  @Override
  public Integer call() throws IOException {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    parameters.put("id", id);
    options.put(parameters);
    parameters.put("direction", forward ? "forward" : "backward");
    parameters.put("at", forward ? view.asOfText() : null);
    try (AskedGraph graph = open()) {
      LineageAnswer.of(graph, forward ? view.withoutAsOf() : view, "graphmeta.lineage", parameters)
          .print(spec.commandLine(), forward, options);
    }
    return 0;
  }
}
