package io.graphmeta.gremlin.process.step;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.traversal.Demand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.jspecify.annotations.Nullable;

/**
 * The first steps of a traversal as a plan.
 *
 * @param plan what they say; where it asks for ids it has empty sets of keys
 * @param ids the ids of each of these sets, by the condition itself
 * @param start where the traversal begins
 * @param ordinary the steps themselves, for when the plan cannot be run; a traversal of its own, of
 *     which the ids that it begins with are those of {@code start}
 * @param demand how the steps behind take the results of the plan
 * @param labels the labels of each position of a path
 * @param stepLabels the labels of what the steps hand on
 * @param unrolled whether the steps behind see each traverser on its own, and not equal ones as one
 * @param outside which step did not go into the plan, and why; null if all did
 */
public record PlannedPrefix(
    Plan plan,
    Map<Condition.VertexIn, List<Object>> ids,
    GraphMetaGraphStep<?, ?> start,
    Traversal.Admin<?, ?> ordinary,
    Demand demand,
    PathLabels labels,
    Set<String> stepLabels,
    boolean unrolled,
    @Nullable String outside) {
  /** The same steps from other ids; only for a prefix that begins with given ids. */
  PlannedPrefix beginningWith(@Nullable Object[] others) {
    GraphMetaGraphStep<?, ?> other = start.clone();
    other.beginWith(others);
    return new PlannedPrefix(
        plan, ids, other, ordinary, demand, labels, stepLabels, unrolled, outside);
  }

  /** As before it had ids to begin with, in steps that are nobody else's. */
  PlannedPrefix withoutIds() {
    GraphMetaGraphStep<?, ?> other = start.clone();
    other.forgetIds();
    Traversal.Admin<?, ?> steps = ordinaryCopy();
    ((GraphMetaGraphStep<?, ?>) steps.getStartStep()).forgetIds();
    return new PlannedPrefix(
        plan, ids, other, steps, demand, labels, stepLabels, unrolled, outside);
  }

  /** The steps themselves, to be run: with the ids of the start, whose steps they may not be. */
  Traversal.Admin<?, ?> ordinaryCopy() {
    Traversal.Admin<?, ?> copy = (Traversal.Admin<?, ?>) ordinary.clone();
    ((GraphMetaGraphStep<?, ?>) copy.getStartStep()).beginWith(start.getIds());
    return copy;
  }
}
