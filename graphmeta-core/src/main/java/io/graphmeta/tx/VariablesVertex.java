package io.graphmeta.tx;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;

/**
 * Which vertex is the one whose properties are the variables of the graph. Its label, which users
 * cannot give, has no other vertex; so its key tells. Belongs to the thread of its transaction.
 */
final class VariablesVertex {
  /** Id and label of the vertex. */
  static final String NAME = "~variables";

  private int labelId;

  /** The vertex as a transaction that begins knows it. */
  VariablesVertex(Router router) {
    // A label that is defined later belongs to a commit behind the snapshot of the transaction.
    this.labelId = router.schema().id(NameKind.VERTEX_LABEL, NAME);
  }

  /** True if the label is known, without which there is no such vertex. */
  boolean mayExist() {
    return labelId != 0;
  }

  /** True for the vertex of the variables, which reads of the graph leave out. */
  boolean is(long vertex) {
    return labelId != 0 && VertexKeys.labelId(vertex) == labelId;
  }

  /** The transaction creates the vertex, whose label has this id. */
  void created(int ofLabel) {
    labelId = ofLabel;
  }
}
