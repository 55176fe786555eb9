package io.graphmeta.server.gremlin.view;

import java.util.regex.Pattern;

/** Texts as literals of Gremlin and as words of a shell. Pure. */
final class Quoting {
  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  /** What a shell takes as it is between double quotes. */
  private static final Pattern LITERAL_IN_DOUBLE = Pattern.compile("[^\"$`\\\\!]+");

  private Quoting() {}

  /** A literal in single quotes; characters that cannot be seen are written as their numbers. */
  static String gremlin(String text) {
    StringBuilder literal = new StringBuilder(text.length() + 2).append('\'');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '\'', '\\' -> literal.append('\\').append(each);
        case '\n' -> literal.append("\\n");
        case '\r' -> literal.append("\\r");
        case '\t' -> literal.append("\\t");
        default -> {
          if (isPlain(each)) {
            literal.append(each);
          } else {
            literal.append(String.format("\\u%04x", (int) each));
          }
        }
      }
    }
    return literal.append('\'').toString();
  }

  /** The last parameter of a call of a service that searches; none without a limit. */
  static String searchMillis(int millis) {
    return millis <= 0 ? "" : ", 'searchMillis': " + millis;
  }

  private static boolean isPlain(char each) {
    return switch (Character.getType(each)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /** A word that a shell takes as it is; with {@code $'...'} where it holds what cannot be seen. */
  static String shell(String text) {
    if (PLAIN_WORD.matcher(text).matches()) {
      return text;
    }
    boolean plain = text.chars().allMatch(each -> isPlain((char) each));
    if (!plain) {
      return "$" + gremlin(text);
    }
    return text.contains("'") && LITERAL_IN_DOUBLE.matcher(text).matches()
        ? '"' + text + '"'
        : "'" + text.replace("'", "'\\''") + "'";
  }
}
