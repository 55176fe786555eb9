package io.graphmeta.gremlin.process.step;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.jspecify.annotations.Nullable;

/**
 * What the strategies of one graph have made of traversals, by their shape. To rewrite a traversal
 * of a few steps takes several times as long as to run it; the steps that another of its shape came
 * to are as good, with its own ids.
 *
 * <p><b>Why it is right.</b> All traversals here had the same strategies in the same order, no side
 * effects, and the same graph. What else strategies see of a traversal is its {@link
 * TraversalShape}; ids they hand on as they are. The steps kept have run nothing, hold no ids, and
 * are copied for each use, as TinkerPop copies the steps of a traversal. Whether the transaction
 * has writes of its own, and what its snapshot is, steps ask when they run.
 *
 * <p>Keeps the steps of {@value #MOST} shapes; then it begins anew. Safe for use by many threads.
 */
public final class KnownTraversals {
  /** Programs have a few dozen; shapes that differ by a number in them are what could be many. */
  static final int MOST = 256;

  private final ConcurrentHashMap<TraversalShape, List<Step<?, ?>>> known =
      new ConcurrentHashMap<>();

  /** Puts the steps for a shape in the place of those of a traversal; false if it has none yet. */
  public boolean rewrite(Traversal.Admin<?, ?> traversal, TraversalShape shape) {
    List<Step<?, ?>> steps = known.get(shape);
    @Nullable Object @Nullable [] ids = TraversalShape.ids(traversal.getStartStep());
    if (steps == null || ids == null) {
      return false;
    }
    for (int last = traversal.getSteps().size() - 1; last >= 0; last--) {
      traversal.removeStep(last);
    }
    for (Step<?, ?> step : steps) {
      Step<?, ?> copy = step.clone();
      if (copy instanceof BeginsWithIds first) {
        first.beginWith(ids);
      }
      traversal.addStep(copy);
    }
    return true;
  }

  /** Notes what the strategies have made of a traversal of a shape, which has not run yet. */
  public void remember(TraversalShape shape, Traversal.Admin<?, ?> traversal) {
    List<Step<?, ?>> steps = new ArrayList<>(traversal.getSteps().size());
    for (int i = 0; i < traversal.getSteps().size(); i++) {
      Step<?, ?> copy = ((Step<?, ?>) traversal.getSteps().get(i)).clone();
      if (copy instanceof BeginsWithIds first) {
        first.forgetIds();
      }
      steps.add(copy);
    }
    if (known.size() >= MOST) {
      known.clear();
    }
    known.put(shape, steps);
  }

  /** How many shapes are known. */
  int size() {
    return known.size();
  }

  @Override
  public String toString() {
    return known.values().toString();
  }
}
