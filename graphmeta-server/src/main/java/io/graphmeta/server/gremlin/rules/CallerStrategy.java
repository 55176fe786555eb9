package io.graphmeta.server.gremlin.rules;

import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;

/**
 * Says who asks, to services that not everybody may call; changes nothing. No client can name it
 * ({@link StrategyRules}), so that where it is the server has put it. Immutable.
 */
public final class CallerStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.DecorationStrategy>
    implements TraversalStrategy.DecorationStrategy {
  private static final long serialVersionUID = 1L;

  private final transient Caller caller;

  private CallerStrategy(Caller caller) {
    this.caller = caller;
  }

  /**
   * The source of a query. Others than those that call such a service pay nothing for it; one that
   * names it by a parameter is not known, and refused by the service.
   */
  public static GraphTraversalSource of(GraphTraversalSource g, Query query) {
    boolean mayCall =
        query.gremlin() instanceof Bytecode bytecode
            ? beginsWithCall(bytecode)
            : query.gremlin() instanceof String script && script.contains(WritingServices.BACKUP);
    return mayCall ? g.withStrategies(new CallerStrategy(query.caller())) : g;
  }

  private static boolean beginsWithCall(Bytecode bytecode) {
    if (bytecode.getStepInstructions().isEmpty()) {
      return false;
    }
    Object[] arguments = bytecode.getStepInstructions().get(0).getArguments();
    return arguments.length > 0 && WritingServices.BACKUP.equals(arguments[0]);
  }

  /** Who asks. */
  public Caller caller() {
    return caller;
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    // It only says something.
  }
}
