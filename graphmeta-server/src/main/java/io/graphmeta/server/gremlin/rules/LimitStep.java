package io.graphmeta.server.gremlin.rules;

import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;

/** Lets traversers through as they are, and ends the query when they go beyond a limit. */
final class LimitStep<S> extends AbstractStep<S, S> {
  private static final long serialVersionUID = 1L;

  /** What is looked at. */
  enum Watch {
    /** How many traversers the step behind has gathered. */
    GATHERED,
    /** How many members the list of the step behind has got, bulks written out. */
    LISTED,
    /** How large the value, or the sack, has become. */
    VALUE,
    /** How large all is that the step behind may put into a text. */
    TEXT_SOURCES,
    /** How many members the value has that the step behind multiplies. */
    PRODUCT_SIDE,
    /** How many rounds were gone. */
    LOOPS
  }

  private final Watch watch;
  private final String step;
  private final transient QueryLimits limits;
  private long gathered;

  LimitStep(Traversal.Admin<?, ?> traversal, Watch watch, String step, QueryLimits limits) {
    super(traversal);
    this.watch = watch;
    this.step = step;
    this.limits = limits;
  }

  @Override
  protected Traverser.Admin<S> processNextStart() throws NoSuchElementException {
    Traverser.Admin<S> traverser = starts.next();
    switch (watch) {
      case GATHERED -> limits.requireGathered(++gathered, step);
      case LISTED -> {
        gathered += Math.min(traverser.bulk(), limits.maxFrontier() + 1L);
        limits.requireGathered(gathered, step);
      }
      case VALUE -> {
        limits.requireValue(traverser.get(), step);
        Object sack = traverser.sack();
        if (sack != null) {
          limits.requireValue(sack, step);
        }
      }
      case TEXT_SOURCES -> {
        limits.requireValue(traverser.get(), step);
        limits.requireValue(traverser.path().objects(), step);
      }
      case PRODUCT_SIDE -> limits.requireProductSide(traverser.get());
      case LOOPS -> limits.requireLoops(traverser.loops());
    }
    return traverser;
  }

  @Override
  public void reset() {
    super.reset();
    gathered = 0;
  }

  @Override
  public String toString() {
    return "Limit(" + watch + ")";
  }
}
