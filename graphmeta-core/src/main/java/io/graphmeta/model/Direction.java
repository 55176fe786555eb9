package io.graphmeta.model;

/** Which edges of a vertex: those that leave it, those that enter it, or both. */
public enum Direction {
  OUT,
  IN,
  BOTH
}
