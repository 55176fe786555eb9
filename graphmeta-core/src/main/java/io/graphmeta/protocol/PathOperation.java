package io.graphmeta.protocol;

/**
 * What the client of a traversal does by itself where paths matter, since it needs nothing but the
 * path. The ordinal is sent: append only.
 */
public enum PathOperation {
  /** Keep the paths that meet no element twice. */
  SIMPLE,
  /** Keep the paths that meet an element twice. */
  CYCLIC,
  /** Keep the first path to each element. */
  DISTINCT,
  /** Go on to the source of the edge. */
  END_OUT,
  /** Go on to the destination of the edge. */
  END_IN,
  /** Go on to the source of the edge, and to its destination. */
  END_BOTH,
  /** Go on to the end of the edge that it was not reached from. */
  END_OTHER,
  /** The path is a result. */
  FINISH
}
