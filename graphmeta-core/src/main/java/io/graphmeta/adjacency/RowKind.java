package io.graphmeta.adjacency;

import io.graphmeta.storage.Family;

/** What rows a cached unit holds. */
public enum RowKind {
  /** Edges at their destination. */
  EDGES_IN(Family.IN, Unit.BODIES),
  /** Edges at their source, without properties. */
  EDGE_KEYS_OUT(Family.OUT, Unit.BODIES),
  /** Edges at their source, with properties. */
  EDGES_OUT(Family.OUT, Unit.ALL_ROWS),
  /** A vertex with properties. */
  VERTEX(Family.ATTRIBUTES, Unit.ALL_ROWS),
  /** What an id leads to. */
  ID(Family.IDS, Unit.ALL_ROWS);

  private final int family;
  private final int content;

  RowKind(Family family, int content) {
    this.family = Unit.familyNumber(family);
    this.content = content;
  }

  int tag(int labelId) {
    return Unit.tag(labelId, family, content);
  }
}
