package io.graphmeta.server.export;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.server.table.Cell;
import io.graphmeta.server.table.CsvWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * CSV for spreadsheets: a row for each element, with the numbers of the elements that content came
 * from. Text that a spreadsheet would run as a formula begins with an apostrophe. Pure.
 */
final class CsvForm {
  private CsvForm() {}

  static String write(LineageGraph graph) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    CsvWriter rows = new CsvWriter(out, true);
    for (LineageNode node : graph.elements()) {
      Map<String, Cell> row = new LinkedHashMap<>();
      row.put("number", number(node.index()));
      row.put("label", text(node.label()));
      row.put("id", text(node.id()));
      row.put("version", text(LineageGraph.version(node)));
      row.put("start", text(time(node.versionMicros())));
      row.put("end", text(time(node.versionEndMicros())));
      row.put("description", text(node.description()));
      row.put("writer", text(node.writer()));
      row.put("depth", number(node.depth()));
      LineageNode.Fate fate = node.fate();
      row.put("fate", text(fate == null ? null : fate.name().toLowerCase(Locale.ROOT)));
      row.put("from", text(from(graph.arrowsInto(node))));
      row.put("doubts", text(String.join(" ", LineageGraph.doubts(node))));
      if (graph.partial()) {
        row.put("partial", text("true"));
      }
      rows.write(row);
    }
    rows.end();
    out.flush();
    return text.toString();
  }

  private static String from(List<LineageGraph.Arrow> arrows) {
    return arrows.stream()
        .map(arrow -> arrow.relation() + ":" + arrow.from().index())
        .collect(Collectors.joining(" "));
  }

  private static @Nullable String time(long micros) {
    return micros == 0 ? null : LineageGraph.time(micros);
  }

  private static Cell number(int number) {
    return new Cell(Integer.toString(number), true);
  }

  private static Cell text(@Nullable String text) {
    return text == null || text.isEmpty() ? Cell.NONE : new Cell(text, false);
  }
}
