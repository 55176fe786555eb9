package io.graphmeta.traversal;

import io.graphmeta.stability.Experimental;

/** How the shards work together on a traversal (GraphMeta, section 5.3). */
public enum Engine {
  /** Level by level, and idle in between. */
  @Experimental
  SYNC,
  /** Level by level; a shard that waits for the next level reads ahead what it will need. */
  PREFETCH,
  /** Without levels: what arrives is worked on at once, as GraphTrek does. */
  @Experimental
  ASYNC
}
