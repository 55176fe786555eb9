package io.graphmeta.server.gremlin.run;

import io.graphmeta.server.gremlin.rules.InterruptibleRegex;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.ScriptRules;
import io.graphmeta.server.gremlin.rules.VariablesInLiterals;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.apache.tinkerpop.gremlin.jsr223.JavaTranslator;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinLexer;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinParser;
import org.apache.tinkerpop.gremlin.language.grammar.TraversalRootVisitor;
import org.apache.tinkerpop.gremlin.language.grammar.TraversalTerminalMethodVisitor;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates scripts in gremlin-lang. The {@linkplain ScriptRules rules} look at the tokens before
 * they are parsed, and at the tree before anything of it is evaluated. Safe for use by many
 * threads.
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

  private final ScriptRules rules;

  ScriptParser(ScriptRules rules) {
    this.rules = rules;
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
    CommonTokenStream all = new InterruptibleTokens(lexer);
    all.fill();
    rules.check(all.getTokens());
    List<Token> written = VariablesInLiterals.writtenOut(all.getTokens(), bindings);
    CommonTokenStream tokens = new InterruptibleTokens(new ListTokenSource(written));
    GremlinParser.QueryListContext tree = parse(tokens);
    rules.check(tree, bindings);
    try {
      return new Visitor(source, bindings).visit(tree);
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

  /**
   * TinkerPop's evaluation of a tree. The traversal of a query is made once more, with regular
   * expressions that can be stopped, before anything is done with it.
   */
  private static final class Visitor extends GremlinAntlrToJava {
    private final GraphTraversalSource source;

    Visitor(GraphTraversalSource source, Map<String, Object> bindings) {
      super(source, new VariableResolver.DirectVariableResolver(bindings));
      this.source = source;
    }

    @Override
    public @Nullable Object visitQuery(GremlinParser.QueryContext query) {
      if (query.rootTraversal() == null) {
        return super.visitQuery(query);
      }
      Traversal<?, ?> traversal =
          new TraversalRootVisitor<>(this).visitRootTraversal(query.rootTraversal());
      Bytecode bytecode = traversal.asAdmin().getBytecode();
      Bytecode stoppable = InterruptibleRegex.in(bytecode);
      if (stoppable != bytecode) {
        traversal = JavaTranslator.of(source).translate(stoppable);
      }
      return query.traversalTerminalMethod() == null
          ? traversal
          : new TraversalTerminalMethodVisitor(traversal)
              .visitTraversalTerminalMethod(query.traversalTerminalMethod());
    }
  }

  private static Refusal notUnderstood(String why) {
    return Refusal.malformed(
        "The script is not understood as gremlin-lang, the only language here: " + why);
  }
}
