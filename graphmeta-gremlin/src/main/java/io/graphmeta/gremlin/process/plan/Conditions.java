package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.EdgeLabels;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.AbstractLambdaTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.TrueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.AndStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.NotStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.OrStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TraversalFilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.T;
import org.jspecify.annotations.Nullable;

/**
 * Translates filter steps into conditions of plans, and answers null for a filter that no condition
 * expresses. Used by one translation, and so by one thread.
 */
final class Conditions {
  private static final Condition ALWAYS = new Condition.Always();

  private final boolean testsValues;
  private final Map<Condition.VertexIn, List<Object>> ids = new IdentityHashMap<>();

  /**
   * For one translation.
   *
   * @param testsValues whether shards see the values of properties as Gremlin does
   */
  Conditions(boolean testsValues) {
    this.testsValues = testsValues;
  }

  /** Whether shards see the values of properties as Gremlin does. */
  boolean testsValues() {
    return testsValues;
  }

  /** The ids that conditions ask for, by the condition that their keys go into. */
  Map<Condition.VertexIn, List<Object>> ids() {
    return ids;
  }

  /** What a step lets through. */
  @Nullable Condition of(Step<?, ?> step, ElementKind kind) {
    if (step instanceof HasStep<?> has) {
      return all(has.getHasContainers(), kind);
    }
    if (step instanceof TraversalFilterStep<?> filter) {
      return of(filter.getFilterTraversal(), kind);
    }
    if (step instanceof NotStep<?> not) {
      Condition negated = of(not.getLocalChildren().get(0), kind);
      return negated == null ? null : new Condition.Not(negated);
    }
    if (step instanceof AndStep<?> and) {
      List<Condition> parts = each(and.getLocalChildren(), kind);
      return parts == null ? null : and(parts);
    }
    if (step instanceof OrStep<?> or) {
      List<Condition> parts = each(or.getLocalChildren(), kind);
      return parts == null ? null : new Condition.Or(parts);
    }
    return null;
  }

  private @Nullable List<Condition> each(
      List<? extends Traversal.Admin<?, ?>> children, ElementKind kind) {
    List<Condition> parts = new ArrayList<>(children.size());
    for (Traversal.Admin<?, ?> child : children) {
      Condition condition = of(child, kind);
      if (condition == null) {
        return null;
      }
      parts.add(condition);
    }
    return parts;
  }

  private static Condition and(List<Condition> parts) {
    return parts.size() == 1 ? parts.get(0) : new Condition.And(parts);
  }

  /** What a child traversal is asked for: whether it leads to anything. */
  @Nullable Condition of(Traversal.Admin<?, ?> child, ElementKind kind) {
    if (child instanceof TrueTraversal) {
      return ALWAYS;
    }
    if (child instanceof AbstractLambdaTraversal) {
      return null;
    }
    List<Condition> parts = new ArrayList<>();
    for (Step<?, ?> step : child.getSteps()) {
      if (!step.getLabels().isEmpty()) {
        return null;
      }
      if (step instanceof NoOpBarrierStep || step instanceof IdentityStep) {
        continue;
      }
      boolean last = step == child.getEndStep();
      Condition condition = last ? existence(step, kind) : null;
      condition = condition == null ? of(step, kind) : condition;
      if (condition == null) {
        return null;
      }
      parts.add(condition);
    }
    return parts.isEmpty() ? ALWAYS : and(parts);
  }

  /** Whether there is a property, or an edge, that a step leads to. */
  private static @Nullable Condition existence(Step<?, ?> step, ElementKind kind) {
    if (step instanceof PropertiesStep<?> properties) {
      List<Condition> keys = new ArrayList<>();
      for (String key : properties.getPropertyKeys()) {
        if (key == null) {
          return null;
        }
        keys.add(new Condition.HasKey(key));
      }
      return keys.size() < 2 ? keys.stream().findFirst().orElse(null) : new Condition.Or(keys);
    }
    if (step instanceof VertexStep<?> hop && kind == ElementKind.VERTEX) {
      List<String> labels = EdgeLabels.of(hop);
      return labels == null
          ? null
          : new Condition.HasEdge(EdgeLabels.direction(hop.getDirection()), labels);
    }
    return null;
  }

  /** What all of the containers ask for together. */
  @Nullable Condition all(List<HasContainer> containers, ElementKind kind) {
    List<Condition> parts = new ArrayList<>(containers.size());
    for (HasContainer container : containers) {
      Condition condition = of(container, kind);
      if (condition == null) {
        return null;
      }
      parts.add(condition);
    }
    return and(parts);
  }

  private @Nullable Condition of(HasContainer container, ElementKind kind) {
    String key = container.getKey();
    if (container.getClass() != HasContainer.class
        || key == null
        || container.getPredicate() == null) {
      return null;
    }
    if (key.equals(T.label.getAccessor())) {
      return Predicates.membership(container.getPredicate(), Conditions::labels);
    }
    if (key.equals(T.id.getAccessor())) {
      return kind == ElementKind.VERTEX ? id(container.getPredicate()) : null;
    }
    if (key.startsWith("~") || !testsValues) {
      return null;
    }
    var test = Predicates.valueTest(container.getPredicate());
    return test == null ? null : new Condition.Property(key, test);
  }

  private @Nullable Condition id(P<?> predicate) {
    Condition exact = Predicates.membership(predicate, this::vertices);
    ValueTest test = exact == null && testsValues ? Predicates.idTest(predicate) : null;
    return test == null ? exact : new Condition.Id(test);
  }

  private static @Nullable Condition labels(Collection<?> values) {
    Set<String> labels = new HashSet<>();
    for (Object value : values) {
      if (!(value instanceof String label)) {
        return null;
      }
      labels.add(label);
    }
    return new Condition.LabelIn(labels);
  }

  /** Ids stand for the keys that they are found to lead to when the plan is run. */
  private @Nullable Condition vertices(Collection<?> values) {
    List<Object> wanted = new ArrayList<>();
    for (Object value : values) {
      if (!(value instanceof String
          || value instanceof Integer
          || value instanceof Long
          || value instanceof UUID)) {
        return null;
      }
      wanted.add(value);
    }
    Condition.VertexIn condition = new Condition.VertexIn(Set.of());
    ids.put(condition, wanted);
    return condition;
  }
}
