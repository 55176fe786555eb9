package io.graphmeta.server.cli;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.ReadView;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.tx.GraphTransaction;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
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
    })
final class LineageCommand implements Callable<Integer> {
  /** Columns of text for people. */
  static final int WIDTH = 100;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();
  @Mixin private ViewOptions view = new ViewOptions();

  @Parameters(
      paramLabel = "FILE",
      description = "The path of a file; the id of a process or job does too.")
  private String id = "";

  @Option(
      names = "--forward",
      description =
          "What rests on the file: on the version that was the newest at --as-of, up to now.")
  private boolean forward;

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
      names = "--json",
      description = "One JSON object a line: id, label, version, depth, relation and more.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    LineageLimits limits = new LineageLimits(depth, limit);
    Lineage lineage;
    try (GraphDatabase database = db.open();
        GraphTransaction tx = database.begin()) {
      ReadView asked = view.of(tx);
      if (forward) {
        ReadView known = tx.view(null, asked.knownAt());
        lineage = new Provenance(tx, known, limits).forward(id, asked.validAt());
      } else {
        lineage = new Provenance(tx, asked, limits).backward(id);
      }
    }
    PrintWriter out = line.getOut();
    if (json) {
      lineage.nodes().forEach(node -> json(out, lineage, node));
    } else {
      new LineageText(lineage, forward, false, Terminal.detect(), WIDTH).print(out);
    }
    if (lineage.partial()) {
      line.getErr()
          .printf(
              Locale.ROOT,
              "graphmeta: The answer is partial: a limit ended it after %,d elements%n",
              lineage.nodes().size());
    }
    return 0;
  }

  private static void json(PrintWriter out, Lineage lineage, LineageNode node) {
    new JsonLines.Line()
        .put("id", node.id())
        .put("label", node.label())
        .time("version", node.versionMicros())
        .put("depth", node.depth())
        .put("relation", node.relation())
        .put("from", node.parent() < 0 ? null : lineage.nodes().get(node.parent()).id())
        .time("versionEnd", node.versionEndMicros())
        .put("writer", node.writer())
        .put("description", node.description())
        .put("fate", node.fate() == null ? null : node.fate().name().toLowerCase(Locale.ROOT))
        .doubts(node.doubts())
        .print(out);
  }
}
