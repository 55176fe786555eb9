package io.graphmeta.plan;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Looks for a regular expression in texts. Some expressions try a text in more ways than anybody
 * can wait for, and the library neither ends nor can be interrupted then; so each text may be
 * looked at only so often. Safe for use by many threads.
 */
final class RegexSearch {
  private static final int MAX_LOOKS = 20_000_000;

  private final Pattern pattern;

  /**
   * A search for an expression.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if it is none
   */
  RegexSearch(String expression) {
    try {
      pattern = Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      throw GraphMetaException.invalid(
          "'" + expression + "' is no regular expression: " + e.getDescription());
    } catch (StackOverflowError e) {
      throw GraphMetaException.invalid(
          "A regular expression of "
              + expression.length()
              + " characters has too many groups within groups; make it simpler");
    }
  }

  /**
   * Whether the expression is found in a text.
   *
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if that takes too long to tell
   */
  boolean isFoundIn(String text) {
    try {
      return pattern.matcher(new Looks(text, 0, text.length(), new int[] {MAX_LOOKS})).find();
    } catch (TooManyLooks | StackOverflowError e) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The regular expression '"
              + pattern
              + "' tries a text of "
              + text.length()
              + " characters in too many ways; make it simpler, without repetitions of repetitions or of"
              + " alternatives");
    }
  }

  /** A text whose characters can be looked at so often. */
  private record Looks(String text, int from, int to, int[] left) implements CharSequence {
    @Override
    public char charAt(int index) {
      if (--left[0] < 0) {
        throw new TooManyLooks();
      }
      return text.charAt(from + index);
    }

    @Override
    public int length() {
      return to - from;
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Looks(text, from + start, from + end, left);
    }

    @Override
    public String toString() {
      return text.substring(from, to);
    }
  }

  private static final class TooManyLooks extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyLooks() {
      super("", null, false, false);
    }
  }
}
