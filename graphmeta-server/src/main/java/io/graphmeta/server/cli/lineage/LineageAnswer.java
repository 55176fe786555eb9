package io.graphmeta.server.cli.lineage;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.answers.AnsweredLineage;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.export.ExportFormat;
import io.graphmeta.server.export.LineageGraph;
import io.graphmeta.server.picture.LineagePicture;
import io.graphmeta.server.picture.Picture;
import io.graphmeta.server.picture.SvgForm;
import io.graphmeta.server.report.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** What the services for lineage and impact answer, read back from their maps, and shown. */
final class LineageAnswer {
  /** As many links as Mermaid draws with its default settings. */
  private static final int MERMAID_ARROWS = 500;

  private final List<Map<String, Object>> rows;

  private LineageAnswer(List<Map<String, Object>> rows) {
    this.rows = rows;
  }

  /** Asks a service for a graph. */
  static LineageAnswer of(
      AskedGraph graph, ViewOptions view, String service, Map<String, @Nullable Object> given) {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>(given);
    parameters.put("result", "graph");
    return new LineageAnswer(graph.call(view, service, parameters));
  }

  /** Prints or draws it, and says on standard error if it is partial. */
  void print(CommandLine line, boolean forward, LineageOptions options) throws IOException {
    PrintWriter out = line.getOut();
    Lineage lineage = AnsweredLineage.of(rows);
    ExportFormat export = options.export();
    Path svg = options.svg();
    if (svg != null) {
      draw(out, svg, lineage, forward, options);
    } else if (options.isJson()) {
      rows.forEach(row -> JsonLines.printAnswer(out, row));
    } else if (export == null) {
      FoldedLineage folded = options.folding().withBuilding().fold(Overlay.of(lineage, forward));
      new LineageText(folded, Terminal.detect(), LineageCommand.WIDTH).print(out);
    } else {
      LineageGraph graph = new LineageGraph(lineage, forward);
      print(out, export.write(graph, Instant.now()));
      if (export == ExportFormat.MERMAID && graph.arrowCount() > MERMAID_ARROWS) {
        line.getErr()
            .printf(
                Locale.ROOT,
                "graphmeta: Mermaid draws at most %,d links unless its setting maxEdges says otherwise; this has %,d%n",
                MERMAID_ARROWS,
                graph.arrowCount());
      }
    }
    if (lineage.partial()) {
      line.getErr()
          .printf(
              Locale.ROOT,
              "graphmeta: The answer is partial: a limit ended it after %,d elements%n",
              rows.size());
    }
  }

  private void draw(
      PrintWriter out, Path file, Lineage lineage, boolean forward, LineageOptions options)
      throws IOException {
    FoldedLineage folded = options.folding().fold(Overlay.of(lineage, forward));
    String id = lineage.root().id();
    String caption = forward ? "What rests on " + id : "What " + id + " rests on";
    Picture picture = LineagePicture.of(folded, caption, false);
    ReportFile.write(file, SvgForm.write(picture));
    out.printf(
        Locale.ROOT,
        "%s: %,d elements in %,d boxes%n",
        file,
        picture.elements(),
        picture.shapes().size());
  }

  private static void print(PrintWriter out, ExportFormat.Document document) {
    if (document instanceof ExportFormat.Document.Text text) {
      out.print(text.text());
    } else if (document instanceof ExportFormat.Document.Json json) {
      for (Map<String, Object> object : json.objects()) {
        if (json.oneEachLine()) {
          JsonLines.print(out, object);
        } else {
          JsonLines.printIndented(out, object);
        }
      }
    }
  }
}
