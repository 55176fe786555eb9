package io.graphmeta.node;

import java.nio.file.Path;

/** A store that keeps files, with or without a shard at work over it. Safe for many threads. */
public interface CheckpointedStore {
  /** Puts the files of the store, as they are now, into a directory that is not there. */
  void checkpoint(Path directory);

  /**
   * Fails if rows that a view of a stamp needs may have been removed.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code SNAPSHOT_TOO_OLD}
   */
  void requireKept(long stamp);
}
