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

/** What is affected by one version of a file. */
@Command(
    name = "impact",
    description = {
      "What is affected by one version of a file: the programs that met it, what they wrote after that, and so on."
          + " The newest version, unless --at or --file-version names another."
    },
    footer = {
      "%nExamples:%n  graphmeta impact --db graph /proj/hx01/config/model.cfg%n"
          + "  graphmeta impact --db graph --at 2026-11-21T00:35:30Z /proj/hx01/config/model.cfg%n"
    })
public final class ImpactCommand extends ViewQuestion {
  @Mixin private LineageOptions options = new LineageOptions();

  @Parameters(paramLabel = "FILE", description = "The path of a file.")
  private String id = "";

  @Option(
      names = "--at",
      paramLabel = "T",
      description = "From the version that was the newest at T.")
  private @Nullable String at;

  @Option(
      names = "--file-version",
      paramLabel = "T",
      description =
          "From exactly this version, as 'history' tells it, or 'initial' for what was there before the first write.")
  private @Nullable String version;

  @Override
  public Integer call() throws IOException {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    parameters.put("id", id);
    parameters.put("at", at);
    parameters.put("version", version);
    options.put(parameters);
    try (AskedGraph graph = open()) {
      LineageAnswer.of(graph, view, "graphmeta.impact", parameters)
          .print(spec.commandLine(), true, options);
    }
    return 0;
  }
}
