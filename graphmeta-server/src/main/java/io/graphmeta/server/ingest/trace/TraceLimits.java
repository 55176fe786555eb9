package io.graphmeta.server.ingest.trace;

/**
 * Limits of the readers: what goes beyond them is refused before it takes more memory.
 *
 * @param maxLineBytes longest line of events
 * @param maxDocumentBytes largest document of PROV
 * @param maxRuns most runs of one document, and most jobs
 * @param maxUses most accesses of all runs of one file of events
 */
public record TraceLimits(int maxLineBytes, long maxDocumentBytes, int maxRuns, int maxUses) {
  /** A document in memory, with what is read out of it, takes up to twenty times its length. */
  private static final int BYTES_OF_HEAP_FOR_ONE = 24;

  private static final int BYTES_OF_HEAP_FOR_A_USE = 2_000;

  /** As {@link #forHeap}, for the heap of this process. */
  public static final TraceLimits DEFAULT = forHeap(Runtime.getRuntime().maxMemory());

  /**
   * Lines of 16 MiB, documents of 256 MiB, 200,000 runs, a million accesses; of documents and
   * accesses no more than a heap has room for.
   */
  static TraceLimits forHeap(long bytes) {
    return new TraceLimits(
        16 << 20,
        Math.min(256L << 20, bytes / BYTES_OF_HEAP_FOR_ONE),
        200_000,
        (int) Math.min(1_000_000, bytes / BYTES_OF_HEAP_FOR_A_USE));
  }
}
