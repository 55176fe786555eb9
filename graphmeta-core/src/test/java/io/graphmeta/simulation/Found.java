package io.graphmeta.simulation;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a read found: the slots of each element, by the names of elements, so that two answers can
 * be compared and printed.
 */
record Found(Map<String, Map<String, Version>> elements) {
  static Found nothing() {
    return new Found(new TreeMap<>());
  }

  /**
   * The value of a slot.
   *
   * @param stamp when it was committed; {@link io.graphmeta.time.Stamp#MAX} for what the reader
   *     wrote itself
   */
  record Version(Object value, long stamp) {
    @Override
    public String toString() {
      return value + "@" + (stamp == Long.MAX_VALUE ? "own" : stamp);
    }
  }

  @Override
  public String toString() {
    return elements.toString();
  }
}
