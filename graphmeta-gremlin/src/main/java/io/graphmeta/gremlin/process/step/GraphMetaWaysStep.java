package io.graphmeta.gremlin.process.step;

import io.graphmeta.frontier.Ways;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;

/**
 * Lets traversers through as they are, as long as a long can count them. It stands before a step of
 * TinkerPop that adds up bulks, which would wrap round.
 */
public final class GraphMetaWaysStep<S> extends AbstractStep<S, S> {
  private long ways;

  /** Counts what passes at this place of the traversal. */
  public GraphMetaWaysStep(Traversal.Admin<?, ?> traversal) {
    super(traversal);
  }

  @Override
  protected Traverser.Admin<S> processNextStart() {
    Traverser.Admin<S> traverser = starts.next();
    ways = Ways.told(Ways.sum(ways, traverser.bulk()));
    return traverser;
  }

  @Override
  public Set<TraverserRequirement> getRequirements() {
    return Set.of(TraverserRequirement.BULK);
  }

  @Override
  public void reset() {
    super.reset();
    ways = 0;
  }
}
