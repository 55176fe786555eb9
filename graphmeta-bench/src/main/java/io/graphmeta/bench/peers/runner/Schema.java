package io.graphmeta.bench.peers.runner;

import java.util.List;
import java.util.Map;

/**
 * The labels and properties that a benchmark uses, for providers that must be told them before.
 * Immutable.
 *
 * @param textIds vertices have ids of text; of numbers if not
 * @param keys the type of each property
 * @param vertices the labels of vertices
 * @param edges the labels of edges
 */
public record Schema(
    boolean textIds,
    Map<String, Class<?>> keys,
    List<VertexLabel> vertices,
    List<EdgeLabel> edges) {
  /** A label of vertices, and the properties that each of them has. */
  public record VertexLabel(String name, List<String> keys) {}

  /** A label of edges, the labels of their ends, and the properties that each of them has. */
  public record EdgeLabel(String name, String from, String to, List<String> keys) {}
}
