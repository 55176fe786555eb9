package io.graphmeta.traversal;

/** How the results of a plan are taken. */
public enum Demand {
  /** All of them: none is handed out before the whole plan was run. */
  ALL,
  /**
   * One by one, perhaps only the first of them: the shards begin with slices, which bring results
   * soon, and run the whole plan when these are used up and more are asked for.
   */
  AS_ASKED
}
