package io.graphmeta.server.picture;

/**
 * Text in which every character can be seen: what controls a terminal or a parser, turns the
 * direction of what follows or takes no room is written as its number, such as {@code \u202e}. Of
 * such text, names that look the same are the same. Pure.
 */
public final class VisibleText {
  private static final String ELLIPSIS = "…";

  private VisibleText() {}

  /** The text with everything in it visible. */
  public static String of(String text) {
    if (text.codePoints().noneMatch(VisibleText::isHidden)) {
      return text;
    }
    StringBuilder visible = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            code -> {
              switch (code) {
                case '\n' -> visible.append("\\n");
                case '\r' -> visible.append("\\r");
                case '\t' -> visible.append("\\t");
                default -> {
                  if (isHidden(code)) {
                    visible.append(String.format("\\u%04x", code));
                  } else {
                    visible.appendCodePoint(code);
                  }
                }
              }
            });
    return visible.toString();
  }

  private static boolean isHidden(int code) {
    boolean isJoinedSpace = Character.isSpaceChar(code) && code != ' ';
    return isJoinedSpace
        || switch (Character.getType(code)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.SURROGATE,
              Character.UNASSIGNED,
              Character.PRIVATE_USE,
              Character.LINE_SEPARATOR,
              Character.PARAGRAPH_SEPARATOR ->
              true;
          default -> false;
        };
  }

  /** The beginning and the end of a text that is longer than some number of characters. */
  static String shortened(String text, int characters) {
    int length = text.codePointCount(0, text.length());
    if (length <= characters) {
      return text;
    }
    int head = (characters - 1) / 2;
    int tail = characters - 1 - head;
    return text.substring(0, text.offsetByCodePoints(0, head))
        + ELLIPSIS
        + text.substring(text.offsetByCodePoints(0, length - tail));
  }
}
