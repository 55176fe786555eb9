package io.graphmeta.server.gremlin;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.tree.ParseTreeWalker;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinBaseListener;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Scripts in gremlin-lang. The tokens are looked at first (how many, how deeply nested), then the
 * tree (strategies, files), and only then is anything evaluated. Safe for use by many threads.
 */
final class ScriptParser {
  private static final BaseErrorListener ERRORS =
      new BaseErrorListener() {
        @Override
        public void syntaxError(
            Recognizer<?, ?> recognizer,
            @Nullable Object symbol,
            int line,
            int column,
            String message,
            @Nullable RecognitionException e) {
          throw notUnderstood("line " + line + ", column " + (column + 1) + ": " + message);
        }
      };

  /** TinkerPop's visitor takes the square of it in time. */
  private static final int MAX_SETTINGS = 256;

  private final QueryLimits limits;
  private final int maxNesting;

  ScriptParser(ServerSettings settings) {
    this.limits = QueryLimits.of(settings);
    this.maxNesting = settings.integer(ServerSetting.MAX_NESTING);
  }

  /**
   * Evaluates a script.
   *
   * @return a traversal, not iterated, or what the script's last step returns
   * @throws Refusal for a script that is not gremlin-lang or asks for what is not allowed
   */
  @Nullable Object evaluate(
      String script, GraphTraversalSource source, Map<String, Object> bindings) {
    GremlinLexer lexer = new GremlinLexer(CharStreams.fromString(script));
    lexer.removeErrorListeners();
    lexer.addErrorListener(ERRORS);
    CommonTokenStream tokens = new InterruptibleTokens(lexer);
    tokens.fill();
    check(tokens.getTokens());
    GremlinParser.QueryListContext tree = parse(tokens);
    ParseTreeWalker.DEFAULT.walk(new Allowed(bindings, limits), tree);
    GremlinAntlrToJava visitor =
        new GremlinAntlrToJava(source, new VariableResolver.DirectVariableResolver(bindings));
    try {
      return visitor.visit(tree);
    } catch (ClassCastException e) {
      throw notUnderstood(String.valueOf(e.getMessage()));
    }
  }

  private static GremlinParser.QueryListContext parse(CommonTokenStream tokens) {
    GremlinParser parser = new GremlinParser(tokens);
    parser.removeErrorListeners();
    parser.addErrorListener(ERRORS);
    parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
    try {
      return parser.queryList();
    } catch (Refusal simplePredictionFailed) {
      tokens.seek(0);
      parser.reset();
      parser.getInterpreter().setPredictionMode(PredictionMode.LL);
      return parser.queryList();
    }
  }

  /** The parser asks for each token, however it goes about its work; so it ends when it must. */
  private static final class InterruptibleTokens extends CommonTokenStream {
    InterruptibleTokens(TokenSource source) {
      super(source);
    }

    @Override
    public void consume() {
      if (Thread.currentThread().isInterrupted()) {
        throw new TraversalInterruptedException();
      }
      super.consume();
    }
  }

  /** Refuses brackets nested too deeply, and turns {@code none()} of 3.7 into what 3.8 calls it. */
  private void check(List<Token> tokens) {
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
      throw Refusal.invalid(
          "The number '" + RequestGuard.shortened(number) + "' has too large an exponent");
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

  private static Refusal notUnderstood(String why) {
    return Refusal.malformed(
        "The script is not understood as gremlin-lang, the only language here: " + why);
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
      boolean ofStep = ctx.getParent().getClass().getSimpleName().startsWith("TraversalMethod_");
      if (ofStep
          && !(ctx.getParent() instanceof GremlinParser.TraversalMethod_timeLimitContext)
          && !isInt(ctx.getText())) {
        throw Refusal.invalid(
            "The number "
                + RequestGuard.shortened(ctx.getText())
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
      throw RequestGuard.filesRefused();
    }
  }
}
