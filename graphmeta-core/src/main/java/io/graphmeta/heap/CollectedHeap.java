package io.graphmeta.heap;

/** A heap as a {@link HeapGauge} sees it. Safe for use by many threads. */
interface CollectedHeap {
  /** The most that it can grow to, in bytes. */
  long maxBytes();

  /** What is in use where objects go that live for long, garbage among them, in bytes. */
  long usedBytes();

  /**
   * Collects all garbage.
   *
   * @return false if the process is told not to do so when asked
   */
  boolean collect();
}
