package io.graphmeta.server.ingest.darshan;

import java.util.List;

/**
 * When a program moved its bytes: equal spans of time from the start of the job on.
 *
 * @param spanSeconds how long each span is
 * @param bytesRead bytes read in each span, over all ranks and files
 * @param bytesWritten bytes written in each span; as many spans
 */
public record Timeline(double spanSeconds, List<Long> bytesRead, List<Long> bytesWritten) {
  /** How many spans there are at most. */
  public static final int MAX_SPANS = 64;
}
