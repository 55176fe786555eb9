package io.graphmeta.server.picture;

/**
 * How wide text is, without the font that a browser will draw it in: as in DejaVu Sans, which is
 * wider than most. So text that fits here fits there. Pure.
 */
final class TextWidth {
  /** Hundredths of the font size, for the characters from 32 to 126. */
  private static final int[] PLAIN = {
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84
  };

  private static final int[] BOLD = {
    35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70,
    70, 70, 40, 40, 84, 84, 84, 59, 100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84,
        86,
    74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68, 44, 72,
    72, 35, 35, 67, 35, 105, 72, 69, 72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84
  };

  private static final int FIRST = ' ';
  private static final int LATIN_END = 0x250;
  private static final int LATIN = 70;
  private static final int OTHER = 102;

  private TextWidth() {}

  /** The width in pixels, at a size of font in pixels. */
  static int of(String text, int size, boolean bold) {
    long sum = text.codePoints().mapToLong(code -> hundredths(code, bold)).sum();
    return (int) ((sum * size + 99) / 100);
  }

  private static int hundredths(int code, boolean bold) {
    int[] table = bold ? BOLD : PLAIN;
    int index = code - FIRST;
    return index >= 0 && index < table.length ? table[index] : code < LATIN_END ? LATIN : OTHER;
  }

  /** The text, or its beginning and end with an ellipsis between them, within a width. */
  static String fitted(String text, int size, boolean bold, int width) {
    if (of(text, size, bold) <= width) {
      return text;
    }
    int characters = text.codePointCount(0, text.length());
    int least = 1;
    int most = characters;
    while (least < most) {
      int middle = (least + most + 1) / 2;
      if (of(VisibleText.shortened(text, middle), size, bold) <= width) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    return VisibleText.shortened(text, least);
  }
}
