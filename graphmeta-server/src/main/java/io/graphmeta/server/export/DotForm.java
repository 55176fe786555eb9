package io.graphmeta.server.export;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The language of Graphviz. Labels and tooltips are escape strings, in which a backslash begins an
 * escape and an ampersand an entity; the attribute {@code element} is none, and holds the key of
 * the element, which needs no escape. Pure.
 */
final class DotForm {
  private DotForm() {}

  static String write(LineageGraph graph) {
    StringBuilder out = new StringBuilder(256);
    out.append("digraph lineage {\n")
        .append("  charset=\"UTF-8\";\n")
        .append("  rankdir=LR;\n")
        .append("  node [fontname=\"sans-serif\", fontsize=11];\n")
        .append("  edge [fontname=\"sans-serif\", fontsize=9];\n");
    for (LineageNode node : graph.elements()) {
      out.append("  n").append(node.index());
      out.append(" [label=").append(quoted(ElementText.lines(node)));
      out.append(", shape=").append(shape(node.label()));
      List<String> doubts = ElementText.doubts(node);
      if (!doubts.isEmpty()) {
        out.append(", style=dashed, tooltip=").append(quoted(doubts));
      }
      if (node.index() == graph.root().index()) {
        out.append(", penwidth=2");
      }
      out.append(", element=\"").append(graph.key(node)).append("\"];\n");
    }
    for (LineageGraph.Arrow arrow : graph.arrows()) {
      out.append("  n").append(arrow.from().index());
      out.append(" -> n").append(arrow.to().index());
      out.append(" [label=").append(quoted(List.of(arrow.relation()))).append("];\n");
    }
    if (graph.partial()) {
      out.append("  label=\"partial: a limit ended the search\";\n");
    }
    return out.append("}\n").toString();
  }

  private static String shape(String label) {
    return switch (label) {
      case Vocabulary.FILE, Vocabulary.DIRECTORY -> "note";
      case Vocabulary.PROCESS -> "box";
      case Vocabulary.JOB -> "folder";
      case Vocabulary.EXECUTABLE -> "component";
      default -> "ellipse";
    };
  }

  private static String quoted(List<String> lines) {
    return lines.stream().map(DotForm::escaped).collect(Collectors.joining("\\n", "\"", "\""));
  }

  private static String escaped(String line) {
    return line.replace("\\", "\\\\").replace("\"", "\\\"").replace("&", "&amp;");
  }
}
