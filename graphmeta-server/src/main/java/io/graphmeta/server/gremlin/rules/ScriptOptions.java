package io.graphmeta.server.gremlin.rules;

import java.util.Set;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * What a script says of itself by {@code .with('name', value)}, as far as it must be known before
 * the script is evaluated. Read in one pass, on a thread of the network, so that it takes no longer
 * than the script is long; whether the script is one is found out later.
 */
final class ScriptOptions {
  private static final Set<String> TIMEOUTS =
      Set.of(Tokens.ARGS_EVAL_TIMEOUT, "scriptEvaluationTimeout");

  /** One more than the last of {@code . with ( 'name' , value )}. */
  private static final int WHOLE = 7;

  private static final char NAME = 'n';
  private static final char NUMBER = '0';
  private static final char TEXT = '\'';
  private static final char END = 0;

  private final String script;
  private int position;
  private String token = "";
  private @Nullable Long timeoutMillis;
  private @Nullable String materializeProperties;

  private ScriptOptions(String script) {
    this.script = script;
  }

  /** The options of a script. */
  static ScriptOptions of(String script) {
    ScriptOptions options = new ScriptOptions(script);
    options.readAll();
    return options;
  }

  /** The sum of all timeouts, since queries of a script run in turn; null if none is there. */
  @Nullable Long timeoutMillis() {
    return timeoutMillis;
  }

  /** The last one; null if none is there. */
  @Nullable String materializeProperties() {
    return materializeProperties;
  }

  private void readAll() {
    int matched = 0;
    String name = "";
    char valueKind = END;
    String value = "";
    for (char kind = next(); kind != END; kind = next()) {
      boolean fits =
          switch (matched) {
            case 0 -> kind == '.';
            case 1 -> kind == NAME && token.equals("with");
            case 2 -> kind == '(';
            case 3 -> kind == TEXT;
            case 4 -> kind == ',';
            case 5 -> kind == TEXT || kind == NUMBER;
            default -> kind == ')';
          };
      if (fits && matched == 3) {
        name = token;
      } else if (fits && matched == 5) {
        valueKind = kind;
        value = token;
      }
      matched = fits ? matched + 1 : kind == '.' ? 1 : 0;
      if (matched == WHOLE) {
        take(name, valueKind, value);
        matched = 0;
      }
    }
  }

  private void take(String name, char kind, String value) {
    if (kind == NUMBER && TIMEOUTS.contains(name)) {
      long sum = (timeoutMillis == null ? 0 : timeoutMillis) + number(value);
      timeoutMillis = sum < 0 ? Long.MAX_VALUE : sum;
    } else if (kind == TEXT && name.equals(Tokens.ARGS_MATERIALIZE_PROPERTIES)) {
      materializeProperties = value;
    }
  }

  /** The digits that a text begins with; the most there is where they are too many. */
  private static long number(String text) {
    long number = 0;
    for (int i = 0; i < text.length() && isDigit(text.charAt(i)); i++) {
      if (number > (Long.MAX_VALUE - 9) / 10) {
        return Long.MAX_VALUE;
      }
      number = 10 * number + (text.charAt(i) - '0');
    }
    return number;
  }

  /** Goes on to the next token: its kind; what it holds is in {@link #token}. */
  private char next() {
    skipBlanksAndComments();
    if (position >= script.length()) {
      return END;
    }
    int start = position;
    char first = script.charAt(position++);
    if (first == '\'' || first == '"') {
      while (position < script.length() && script.charAt(position) != first) {
        position += script.charAt(position) == '\\' ? 2 : 1;
      }
      int end = Math.min(position, script.length());
      token = script.substring(start + 1, end);
      position = end + 1;
      return TEXT;
    }
    if (!Character.isJavaIdentifierPart(first)) {
      return first;
    }
    while (position < script.length() && Character.isJavaIdentifierPart(script.charAt(position))) {
      position++;
    }
    token = script.substring(start, position);
    return isDigit(first) ? NUMBER : NAME;
  }

  private void skipBlanksAndComments() {
    while (position < script.length()) {
      if (Character.isWhitespace(script.charAt(position))) {
        position++;
      } else if (script.startsWith("//", position)) {
        while (position < script.length() && "\r\n".indexOf(script.charAt(position)) < 0) {
          position++;
        }
      } else {
        return;
      }
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
