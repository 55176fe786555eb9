package io.graphmeta.storage;

/** How durable a write is when it is acknowledged. */
public enum Durability {
  /** On disk: neither the end of the process nor the loss of power loses it. */
  SYNC,
  /**
   * With the operating system: the end of the process, by any signal, does not lose it; the loss of
   * power can lose the writes since the last background sync.
   */
  BACKGROUND
}
