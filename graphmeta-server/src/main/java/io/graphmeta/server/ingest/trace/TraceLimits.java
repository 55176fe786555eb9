package io.graphmeta.server.ingest.trace;

/**
 * Limits of the readers: what goes beyond them is refused before it takes more memory.
 *
 * @param maxLineBytes longest line of events
 * @param maxDocumentBytes largest document of PROV
 * @param maxRuns most runs of one document
 */
public record TraceLimits(int maxLineBytes, long maxDocumentBytes, int maxRuns) {
  /** Lines of 16 MiB, documents of 256 MiB, 200,000 runs. */
  public static final TraceLimits DEFAULT = new TraceLimits(16 << 20, 256L << 20, 200_000);
}
