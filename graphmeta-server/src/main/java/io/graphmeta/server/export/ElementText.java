package io.graphmeta.server.export;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Vocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a picture says of an element, line by line. Pure. */
final class ElementText {
  private static final int MOST_CHARACTERS = 80;
  private static final int FIRST_PICTURE = 0x2400;
  private static final int DELETE = 0x7f;
  private static final int PICTURE_OF_DELETE = 0x2421;

  private ElementText() {}

  /** The lines of an element; its whole id is the first. */
  static List<String> lines(LineageNode node) {
    List<String> lines = new ArrayList<>();
    lines.add(visible(node.id()));
    if (LineageGraph.isFile(node)) {
      String version = String.valueOf(LineageGraph.version(node));
      LineageNode.Fate fate = node.fate();
      lines.add(
          fate == null || fate == LineageNode.Fate.CURRENT
              ? version
              : version + " " + fate.name().toLowerCase(Locale.ROOT));
    } else if (!node.label().equals(Vocabulary.EXECUTABLE)) {
      lines.add(shortened(visible(node.description())));
    }
    return lines;
  }

  /** The doubts about an element as sentences. */
  static List<String> doubts(LineageNode node) {
    return node.doubts().stream().sorted().map(doubt -> doubt.sentence()).toList();
  }

  /**
   * Control characters as the signs that stand for them, such as {@code ␊}: in a picture a path is
   * one line, and SVG has no way to write most of them.
   */
  static String visible(String text) {
    StringBuilder result = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c < ' ' ? FIRST_PICTURE + c : c == DELETE ? PICTURE_OF_DELETE : c)
        .forEach(result::appendCodePoint);
    return result.toString();
  }

  private static String shortened(String text) {
    return text.codePointCount(0, text.length()) <= MOST_CHARACTERS
        ? text
        : text.substring(0, text.offsetByCodePoints(0, MOST_CHARACTERS - 1)) + "…";
  }
}
