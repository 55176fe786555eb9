package io.graphmeta.gremlin.process.step;

import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** Puts the keys of vertices in the place of the ids that a plan was written with. */
final class PlanIds {
  private final Map<Condition.VertexIn, List<Object>> ids;
  private final ElementReader reader;
  private final @Nullable ReadView view;

  private PlanIds(
      Map<Condition.VertexIn, List<Object>> ids, ElementReader reader, @Nullable ReadView view) {
    this.ids = ids;
    this.reader = reader;
    this.view = view;
  }

  /** The plan with the keys that the ids lead to under a view. */
  static Plan resolved(PlannedPrefix prefix, ElementReader reader, @Nullable ReadView view) {
    if (prefix.ids().isEmpty()) {
      return prefix.plan();
    }
    PlanIds resolution = new PlanIds(prefix.ids(), reader, view);
    Plan plan = prefix.plan();
    return new Plan(
        plan.source(), each(plan.steps(), resolution::step), plan.range(), plan.result());
  }

  private static <T> List<T> each(List<T> list, UnaryOperator<T> change) {
    List<T> changed = new ArrayList<>(list.size());
    list.forEach(element -> changed.add(change.apply(element)));
    return changed;
  }

  private PlanStep step(PlanStep step) {
    if (step instanceof PlanStep.Filter filter) {
      return new PlanStep.Filter(condition(filter.condition()));
    }
    if (step instanceof PlanStep.Repeat loop) {
      return new PlanStep.Repeat(
          each(loop.body(), this::step),
          loop.times(),
          optional(loop.until()),
          loop.untilFirst(),
          optional(loop.emit()),
          loop.emitFirst());
    }
    return step;
  }

  private @Nullable Condition optional(@Nullable Condition condition) {
    return condition == null ? null : condition(condition);
  }

  private Condition condition(Condition condition) {
    if (condition instanceof Condition.VertexIn vertices) {
      List<Object> wanted = ids.get(vertices);
      return wanted == null ? vertices : new Condition.VertexIn(keys(wanted));
    }
    if (condition instanceof Condition.And and) {
      return new Condition.And(each(and.of(), this::condition));
    }
    if (condition instanceof Condition.Or or) {
      return new Condition.Or(each(or.of(), this::condition));
    }
    return condition instanceof Condition.Not not
        ? new Condition.Not(condition(not.of()))
        : condition;
  }

  private Set<Long> keys(List<Object> wanted) {
    Set<Long> keys = new HashSet<>();
    ElementSelection selection = new ElementSelection(wanted.toArray(), null, null, false);
    try (CloseableIterator<Vertex> found = reader.vertices(selection, view)) {
      while (found.hasNext()) {
        if (found.next() instanceof KeyedVertex vertex) {
          keys.add(vertex.key());
        }
      }
    }
    return keys;
  }
}
