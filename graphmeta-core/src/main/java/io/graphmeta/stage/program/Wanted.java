package io.graphmeta.stage.program;

import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.Projection;
import java.util.ArrayList;
import java.util.List;

/** What a plan wants of the elements that its operations find. Immutable. */
public final class Wanted {
  private final PlanResult result;
  private final long most;
  private final PlanNames names;
  private final List<Projection> columns;
  private final boolean needsRows;

  /** What a plan wants, with the ids of its names. */
  public Wanted(Plan plan, PlanNames names) {
    this.result = plan.result();
    this.most = plan.range().high();
    this.names = names;
    this.columns = columns(result);
    this.needsRows = needsRows(result);
  }

  private static List<Projection> columns(PlanResult result) {
    if (result instanceof PlanResult.Values projected) {
      return projected.columns();
    } else if (result instanceof PlanResult.Top first) {
      List<Projection> columns = new ArrayList<>();
      columns.add(new Projection.Self());
      first.by().forEach(ordering -> columns.add(new Projection.FirstValue(ordering.key())));
      return List.copyOf(columns);
    }
    return List.of();
  }

  private static boolean needsRows(PlanResult result) {
    return result instanceof PlanResult.Top
        || result instanceof PlanResult.Reduced
        || result instanceof PlanResult.Values values
            && values.columns().stream()
                .anyMatch(
                    column ->
                        column instanceof Projection.Id
                            || column instanceof Projection.EachValue
                            || column instanceof Projection.FirstValue);
  }

  /** The result that the plan asks for. */
  public PlanResult result() {
    return result;
  }

  /** The number of results after which no more are wanted; {@code Long.MAX_VALUE} for all. */
  public long most() {
    return most;
  }

  /** Whether all results are wanted, however many they are. */
  public boolean isAll() {
    return most == Long.MAX_VALUE;
  }

  /** Whether the number of results is wanted and nothing else of them. */
  public boolean isCount() {
    return result instanceof PlanResult.Count;
  }

  /** Whether elements are wanted, with their properties or without. */
  public boolean isElements() {
    return result instanceof PlanResult.Elements;
  }

  /** Whether elements are wanted and nothing that only the shard of their home knows. */
  public boolean isElementsAlone() {
    return result instanceof PlanResult.Elements elements && !elements.withProperties();
  }

  /** Whether what is wanted of the results is in the rows of the elements. */
  public boolean needsRows() {
    return needsRows;
  }

  /** What is projected of each result, in order; empty unless values are wanted. */
  public List<Projection> columns() {
    return columns;
  }

  /** The id of a property key; 0 if there is none of that name. */
  public int propertyKey(String key) {
    return names.propertyKeys().getOrDefault(key, 0);
  }

  /**
   * Whether results that several threads have found apart can be put together in any order. Sums of
   * doubles cannot: they are rounded in the order in which they are added, and the result of a
   * traversal is to be the same each time.
   */
  public boolean canBePutTogether() {
    return isAll()
        && !(result instanceof PlanResult.Top)
        && !(result instanceof PlanResult.Reduced);
  }
}
