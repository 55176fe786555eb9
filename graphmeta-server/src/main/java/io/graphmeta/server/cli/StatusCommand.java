package io.graphmeta.server.cli;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.tx.GraphTransaction;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what a database holds. */
@Command(
    name = "status",
    description =
        "Tells how many vertices and edges of each label a database holds now, and its size on disk.",
    footer = {"%nExample:%n  graphmeta status --db graph --json%n"})
final class StatusCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Map<String, Long> vertices = new LinkedHashMap<>();
    Map<String, Long> edges = new LinkedHashMap<>();
    long bytes;
    try (GraphDatabase database = db.open();
        GraphTransaction tx = database.begin()) {
      for (String label : database.vertexLabels()) {
        vertices.put(label, tx.countVertices(Set.of(label), tx.snapshot()));
      }
      for (String label : database.edgeLabels()) {
        edges.put(label, tx.countEdges(Set.of(label), tx.snapshot()));
      }
      bytes = database.bytesOnDisk();
    }
    if (json) {
      new JsonLines.Line()
          .put("vertices", vertices)
          .put("edges", edges)
          .put("bytesOnDisk", bytes)
          .print(out);
    } else {
      vertices.forEach(
          (label, count) -> out.printf(Locale.ROOT, "vertex %-14s %,12d%n", label, count));
      edges.forEach(
          (label, count) -> out.printf(Locale.ROOT, "edge   %-14s %,12d%n", label, count));
      out.printf(Locale.ROOT, "bytes on disk         %,12d%n", bytes);
    }
    return 0;
  }
}
