package io.graphmeta.server.cli.lineage;

import static java.util.Objects.requireNonNull;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.export.ExportFormat;
import io.graphmeta.server.export.LineageGraph;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** What the services for lineage and impact answer, read back from their maps, and shown. */
public final class LineageAnswer {
  private static final Map<String, Doubt> DOUBTS = new HashMap<>();

  static {
    for (Doubt doubt : Doubt.values()) {
      DOUBTS.put(doubt.word(), doubt);
    }
  }

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

  /** Prints it, and says on standard error if it is partial. */
  void print(CommandLine line, boolean forward, LineageOptions options) {
    PrintWriter out = line.getOut();
    Lineage lineage = lineage();
    ExportFormat export = options.export();
    if (options.isJson()) {
      rows.forEach(row -> JsonLines.printAnswer(out, row));
    } else if (export == null) {
      new LineageText(lineage, forward, false, Terminal.detect(), LineageCommand.WIDTH).print(out);
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

  private Lineage lineage() {
    List<LineageNode> nodes = new ArrayList<>();
    List<Lineage.Link> links = new ArrayList<>();
    boolean partial = false;
    for (Map<String, Object> row : rows) {
      int index = ((Number) row.getOrDefault("index", 0)).intValue();
      nodes.add(node(row, index));
      for (Object link : (List<?>) row.getOrDefault("links", List.of())) {
        Map<?, ?> map = (Map<?, ?>) link;
        links.add(
            new Lineage.Link(
                index,
                ((Number) requireNonNull(map.get("to"))).intValue(),
                String.valueOf(map.get("relation"))));
      }
      partial |= Boolean.TRUE.equals(row.get("partial"));
    }
    return new Lineage(nodes, links, partial);
  }

  private static LineageNode node(Map<String, Object> row, int index) {
    Object fate = row.get("fate");
    return new LineageNode(
        index,
        -1,
        text(row, "id"),
        text(row, "label"),
        text(row, "description"),
        micros(row.get("valid")),
        micros(row.get("end")),
        ((Number) row.getOrDefault("depth", 0)).intValue(),
        text(row, "relation"),
        doubts(row),
        row.containsKey("writer") ? text(row, "writer") : null,
        0,
        fate == null ? null : LineageNode.Fate.valueOf(fate.toString().toUpperCase(Locale.ROOT)));
  }

  /** The doubts of an answer. */
  public static Set<Doubt> doubts(Map<String, Object> row) {
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    for (Object word : (List<?>) row.getOrDefault("doubts", List.of())) {
      doubts.add(DOUBTS.get((String) word));
    }
    return doubts;
  }

  /** The text under a key; empty if there is none. */
  public static String text(Map<String, Object> row, String key) {
    return String.valueOf(row.getOrDefault(key, ""));
  }

  /** A date of an answer in microseconds since 1970; 0 for none. */
  public static long micros(@Nullable Object date) {
    return date instanceof OffsetDateTime time ? Stamp.epochMicros(time.toInstant()) : 0;
  }
}
