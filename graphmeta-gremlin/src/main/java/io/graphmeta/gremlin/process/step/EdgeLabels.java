package io.graphmeta.gremlin.process.step;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/**
 * The labels and the direction of the edges that a hop of Gremlin follows, as the engine names
 * them. Pure.
 */
public final class EdgeLabels {
  private EdgeLabels() {}

  /** The labels of a hop, each once; none for all; null if one of them is null. */
  public static @Nullable List<String> of(VertexStepContract<?> hop) {
    Set<String> labels = new LinkedHashSet<>();
    for (String label : hop.getEdgeLabels()) {
      if (label == null) {
        return null;
      }
      labels.add(label);
    }
    return List.copyOf(labels);
  }

  /** The direction of edges, as the engine has it. */
  public static io.graphmeta.model.Direction direction(Direction direction) {
    return switch (direction) {
      case OUT -> io.graphmeta.model.Direction.OUT;
      case IN -> io.graphmeta.model.Direction.IN;
      case BOTH -> io.graphmeta.model.Direction.BOTH;
    };
  }
}
