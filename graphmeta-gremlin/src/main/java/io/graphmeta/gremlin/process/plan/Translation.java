package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.PathLabels;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.traversal.Demand;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.T;
import org.jspecify.annotations.Nullable;

/**
 * The longest prefix of a traversal that a plan says.
 *
 * @param plan the plan
 * @param ids the ids that its conditions ask for, by condition
 * @param length how many steps it stands for
 * @param demand how the steps behind it take its results
 * @param key what a grouping step behind the prefix groups by: the plan has worked it out already,
 *     and the step is to group by what it gets; null if there is no such step
 * @param labels labels of the positions of paths
 * @param stepLabels labels of what the prefix hands on
 * @param outside the step that ended the prefix, and why; null if it is the whole traversal
 */
public record Translation(
    Plan plan,
    Map<Condition.VertexIn, List<Object>> ids,
    int length,
    Demand demand,
    @Nullable GroupKey key,
    PathLabels labels,
    Set<String> stepLabels,
    @Nullable String outside) {
  /**
   * What elements are grouped by.
   *
   * @param token id, label, or value
   * @param property the key of the property, of a value
   */
  public record GroupKey(T token, @Nullable String property) {}
}
