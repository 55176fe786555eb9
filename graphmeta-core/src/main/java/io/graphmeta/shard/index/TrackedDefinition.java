package io.graphmeta.shard.index;

import io.graphmeta.search.IndexDefinition;

/**
 * A definition, and how far its index is. Belongs to the one thread that changes the index.
 *
 * <pre>
 *   waiting ----------------------> building -----------------> built
 *             all is decided that               the last element
 *             was not listed                    was read
 * </pre>
 */
final class TrackedDefinition {
  private static final byte[] NONE = {};

  final IndexDefinition definition;

  /** Building begins when the resolved stamp is not below this: what is later is listed. */
  private final long listedAbove;

  private State state;
  private byte[] next = NONE;
  private long elements;

  private enum State {
    WAITING,
    BUILDING,
    BUILT
  }

  private TrackedDefinition(IndexDefinition definition, long listedAbove, State state) {
    this.definition = definition;
    this.listedAbove = listedAbove;
    this.state = state;
  }

  /** One of which nothing is indexed. */
  static TrackedDefinition waiting(IndexDefinition definition, long listedAbove) {
    return new TrackedDefinition(definition, listedAbove, State.WAITING);
  }

  /** One of which an index on disk has everything, or everything up to an element. */
  static TrackedDefinition continued(IndexDefinition definition, boolean built, byte[] next) {
    TrackedDefinition tracked =
        new TrackedDefinition(definition, 0, built ? State.BUILT : State.BUILDING);
    tracked.next = next;
    return tracked;
  }

  /** Whether changes have to be followed. */
  boolean isFollowed() {
    return state != State.WAITING;
  }

  boolean isBuilding() {
    return state == State.BUILDING;
  }

  boolean isBuilt() {
    return state == State.BUILT;
  }

  /** Begins to build if the resolved stamp has passed what was not listed. */
  boolean beginIfDecided(long resolved) {
    if (state != State.WAITING || resolved < listedAbove) {
      return false;
    }
    state = State.BUILDING;
    return true;
  }

  /** The key to go on with; empty for the first. */
  byte[] next() {
    return next;
  }

  /** How many elements were read since the building began. */
  long elements() {
    return elements;
  }

  /** Some more elements were read. */
  void goOnWith(byte[] key, long more) {
    next = key;
    elements += more;
  }

  /** All elements were read. */
  void built(long more) {
    state = State.BUILT;
    next = NONE;
    elements += more;
  }
}
