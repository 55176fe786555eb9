package io.graphmeta.provenance;

import io.graphmeta.error.GraphMetaException;

/**
 * How far a search for lineage goes. One that meets a limit ends with a marked partial result.
 *
 * @param maxDepth most steps from the start: from a file to its writer is one, from there to what
 *     that read another
 * @param maxElements most elements in the result
 */
public record LineageLimits(int maxDepth, int maxElements) {
  /** 1,000 steps and 100,000 elements. */
  public static final LineageLimits DEFAULT = new LineageLimits(1_000, 100_000);

  public LineageLimits {
    if (maxDepth < 0) {
      throw GraphMetaException.invalid("Depth " + maxDepth + " is negative; expected 0 or more");
    }
    if (maxElements < 1) {
      throw GraphMetaException.invalid(
          "Limit of " + maxElements + " elements; expected at least 1");
    }
  }
}
