package io.graphmeta.stage;

import java.util.function.LongSupplier;

/**
 * What traversals may take on one shard.
 *
 * @param maxFrontier most elements at one position, and most results
 * @param sliceElements elements in the first slice of a traversal in slices, and results after
 *     which its client is told for the first time
 * @param pageBytes size at which a page of results ends, in bytes
 * @param requestMillis time allowed for a request, in milliseconds
 * @param nanoTime a time that never goes back, in nanoseconds
 */
public record StageLimits(
    int maxFrontier, int sliceElements, int pageBytes, long requestMillis, LongSupplier nanoTime) {
  /** When a run that begins now is left, so that its client hears of it while it still listens. */
  long deadlineNanos() {
    return nanoTime.getAsLong() + requestMillis * 250_000L; // a quarter
  }
}
