package io.graphmeta.tx;

import io.graphmeta.model.VertexRecord;

/**
 * The vertex whose properties are the variables of the graph. Its id and its label are reserved, so
 * that no other vertex has them; reads of the graph leave it out by its label.
 */
final class VariablesVertex {
  /** Id and label of the vertex. */
  static final String NAME = "~variables";

  private VariablesVertex() {}

  /** True for the vertex of the variables. */
  static boolean is(VertexRecord vertex) {
    return isLabel(vertex.label());
  }

  /** True for the label of the vertex of the variables. */
  static boolean isLabel(String label) {
    return label.equals(NAME);
  }
}
