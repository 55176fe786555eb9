package io.graphmeta.plan;

/** A value that a plan computes from an element. */
public sealed interface Projection {
  /** The element itself. */
  record Self() implements Projection {}

  /** Its id as a text: the one that it was given, or the generated one. */
  record Id() implements Projection {}

  /** Its label. */
  record Label() implements Projection {}

  /** Every value of a property; an element without one is passed over. */
  record EachValue(String key) implements Projection {}

  /** The first value of a property; an element without one is passed over. */
  record FirstValue(String key) implements Projection {}
}
