package io.graphmeta.server.gremlin.rules;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.UUID;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.Token;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * Writes variables out where gremlin-lang has literals only: in {@code with('asOf', t)}, and within
 * lists, sets and maps, such as the parameters of {@code call()}. Everywhere else the parser
 * resolves them. What is written out are tokens of one literal, so no value becomes more than a
 * value.
 */
public final class VariablesInLiterals {
  private static final Set<String> READ_BEFORE =
      Set.of(
          Tokens.ARGS_EVAL_TIMEOUT, "scriptEvaluationTimeout", Tokens.ARGS_MATERIALIZE_PROPERTIES);

  private final Map<String, Object> bindings;
  private final List<Token> written = new ArrayList<>();

  /** The brackets that are open, by whether literals are within them. */
  private final Deque<Boolean> literals = new ArrayDeque<>();

  private VariablesInLiterals(Map<String, Object> bindings) {
    this.bindings = bindings;
  }

  /**
   * The tokens of a script with its variables written out.
   *
   * @throws Refusal for a value that has no literal, and an option of the request that is a
   *     variable
   */
  public static List<Token> writtenOut(List<Token> tokens, Map<String, Object> bindings) {
    return bindings.isEmpty() ? tokens : new VariablesInLiterals(bindings).written(tokens);
  }

  private List<Token> written(List<Token> tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      switch (token.getType()) {
        case GremlinLexer.LPAREN -> literals.push(lastIs(GremlinLexer.K_WITH));
        case GremlinLexer.LBRACK, GremlinLexer.LBRACE -> literals.push(true);
        case GremlinLexer.RPAREN, GremlinLexer.RBRACK, GremlinLexer.RBRACE -> literals.poll();
        default -> {}
      }
      if (isVariable(tokens, i)) {
        write(token);
      } else {
        written.add(token);
      }
    }
    return written;
  }

  private boolean lastIs(int type) {
    List<Token> last = last(1);
    return !last.isEmpty() && last.get(0).getType() == type;
  }

  /** What was written last, blanks and comments left out; the last of it first. */
  private List<Token> last(int count) {
    List<Token> last = new ArrayList<>(count);
    for (int i = written.size() - 1; i >= 0 && last.size() < count; i--) {
      if (written.get(i).getChannel() == Token.DEFAULT_CHANNEL) {
        last.add(written.get(i));
      }
    }
    return last;
  }

  /** A name alone: neither the key of a map nor part of what has a point or arguments. */
  private boolean isVariable(List<Token> tokens, int at) {
    if (tokens.get(at).getType() != GremlinLexer.Identifier
        || !Boolean.TRUE.equals(literals.peek())
        || !bindings.containsKey(tokens.get(at).getText())) {
      return false;
    }
    int next = at + 1;
    while (tokens.get(next).getChannel() != Token.DEFAULT_CHANNEL) {
      next++;
    }
    return switch (tokens.get(next).getType()) {
      case GremlinLexer.COMMA, GremlinLexer.RPAREN, GremlinLexer.RBRACK, GremlinLexer.RBRACE ->
          lastIs(GremlinLexer.COMMA)
              || lastIs(GremlinLexer.COLON)
              || lastIs(GremlinLexer.LBRACK)
              || lastIs(GremlinLexer.LBRACE);
      default -> false;
    };
  }

  private void write(Token variable) {
    requireNoOption(variable);
    StringBuilder literal = new StringBuilder();
    append(literal, variable.getText(), bindings.get(variable.getText()));
    GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(literal.toString()));
    for (Token token : lexer.getAllTokens()) {
      written.add(token);
    }
  }

  /** Options of a request, {@code with('name', value)}, are known before its script is parsed. */
  private void requireNoOption(Token variable) {
    List<Token> last = last(4);
    if (last.size() < 4
        || last.get(3).getType() != GremlinLexer.K_WITH
        || last.get(2).getType() != GremlinLexer.LPAREN
        || last.get(1).getType() != GremlinLexer.NonEmptyStringLiteral
        || last.get(0).getType() != GremlinLexer.COMMA) {
      return;
    }
    String option = last.get(1).getText();
    if (READ_BEFORE.contains(option.substring(1, option.length() - 1))) {
      throw Refusal.invalid(
          "The option "
              + option
              + " is the variable "
              + variable.getText()
              + "; expected a value that is written in the script");
    }
  }

  private static void append(StringBuilder out, String name, @Nullable Object value) {
    if (value == null || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof CharSequence || value instanceof Character) {
      appendText(out, value.toString());
    } else if (value instanceof Number number) {
      appendNumber(out, name, number);
    } else if (value instanceof OffsetDateTime time) {
      appendTime(out, time);
    } else if (value instanceof Date date) {
      appendTime(out, Instant.ofEpochMilli(date.getTime()).atOffset(ZoneOffset.UTC));
    } else if (value instanceof UUID id) {
      out.append("UUID(\"").append(id).append("\")");
    } else if (value instanceof Map<?, ?> map) {
      StringJoiner entries = new StringJoiner(",", "[", "]").setEmptyValue("[:]");
      map.forEach(
          (key, inner) -> {
            StringBuilder entry = new StringBuilder();
            appendText(entry, String.valueOf(key));
            append(entry.append(':'), name, inner);
            entries.add(entry);
          });
      out.append(entries);
    } else if (value instanceof Collection<?> all) {
      StringJoiner members =
          new StringJoiner(",", all instanceof Set ? "{" : "[", all instanceof Set ? "}" : "]");
      for (Object inner : all) {
        StringBuilder member = new StringBuilder();
        append(member, name, inner);
        members.add(member);
      }
      out.append(members);
    } else {
      throw unwritable(name, value);
    }
  }

  private static void appendTime(StringBuilder out, OffsetDateTime time) {
    out.append("datetime(\"")
        .append(DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time))
        .append("\")");
  }

  private static void appendNumber(StringBuilder out, String name, Number number) {
    if (number instanceof Double || number instanceof Float) {
      double real = number.doubleValue();
      out.append(
          Double.isNaN(real)
              ? "NaN"
              : Double.isInfinite(real) ? (real > 0 ? "+Infinity" : "-Infinity") : number + "d");
    } else if (number instanceof BigDecimal decimal) {
      out.append(decimal).append('m');
    } else if (number instanceof BigInteger whole) {
      out.append(whole).append('n');
    } else if (number instanceof Long) {
      out.append(number).append('l');
    } else if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
      out.append(number.intValue());
    } else {
      throw unwritable(name, number);
    }
  }

  /** All but letters and digits by their numbers, so that nothing in it ends the text. */
  private static void appendText(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 128 && Character.isLetterOrDigit(c)) {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    out.append('"');
  }

  private static Refusal unwritable(String name, Object value) {
    return Refusal.invalid(
        "The variable "
            + name
            + " is of the type "
            + value.getClass().getSimpleName()
            + ", which a setting or a map cannot hold; expected a text, number, boolean, date, UUID,"
            + " list or map");
  }
}
