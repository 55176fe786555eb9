package io.graphmeta.model;

/** How many values a property key can have on one vertex. */
public enum Cardinality {
  /** One value; a new one replaces it. */
  SINGLE,
  /** Any number of values. */
  LIST,
  /** Any number of different values; writing one again changes its meta-properties only. */
  SET
}
