package io.graphmeta.bench.workload;

import io.graphmeta.model.Direction;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import java.util.ArrayList;
import java.util.List;

/** How many vertices are some steps out from others, each counted once. */
public final class DistinctSteps {
  private DistinctSteps() {}

  /** The plan; it begins with the vertices that are given. */
  public static Plan plan(int steps) {
    List<PlanStep> plan = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      plan.add(new PlanStep.Expand(Direction.OUT, List.of(), false));
      plan.add(new PlanStep.Dedup());
    }
    return new Plan(
        new PlanSource.Given(ElementKind.VERTEX), plan, ResultRange.ALL, new PlanResult.Count());
  }
}
