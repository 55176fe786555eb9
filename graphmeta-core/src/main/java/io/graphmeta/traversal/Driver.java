package io.graphmeta.traversal;

import io.graphmeta.protocol.TraversalId;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.router.TraversalShards;

/** Drives the shards through a traversal. Belongs to one thread. */
interface Driver extends AutoCloseable {
  /** The traversal. */
  TraversalId id();

  /** The shards that it runs on. */
  TraversalShards asked();

  /** Runs it to its end, or in slices until there are results. */
  void run(Seeds seeds);

  /**
   * Runs it further, in slices until there are further results; the results that there were have
   * been fetched.
   *
   * @return false if it has come to its end before
   */
  default boolean goOn() {
    return false;
  }

  /** Whether slices cost more, from here on, than all levels would. */
  default boolean isSlow() {
    return false;
  }

  /** The first results that a shard told when it was done. */
  TraversalPage firstPage(int shard);

  /** Whether a shard holds more results than it has told. */
  boolean hasMore(int shard);

  /** Whether nothing is left to be run; shards may still hold results. */
  boolean isOver();

  /** Whether shards may hold something of it. */
  boolean isHeld();

  /** What the traversal took so far. */
  TraversalProfile profile();

  /** Ends it where a shard may still hold it, without waiting. */
  @Override
  void close();
}
