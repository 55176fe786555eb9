package io.graphmeta.gremlin.suite;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.TraversalProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The results of a plan in random order, all read when the first is asked for. */
final class ShuffledResults implements PlanCursor {
  private final PlanCursor run;
  private final Plan plan;
  private final Random random;
  private @Nullable List<Row> rows;
  private int position = -1;

  private record Row(long bulk, List<Object> content, @Nullable VertexRecord read) {}

  ShuffledResults(PlanCursor run, Plan plan, Random random) {
    this.run = run;
    this.plan = plan;
    this.random = random;
  }

  private List<Row> rows() {
    List<Row> all = rows;
    if (all == null) {
      all = new ArrayList<>();
      while (run.next()) {
        all.add(new Row(run.bulk(), content(), run.vertexRecord()));
      }
      Collections.shuffle(all, random);
      rows = all;
    }
    return all;
  }

  private List<Object> content() {
    if (plan.result() instanceof PlanResult.Paths) {
      return List.copyOf(run.path());
    }
    if (plan.result() instanceof PlanResult.Values values) {
      List<Object> columns = new ArrayList<>();
      for (int i = 0; i < values.columns().size(); i++) {
        columns.add(run.value(i));
      }
      return columns;
    }
    if (plan.result() instanceof PlanResult.Reduced) {
      return List.of(run.value(0));
    }
    if (plan.result() instanceof PlanResult.Count) {
      return List.of();
    }
    return List.of(plan.finalKind() == ElementKind.VERTEX ? (Object) run.vertex() : run.edge());
  }

  @Override
  public boolean next() {
    return ++position < rows().size();
  }

  @Override
  public long bulk() {
    return rows().get(position).bulk();
  }

  @Override
  public long vertex() {
    return (Long) rows().get(position).content().get(0);
  }

  @Override
  public @Nullable VertexRecord vertexRecord() {
    return rows().get(position).read();
  }

  @Override
  public EdgeKey edge() {
    return (EdgeKey) rows().get(position).content().get(0);
  }

  @Override
  public Object value(int column) {
    return rows().get(position).content().get(column);
  }

  @Override
  public List<Object> path(int from) {
    List<Object> path = rows().get(position).content();
    return path.subList(from, path.size());
  }

  @Override
  public int pathShared() {
    return 0;
  }

  @Override
  public TraversalProfile profile() {
    return run.profile();
  }

  @Override
  public void close() {
    rows = List.of();
    run.close();
  }
}
