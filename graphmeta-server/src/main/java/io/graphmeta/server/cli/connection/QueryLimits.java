package io.graphmeta.server.cli.connection;

import io.graphmeta.server.gremlin.rules.WritingServices;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IoStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;

/** Refuses what a query of the command line may not do. Immutable. */
final class QueryLimits extends AbstractTraversalStrategy<TraversalStrategy.VerificationStrategy>
    implements TraversalStrategy.VerificationStrategy {
  private static final long serialVersionUID = 1L;

  private final boolean writesAllowed;

  private QueryLimits(boolean writesAllowed) {
    this.writesAllowed = writesAllowed;
  }

  static QueryLimits of(boolean writesAllowed) {
    return new QueryLimits(writesAllowed);
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (!writesAllowed && WritingServices.areCalled(traversal)) {
      throw new VerificationException(
          "The query calls a service that writes; give --write to allow it", traversal);
    }
    for (Step<?, ?> step : traversal.getSteps()) {
      if (step instanceof IoStep) {
        throw new VerificationException(
            "The query reads or writes a file by io(), which is not allowed here", traversal);
      }
      if (step instanceof Mutating && !writesAllowed) {
        throw new VerificationException(
            "The query writes (" + step + "); give --write to allow it", traversal);
      }
    }
  }
}
