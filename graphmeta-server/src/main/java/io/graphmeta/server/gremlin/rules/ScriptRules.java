package io.graphmeta.server.gremlin.rules;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinBaseListener;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;

/** What a client's script may hold, as {@link BytecodeRules} say it of bytecode. Immutable. */
public final class ScriptRules {
  /** TinkerPop's visitor takes the square of it in time. */
  private static final int MAX_SETTINGS = 256;

  private final QueryLimits limits;
  private final int maxNesting;

  /**
   * @param settings have the limits
   */
  public ScriptRules(ServerSettings settings) {
    this.limits = QueryLimits.of(settings);
    this.maxNesting = settings.integer(ServerSetting.MAX_NESTING);
  }

  /**
   * Looks at the tokens of a script, and turns {@code none()} of 3.7 into what 3.8 calls it.
   *
   * @throws Refusal for brackets nested too deeply, too many settings of the source, and numbers
   *     whose digits would not end
   */
  public void check(List<Token> tokens) {
    int depth = 0;
    int settings = 0;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      switch (token.getType()) {
        case GremlinLexer.LPAREN, GremlinLexer.LBRACE, GremlinLexer.LBRACK -> {
          depth++;
          if (depth > maxNesting) {
            throw Refusal.invalid(
                "The script nests brackets more than "
                    + maxNesting
                    + " deep ("
                    + ServerSetting.MAX_NESTING.key()
                    + "); nest less");
          }
        }
        case GremlinLexer.RPAREN, GremlinLexer.RBRACE, GremlinLexer.RBRACK -> depth--;
        case GremlinLexer.K_NONE -> {
          if (isCallWithoutArguments(tokens, i) && token instanceof CommonToken none) {
            none.setType(GremlinLexer.K_DISCARD);
            none.setText("discard");
          }
        }
        case GremlinLexer.K_WITH,
            GremlinLexer.K_WITHBULK,
            GremlinLexer.K_WITHPATH,
            GremlinLexer.K_WITHSACK,
            GremlinLexer.K_WITHSIDEEFFECT,
            GremlinLexer.K_WITHSTRATEGIES,
            GremlinLexer.K_WITHOUTSTRATEGIES -> {
          if (++settings > MAX_SETTINGS) {
            throw Refusal.invalid(
                "The script has more than " + MAX_SETTINGS + " calls of with(); expected a few");
          }
        }
        case GremlinLexer.FloatingPointLiteral -> requireModest(token.getText());
        default -> {}
      }
    }
  }

  /** Decimals have exponents that arithmetic can write out. */
  private static void requireModest(String number) {
    int exponent = number.toLowerCase(Locale.ROOT).indexOf('e');
    if (exponent >= 0 && number.substring(exponent).replaceAll("\\D", "").length() > 4) {
      throw Refusal.invalid("The number '" + Excerpt.of(number) + "' has too large an exponent");
    }
  }

  private static boolean isCallWithoutArguments(List<Token> tokens, int at) {
    int[] expected = {GremlinLexer.LPAREN, GremlinLexer.RPAREN};
    int found = 0;
    for (int i = at + 1; i < tokens.size() && found < expected.length; i++) {
      if (tokens.get(i).getChannel() == Token.DEFAULT_CHANNEL) {
        if (tokens.get(i).getType() != expected[found]) {
          return false;
        }
        found++;
      }
    }
    return found == expected.length;
  }

  /**
   * Looks at a script that was parsed.
   *
   * @param bindings its parameters
   * @throws Refusal for strategies that clients may not name, numbers out of range, and io()
   */
  public void check(GremlinParser.QueryListContext tree, Map<String, Object> bindings) {
    ParseTreeWalker.DEFAULT.walk(new Allowed(bindings, limits), tree);
  }

  /** Looks for what no client may ask for. */
  private static final class Allowed extends GremlinBaseListener {
    private final Map<String, Object> bindings;
    private final QueryLimits limits;

    Allowed(Map<String, Object> bindings, QueryLimits limits) {
      this.bindings = bindings;
      this.limits = limits;
    }

    /** The step takes room for as many as it is asked for, before it is known what there is. */
    @Override
    public void enterTraversalMethod_tail_long(GremlinParser.TraversalMethod_tail_longContext ctx) {
      String wanted = ctx.integerArgument().getText();
      Object bound = bindings.get(wanted);
      if (bound instanceof Number number) {
        limits.requireGathered(number.longValue(), "tail");
      } else if (bound == null && Character.digit(wanted.charAt(0), 10) >= 0) {
        limits.requireGathered(isInt(wanted) ? value(wanted).longValue() : Long.MAX_VALUE, "tail");
      }
    }

    @Override
    public void enterTraversalStrategy(GremlinParser.TraversalStrategyContext ctx) {
      StrategyRules.requireUsable(ctx.classType().getText());
    }

    @Override
    public void enterTraversalSourceSelfMethod_withoutStrategies(
        GremlinParser.TraversalSourceSelfMethod_withoutStrategiesContext ctx) {
      StrategyRules.requireRemovable(ctx.classType().getText());
      if (ctx.classTypeList() != null) {
        ctx.classTypeList()
            .classTypeExpr()
            .classType()
            .forEach(type -> StrategyRules.requireRemovable(type.getText()));
      }
    }

    /** Steps that take a whole number take an int, and would cut a larger one down to it. */
    @Override
    public void enterIntegerLiteral(GremlinParser.IntegerLiteralContext ctx) {
      boolean ofStep = ctx.getParent().getParent() instanceof GremlinParser.TraversalMethodContext;
      if (ofStep
          && !(ctx.getParent() instanceof GremlinParser.TraversalMethod_timeLimitContext)
          && !isInt(ctx.getText())) {
        throw Refusal.invalid(
            "The number "
                + Excerpt.of(ctx.getText())
                + " of a step is out of range; expected "
                + Integer.MIN_VALUE
                + " to "
                + Integer.MAX_VALUE);
      }
    }

    private static boolean isInt(String literal) {
      return literal.length() < 32 && value(literal).bitLength() < Integer.SIZE;
    }

    private static BigInteger value(String literal) {
      boolean hexadecimal = literal.toLowerCase(Locale.ROOT).contains("0x");
      String digits =
          literal
              .replaceAll(hexadecimal ? "[sSiIlLnN]$|0[xX]" : "[bBsSiIlLnN]$", "")
              .replace("_", "");
      return new BigInteger(digits, hexadecimal ? 16 : 10);
    }

    @Override
    public void enterTraversalSourceSpawnMethod_io(
        GremlinParser.TraversalSourceSpawnMethod_ioContext ctx) {
      throw Refusal.files();
    }
  }
}
