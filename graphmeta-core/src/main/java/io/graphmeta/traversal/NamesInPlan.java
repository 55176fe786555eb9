package io.graphmeta.traversal;

import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ids of the names that are in a plan. A name that this client does not know may have
 * been defined by another client since it has asked for the names.
 */
final class NamesInPlan {
  private final SchemaImage schema;
  private final Map<String, Integer> vertexLabels = new HashMap<>();
  private final Map<String, Integer> edgeLabels = new HashMap<>();
  private final Map<String, Integer> propertyKeys = new HashMap<>();

  private ElementKind kind;
  private boolean complete = true;

  private NamesInPlan(SchemaImage schema, ElementKind kind) {
    this.schema = schema;
    this.kind = kind;
  }

  /** The names in a plan that is run at a view. */
  static PlanNames of(Plan plan, ReadView view, Router router) {
    NamesInPlan known = of(plan, router.schema());
    NamesInPlan names = known.complete ? known : of(plan, router.schemaAt(view.snapshot()));
    return new PlanNames(names.vertexLabels, names.edgeLabels, names.propertyKeys);
  }

  private static NamesInPlan of(Plan plan, SchemaImage schema) {
    NamesInPlan names = new NamesInPlan(schema, plan.source().kind());
    if (plan.source() instanceof PlanSource.Scan scan) {
      boolean vertices = scan.kind() == ElementKind.VERTEX;
      scan.labels().forEach(vertices ? names::vertexLabel : names::edgeLabel);
    }
    plan.steps().forEach(names::step);
    names.result(plan.result());
    return names;
  }

  private void vertexLabel(String name) {
    put(vertexLabels, NameKind.VERTEX_LABEL, name);
  }

  private void edgeLabel(String name) {
    put(edgeLabels, NameKind.EDGE_LABEL, name);
  }

  private void propertyKey(String name) {
    put(propertyKeys, NameKind.PROPERTY_KEY, name);
  }

  private void put(Map<String, Integer> ids, NameKind kind, String name) {
    int id = schema.id(kind, name);
    if (id != 0) {
      ids.put(name, id);
    } else {
      complete = false;
    }
  }

  private void step(PlanStep step) {
    if (step instanceof PlanStep.Expand expand) {
      expand.labels().forEach(this::edgeLabel);
      kind = expand.toEdges() ? ElementKind.EDGE : ElementKind.VERTEX;
    } else if (step instanceof PlanStep.EdgeEnd) {
      kind = ElementKind.VERTEX;
    } else if (step instanceof PlanStep.Filter filter) {
      condition(filter.condition());
    } else if (step instanceof PlanStep.Repeat repeat) {
      repeat.body().forEach(this::step);
      condition(repeat.until());
      condition(repeat.emit());
    }
  }

  private void condition(@Nullable Condition condition) {
    if (condition instanceof Condition.LabelIn labels) {
      boolean ofVertices = kind == ElementKind.VERTEX;
      labels.labels().forEach(ofVertices ? this::vertexLabel : this::edgeLabel);
    } else if (condition instanceof Condition.Property property) {
      propertyKey(property.key());
    } else if (condition instanceof Condition.HasKey key) {
      propertyKey(key.key());
    } else if (condition instanceof Condition.HasEdge edge) {
      edge.labels().forEach(this::edgeLabel);
    } else if (condition instanceof Condition.And and) {
      and.of().forEach(this::condition);
    } else if (condition instanceof Condition.Or or) {
      or.of().forEach(this::condition);
    } else if (condition instanceof Condition.Not not) {
      condition(not.of());
    }
  }

  private void result(PlanResult result) {
    if (result instanceof PlanResult.Values values) {
      values.columns().forEach(this::projection);
    } else if (result instanceof PlanResult.Reduced reduced) {
      propertyKey(reduced.key());
    } else if (result instanceof PlanResult.Top top) {
      List<PlanResult.Ordering> by = top.by();
      by.forEach(ordering -> propertyKey(ordering.key()));
    }
  }

  private void projection(Projection projection) {
    if (projection instanceof Projection.EachValue each) {
      propertyKey(each.key());
    } else if (projection instanceof Projection.FirstValue first) {
      propertyKey(first.key());
    }
  }
}
