package io.graphmeta.search;

import io.graphmeta.plan.ElementKind;

/**
 * A label. The ids of labels of vertices and those of labels of edges are apart.
 *
 * @param element what it is a label of
 * @param id its id
 */
public record ElementLabel(ElementKind element, int id) {
  /** A label of vertices. */
  public static ElementLabel ofVertices(int id) {
    return new ElementLabel(ElementKind.VERTEX, id);
  }

  /** A label of edges. */
  public static ElementLabel ofEdges(int id) {
    return new ElementLabel(ElementKind.EDGE, id);
  }
}
