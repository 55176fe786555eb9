package io.graphmeta.plan;

/** What a traversal stands at. */
public enum ElementKind {
  VERTEX,
  EDGE
}
