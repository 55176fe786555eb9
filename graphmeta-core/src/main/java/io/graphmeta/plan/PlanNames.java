package io.graphmeta.plan;

import java.util.Map;

/**
 * The ids of the names in a plan. What is not in it does not exist.
 *
 * @param vertexLabels ids of labels of vertices
 * @param edgeLabels ids of labels of edges
 * @param propertyKeys ids of property keys
 */
public record PlanNames(
    Map<String, Integer> vertexLabels,
    Map<String, Integer> edgeLabels,
    Map<String, Integer> propertyKeys) {
  /** Copies the maps. */
  public PlanNames {
    vertexLabels = Map.copyOf(vertexLabels);
    edgeLabels = Map.copyOf(edgeLabels);
    propertyKeys = Map.copyOf(propertyKeys);
  }
}
