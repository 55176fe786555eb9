package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.GraphMetaGraphStep;
import io.graphmeta.model.PropertyTypes;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.AndStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.NotStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.OrStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TraversalFilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.jspecify.annotations.Nullable;

/**
 * What the filters of a start, and those that follow it, ask of the values of properties: the part
 * of them that an index could be asked. The filters stay where they are. Pure.
 */
public final class Narrowing {
  /** A condition goes to the shards with each page; a larger one is left to the filters. */
  private static final int MAX_BYTES = 65_536;

  private Narrowing() {}

  /**
   * A condition that is true of each vertex, or edge, that the filters let through.
   *
   * @param testsValues whether shards see the values of properties as Gremlin does
   * @return null if no index could be asked
   */
  public static @Nullable Condition of(GraphMetaGraphStep<?, ?> start, boolean testsValues) {
    if (start.isById() || !testsValues) {
      return null;
    }
    ElementKind kind = start.returnsVertex() ? ElementKind.VERTEX : ElementKind.EDGE;
    Conditions conditions = new Conditions(true);
    List<Condition> parts = new ArrayList<>();
    for (HasContainer filter : start.filters()) {
      add(conditions.all(List.of(filter), kind), parts);
    }
    for (Step<?, ?> step = start.getNextStep(); isFilter(step); step = step.getNextStep()) {
      Condition condition = conditions.of(step, kind);
      if (condition == null && !passesAll(step)) {
        break; // what it looks at may be more than the element
      }
      add(condition, parts);
    }
    Condition all = and(parts);
    return all == null || askable(all) == null || bytes(all) > MAX_BYTES ? null : all;
  }

  private static boolean passesAll(Step<?, ?> step) {
    return step instanceof NoOpBarrierStep || step instanceof IdentityStep;
  }

  private static boolean isFilter(Step<?, ?> step) {
    return passesAll(step)
        || step instanceof HasStep
        || step instanceof TraversalFilterStep
        || step instanceof AndStep
        || step instanceof OrStep
        || step instanceof NotStep;
  }

  /**
   * Adds a condition: all of it, since one that is an error of some vertices keeps indexes from
   * what comes behind it. Ids are looked up only when the traversal is run.
   */
  private static void add(@Nullable Condition condition, List<Condition> parts) {
    if (condition != null && asksIds(condition)) {
      addAskable(condition, parts);
    } else if (condition != null) {
      parts.add(condition);
    }
  }

  private static boolean asksIds(Condition condition) {
    if (condition instanceof Condition.And and) {
      return and.of().stream().anyMatch(Narrowing::asksIds);
    } else if (condition instanceof Condition.Or or) {
      return or.of().stream().anyMatch(Narrowing::asksIds);
    } else if (condition instanceof Condition.Not not) {
      return asksIds(not.of());
    }
    return condition instanceof Condition.VertexIn;
  }

  private static void addAskable(@Nullable Condition condition, List<Condition> parts) {
    Condition askable = condition == null ? null : askable(condition);
    if (askable != null) {
      parts.add(askable);
    }
  }

  /** A condition on values that a condition implies; null if there is none. */
  private static @Nullable Condition askable(Condition condition) {
    if (condition instanceof Condition.Property || condition instanceof Condition.Id) {
      return condition;
    }
    if (condition instanceof Condition.And and) {
      List<Condition> parts = new ArrayList<>();
      and.of().forEach(each -> addAskable(each, parts));
      return and(parts);
    }
    if (condition instanceof Condition.Or or) {
      List<Condition> parts = new ArrayList<>();
      or.of().forEach(each -> addAskable(each, parts));
      return parts.isEmpty() || parts.size() < or.of().size() ? null : new Condition.Or(parts);
    }
    return null;
  }

  private static @Nullable Condition and(List<Condition> parts) {
    return parts.size() < 2 ? parts.stream().findFirst().orElse(null) : new Condition.And(parts);
  }

  private static long bytes(Condition condition) {
    if (condition instanceof Condition.Property property) {
      return property.key().length() + bytes(property.test());
    }
    if (condition instanceof Condition.Id id) {
      return bytes(id.test());
    }
    if (condition instanceof Condition.And and) {
      return and.of().stream().mapToLong(Narrowing::bytes).sum();
    }
    if (condition instanceof Condition.Not not) {
      return bytes(not.of());
    }
    return condition instanceof Condition.Or or
        ? or.of().stream().mapToLong(Narrowing::bytes).sum()
        : 0;
  }

  private static long bytes(ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      return PropertyTypes.estimatedBytes(compare.operand());
    } else if (test instanceof ValueTest.Within within) {
      return within.operands().stream().mapToLong(PropertyTypes::estimatedBytes).sum();
    } else if (test instanceof ValueTest.Text text) {
      return PropertyTypes.estimatedBytes(text.operand());
    } else if (test instanceof ValueTest.And and) {
      return and.of().stream().mapToLong(Narrowing::bytes).sum();
    }
    if (test instanceof ValueTest.Words words) {
      return words.words().stream().mapToLong(PropertyTypes::estimatedBytes).sum();
    }
    return test instanceof ValueTest.Or or
        ? or.of().stream().mapToLong(Narrowing::bytes).sum()
        : bytes(((ValueTest.Not) test).of());
  }
}
