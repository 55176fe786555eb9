package io.graphmeta.server.table;

import java.util.function.IntPredicate;

/** Text as a terminal shows it: characters of no, one or two columns. */
public final class DisplayText {
  private static final String ELLIPSIS = "…";

  /** First and last code points of the blocks that are two columns wide (UAX 11, W and F). */
  private static final int[][] WIDE = {
    {0x1100, 0x115F},
    {0x231A, 0x231B},
    {0x2E80, 0x303E},
    {0x3041, 0x33FF},
    {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x17000, 0x18CFF},
    {0x1B000, 0x1B2FF},
    {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7EB},
    {0x1F900, 0x1F9FF},
    {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD},
  };

  private DisplayText() {}

  /**
   * Text without characters that a terminal obeys: names of files and jobs are chosen by their
   * users, and an escape sequence in one could write anything on the screen of who asks.
   */
  public static String visible(String text) {
    IntPredicate obeyed = code -> Character.isISOControl(code) || isDirection(code);
    if (text.codePoints().noneMatch(obeyed)) {
      return text;
    }
    StringBuilder visible = new StringBuilder();
    text.codePoints()
        .forEach(
            code -> {
              switch (code) {
                case '\n' -> visible.append("\\n");
                case '\r' -> visible.append("\\r");
                case '\t' -> visible.append("\\t");
                default -> {
                  if (obeyed.test(code)) {
                    visible.append("\\u%04x".formatted(code));
                  } else {
                    visible.appendCodePoint(code);
                  }
                }
              }
            });
    return visible.toString();
  }

  /** Whether a character turns the direction of what follows. */
  private static boolean isDirection(int code) {
    return code >= 0x202A && code <= 0x202E || code >= 0x2066 && code <= 0x2069;
  }

  /** How many columns of a terminal a text takes. */
  public static int width(String text) {
    return text.codePoints().map(DisplayText::width).sum();
  }

  private static int width(int code) {
    int type = Character.getType(code);
    if (type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.FORMAT) {
      return 0;
    }
    for (int[] block : WIDE) {
      if (code >= block[0] && code <= block[1]) {
        return 2;
      }
    }
    return 1;
  }

  /** The beginning of a text in so many columns, with an ellipsis if it is longer. */
  static String cut(String text, int width) {
    if (width(text) <= width) {
      return text;
    }
    StringBuilder cut = new StringBuilder();
    int room = width - 1;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int code = text.codePointAt(i);
      room -= width(code);
      if (room < 0) {
        break;
      }
      cut.appendCodePoint(code);
    }
    return cut + ELLIPSIS;
  }
}
