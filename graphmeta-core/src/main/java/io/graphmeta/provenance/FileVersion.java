package io.graphmeta.provenance;

import org.jspecify.annotations.Nullable;

/**
 * A version of a file. Immutable.
 *
 * @param startMicros when its writing began, in microseconds since 1970; 0 for the content before
 *     the first recorded write
 * @param writer id of the process that wrote it; null if none is recorded
 */
public record FileVersion(long startMicros, @Nullable String writer) {
  /** The content before the first recorded write. */
  static final FileVersion INITIAL = new FileVersion(0, null);
}
