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
  /** Lines of 16 MiB, documents of 256 MiB, 200,000 runs, a million accesses. */
  public static final TraceLimits DEFAULT =
      new TraceLimits(16 << 20, 256L << 20, 200_000, 1_000_000);
}
