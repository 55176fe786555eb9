package io.graphmeta.gremlin.process.step;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Configuring;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeOtherVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ElementMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IdStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.jspecify.annotations.Nullable;

/**
 * All that strategies look at in a short traversal as it was written: its steps and their arguments
 * in order, but for the ids that it begins with. Two traversals of one shape are rewritten in the
 * same way by the same strategies. Only the steps that are listed here have shapes; a step of
 * another class, a label, an option of a step or a traversal within one, and the traversal has
 * none. Immutable.
 */
public final class TraversalShape {
  /** Longer traversals take longer to run than to rewrite. */
  private static final int MAX_STEPS = 8;

  private final Object[] parts;
  private final int hash;

  private TraversalShape(Object[] parts) {
    this.parts = parts;
    this.hash = Arrays.hashCode(parts);
  }

  /** The shape of a traversal whose strategies are not applied; null if it has none. */
  public static @Nullable TraversalShape of(Traversal.Admin<?, ?> traversal) {
    List<? extends Step<?, ?>> steps = steps(traversal);
    if (steps.isEmpty() || steps.size() > MAX_STEPS || ids(steps.get(0)) == null) {
      return null;
    }
    List<@Nullable Object> parts = new ArrayList<>(4 * MAX_STEPS);
    parts.add(((GraphStep<?, ?>) steps.get(0)).getReturnClass());
    for (int i = 1; i < steps.size(); i++) {
      Step<?, ?> step = steps.get(i);
      parts.add(step.getClass());
      if (!step.getLabels().isEmpty() || isConfigured(step) || !addArguments(step, parts)) {
        return null;
      }
    }
    return new TraversalShape(parts.toArray());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static List<? extends Step<?, ?>> steps(Traversal.Admin<?, ?> traversal) {
    return (List) traversal.getSteps();
  }

  /** The ids that a traversal begins with; null if it does not begin with ids alone. */
  static @Nullable Object @Nullable [] ids(Step<?, ?> step) {
    if (step.getClass() != GraphStep.class) {
      return null;
    }
    GraphStep<?, ?> start = (GraphStep<?, ?>) step;
    @Nullable Object @Nullable [] ids = start.getIds();
    boolean byIds = ids != null && ids.length > 0 && !(ids[0] instanceof Collection);
    return byIds && start.isStartStep() && start.getLabels().isEmpty() && !isConfigured(start)
        ? ids
        : null;
  }

  private static boolean isConfigured(Step<?, ?> step) {
    return step instanceof Configuring configured && !configured.getParameters().isEmpty();
  }

  /**
   * Adds what a step was written with; false if it has no shape. Exactly these classes are known.
   */
  private static boolean addArguments(Step<?, ?> step, List<@Nullable Object> parts) {
    Class<?> type = step.getClass();
    if (type == VertexStep.class) {
      VertexStep<?> hop = (VertexStep<?>) step;
      parts.add(hop.getDirection());
      parts.add(hop.getReturnClass());
      return addNames(hop.getEdgeLabels(), parts);
    }
    if (type == PropertiesStep.class) {
      PropertiesStep<?> properties = (PropertiesStep<?>) step;
      parts.add(properties.getReturnType());
      return addNames(properties.getPropertyKeys(), parts);
    }
    if (type == PropertyMapStep.class) {
      PropertyMapStep<?, ?> map = (PropertyMapStep<?, ?>) step;
      parts.add(map.getReturnType());
      parts.add(map.getIncludedTokens());
      return map.getLocalChildren().isEmpty() && addNames(map.getPropertyKeys(), parts);
    }
    if (type == ElementMapStep.class) {
      return addNames(((ElementMapStep<?, ?>) step).getPropertyKeys(), parts);
    }
    if (type == EdgeVertexStep.class) {
      return parts.add(((EdgeVertexStep) step).getDirection());
    }
    if (type == RangeGlobalStep.class) {
      RangeGlobalStep<?> range = (RangeGlobalStep<?>) step;
      return parts.add(range.getLowRange()) && parts.add(range.getHighRange());
    }
    if (type == DedupGlobalStep.class) {
      DedupGlobalStep<?> dedup = (DedupGlobalStep<?>) step;
      return dedup.getScopeKeys().isEmpty() && dedup.getLocalChildren().isEmpty();
    }
    return type == CountGlobalStep.class
        || type == IdStep.class
        || type == LabelStep.class
        || type == EdgeOtherVertexStep.class;
  }

  /** How many there are comes first, so that parts cannot be read in two ways. */
  private static boolean addNames(String[] names, List<@Nullable Object> parts) {
    parts.add(names.length);
    Collections.addAll(parts, names);
    return true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TraversalShape shape
        && hash == shape.hash
        && Arrays.equals(parts, shape.parts);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return Arrays.toString(parts);
  }
}
