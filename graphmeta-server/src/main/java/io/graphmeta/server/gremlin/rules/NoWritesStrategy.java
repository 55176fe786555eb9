package io.graphmeta.server.gremlin.rules;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Refuses writes that came by GET. A browser sends a GET for every image that any page names.
 * Immutable.
 */
final class NoWritesStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.VerificationStrategy>
    implements TraversalStrategy.VerificationStrategy {
  private static final long serialVersionUID = 1L;

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (TraversalHelper.hasStepOfAssignableClass(Mutating.class, traversal)
        || WritingServices.areCalled(traversal)) {
      throw Refusal.forbidden("GET only reads, and the query writes; send it by POST");
    }
  }
}
