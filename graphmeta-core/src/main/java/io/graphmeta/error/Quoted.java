package io.graphmeta.error;

/** Texts of users in messages: on one line, and not longer than a reader takes in. Pure. */
public final class Quoted {
  private static final int MAX_CHARS = 200;
  private static final int REPLACEMENT = 0xfffd;

  private Quoted() {}

  /**
   * A text in quotes: of a long one the beginning, spaces in the place of control characters, and
   * no halves of characters.
   */
  public static String of(String text) {
    StringBuilder quoted = new StringBuilder("'");
    text.substring(0, Math.min(text.length(), MAX_CHARS))
        .codePoints()
        .forEach(
            point -> {
              boolean isHalf = Character.getType(point) == Character.SURROGATE;
              quoted.appendCodePoint(
                  isHalf ? REPLACEMENT : Character.isISOControl(point) ? ' ' : point);
            });
    return quoted.append(text.length() > MAX_CHARS ? "...'" : "'").toString();
  }
}
