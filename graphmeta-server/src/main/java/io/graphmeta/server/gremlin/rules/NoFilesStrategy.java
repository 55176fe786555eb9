package io.graphmeta.server.gremlin.rules;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IoStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/** Refuses what would read or write files of the server, whichever way it came. Immutable. */
final class NoFilesStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.VerificationStrategy>
    implements TraversalStrategy.VerificationStrategy {
  private static final long serialVersionUID = 1L;

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.hasStepOfAssignableClass(IoStep.class, traversal)) {
      throw Refusal.files();
    }
  }
}
