package io.graphmeta.search;

import java.util.ArrayList;
import java.util.List;

/**
 * Texts that are in every text in which a regular expression of {@link java.util.regex.Pattern} is
 * found. Only what is read with certainty counts: groups, classes and what may be left out end a
 * literal, and an expression with anything else (alternatives outside of groups, flags, references)
 * has none. Pure.
 */
public final class RegexLiterals {
  /** Escapes of one letter that stand for a character of a class, or for a place. */
  private static final String ONE_LETTER = "dDsSwWhHvVRbBAGZztnrfae";

  private final String regex;
  private final List<String> literals = new ArrayList<>();
  private final StringBuilder literal = new StringBuilder();
  private int at;

  private RegexLiterals(String regex) {
    this.regex = regex;
  }

  /** The literals of a valid expression, perhaps none. */
  public static List<String> of(String regex) {
    RegexLiterals reader = new RegexLiterals(regex);
    return reader.read() ? reader.literals : List.of();
  }

  /** False for an expression that is not understood. */
  private boolean read() {
    while (at < regex.length()) {
      if (!readAtom()) {
        return false;
      }
    }
    end();
    return true;
  }

  private boolean readAtom() {
    char c = regex.charAt(at);
    if (Character.isSurrogate(c)) {
      return false; // a quantifier would be about two of them
    }
    switch (c) {
      case '|', ')', '{', ']', '}' -> {
        return false;
      }
      case '?', '*', '+' -> {
        return false; // quantifiers are read with what they are about
      }
      case '.', '^', '$' -> {
        at++;
        end();
      }
      case '[' -> {
        end();
        if (!passClass()) {
          return false;
        }
      }
      case '(' -> {
        end();
        if (!passGroup()) {
          return false;
        }
      }
      case '\\' -> {
        return readEscape();
      }
      default -> {
        literal.append(c);
        at++;
      }
    }
    return readQuantifier();
  }

  private boolean readEscape() {
    if (at + 1 >= regex.length()) {
      return false;
    }
    char c = regex.charAt(at + 1);
    if (c == 'Q') {
      return readQuoted();
    }
    if (isLetterOrDigit(c)) {
      if (ONE_LETTER.indexOf(c) < 0) {
        return false;
      }
      end();
    } else if (Character.isSurrogate(c)) {
      return false;
    } else {
      literal.append(c);
    }
    at += 2;
    return readQuantifier();
  }

  private static boolean isLetterOrDigit(char c) {
    return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private boolean readQuoted() {
    int close = regex.indexOf("\\E", at + 2);
    int to = close < 0 ? regex.length() : close;
    String quoted = regex.substring(at + 2, to);
    if (quoted.chars().anyMatch(c -> Character.isSurrogate((char) c))) {
      return false;
    }
    at = close < 0 ? to : close + 2;
    if (quoted.isEmpty()) {
      return at >= regex.length() || !isQuantifier(regex.charAt(at));
    }
    literal.append(quoted);
    return readQuantifier();
  }

  private static boolean isQuantifier(char c) {
    return c == '?' || c == '*' || c == '+' || c == '{';
  }

  /** Reads the quantifier of the atom that was read, if there is one. */
  private boolean readQuantifier() {
    if (at >= regex.length() || !isQuantifier(regex.charAt(at))) {
      return true;
    }
    char c = regex.charAt(at);
    if (c == '{') {
      int close = regex.indexOf('}', at);
      if (close < 0) {
        return false;
      }
      at = close;
    }
    at++;
    if (c != '+' && !literal.isEmpty()) {
      literal.setLength(literal.length() - 1); // it may be there no time
    }
    end();
    if (at < regex.length() && (regex.charAt(at) == '?' || regex.charAt(at) == '+')) {
      at++; // reluctant or possessive
    }
    return at >= regex.length() || !isQuantifier(regex.charAt(at));
  }

  private void end() {
    if (!literal.isEmpty()) {
      literals.add(literal.toString());
      literal.setLength(0);
    }
  }

  /** Passes over a class of characters; false if it is not understood. */
  private boolean passClass() {
    int depth = 0;
    do {
      char c = regex.charAt(at);
      if (c == '[') {
        depth++;
        int first = regex.startsWith("^", at + 1) ? at + 2 : at + 1;
        if (regex.startsWith("]", first)) {
          return false;
        }
      } else if (c == ']') {
        depth--;
      } else if (c == '\\' && !passEscape()) {
        return false;
      }
      at++;
    } while (depth > 0 && at < regex.length());
    return depth == 0;
  }

  /** Moves to the character that is escaped; false if more than one is. */
  private boolean passEscape() {
    boolean isQuote = regex.startsWith("\\Q", at);
    at++;
    return !isQuote;
  }

  /** Passes over a group; false if it is not understood. */
  private boolean passGroup() {
    int depth = 0;
    do {
      char c = regex.charAt(at);
      if (c == '[') {
        if (!passClass()) {
          return false;
        }
        continue;
      }
      if (c == '(') {
        depth++;
        if (hasFlags()) {
          return false;
        }
      } else if (c == ')') {
        depth--;
      } else if (c == '\\' && !passEscape()) {
        return false;
      }
      at++;
    } while (depth > 0 && at < regex.length());
    return depth == 0;
  }

  /** Whether the group here may change what follows it means. */
  private boolean hasFlags() {
    return regex.startsWith("(?", at)
        && !(regex.startsWith("(?:", at)
            || regex.startsWith("(?=", at)
            || regex.startsWith("(?!", at)
            || regex.startsWith("(?>", at)
            || regex.startsWith("(?<", at));
  }
}
