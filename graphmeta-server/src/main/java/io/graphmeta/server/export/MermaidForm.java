package io.graphmeta.server.export;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.util.stream.Collectors;

/**
 * A flowchart of Mermaid. Within quotes all but plain characters are written as entities {@code
 * #NUMBER;}: there is no other way to write quotes, and what looks like Markdown, HTML, a comment
 * or an entity would be taken as such. Spaces at the ends would be cut off. Pure.
 */
final class MermaidForm {
  private static final String PLAIN = " -._/:=,+@~";

  /**
   * Mermaid itself writes ﬂ° and ¶ß for the ends of an entity, and would take these for its own.
   */
  private static final String OWN_MARKS = "ﬂ¶";

  private static final int ASCII = 0x80;

  private MermaidForm() {}

  static String write(LineageGraph graph) {
    StringBuilder out = new StringBuilder(256);
    out.append("flowchart LR\n");
    for (LineageNode node : graph.elements()) {
      String text =
          ElementText.lines(node).stream()
              .map(MermaidForm::escaped)
              .collect(Collectors.joining("<br/>", "\"", "\""));
      out.append("  n").append(node.index()).append(shaped(node.label(), text));
      out.append(node.doubts().isEmpty() ? "\n" : ":::doubtful\n");
    }
    for (LineageGraph.Arrow arrow : graph.arrows()) {
      out.append("  n").append(arrow.from().index());
      out.append(" -->|\"").append(escaped(arrow.relation())).append("\"| n");
      out.append(arrow.to().index()).append('\n');
    }
    out.append("  classDef doubtful stroke-dasharray: 4 3\n");
    if (graph.partial()) {
      out.append("  partial[\"partial: a limit ended the search\"]\n");
    }
    return out.toString();
  }

  private static String shaped(String label, String text) {
    return switch (label) {
      case Vocabulary.PROCESS -> "[[" + text + "]]";
      case Vocabulary.JOB -> "{{" + text + "}}";
      case Vocabulary.EXECUTABLE -> "[/" + text + "/]";
      case Vocabulary.USER -> "([" + text + "])";
      default -> "[" + text + "]";
    };
  }

  private static String escaped(String line) {
    StringBuilder result = new StringBuilder(line.length());
    int[] points = line.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      int c = points[i];
      boolean atEnd = i == 0 || i == points.length - 1;
      if (isPlain(c) && !(c == ' ' && atEnd)) {
        result.appendCodePoint(c);
      } else {
        result.append('#').append(c).append(';');
      }
    }
    return result.toString();
  }

  private static boolean isPlain(int c) {
    return c < ASCII
        ? Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0
        : !Character.isSpaceChar(c) && OWN_MARKS.indexOf(c) < 0;
  }
}
