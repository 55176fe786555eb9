package io.graphmeta.storage.rocksdb;

/**
 * The log of one of the stores that {@link LogCuts} cuts together. Safe for use by many threads.
 */
interface CutLog {
  /** A number that no earlier or later opening of the store has. */
  long opening();

  /** The number of the newest row: no write that has returned has a later one. Does not wait. */
  long position();

  /** Brings to disk all that was written before this call. */
  void sync();
}
