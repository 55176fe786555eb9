package io.graphmeta.plan;

/** Whether a traversal stands at a vertex or at an edge. */
public enum ElementKind {
  VERTEX,
  EDGE
}
