package io.graphmeta.server.ingest.sacct;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

/**
 * How to read accounting text.
 *
 * @param zone the zone of times without one: {@code sacct} prints the local time of the machine it
 *     runs on. A time that occurs twice, when clocks are set back, is taken for the earlier one
 * @param maxLineBytes longest line accepted
 */
public record SacctOptions(ZoneId zone, int maxLineBytes) {
  private static final int DEFAULT_MAX_LINE_BYTES = 1 << 20;

  public SacctOptions {
    Objects.requireNonNull(zone, "zone");
    if (maxLineBytes < 1) {
      throw new IllegalArgumentException("maxLineBytes " + maxLineBytes + " must be at least 1");
    }
  }

  /** UTC and lines of at most 1 MiB. */
  public static SacctOptions defaults() {
    return new SacctOptions(ZoneOffset.UTC, DEFAULT_MAX_LINE_BYTES);
  }

  /** The same with another zone. */
  public SacctOptions withZone(ZoneId newZone) {
    return new SacctOptions(newZone, maxLineBytes);
  }

  /** The same with another limit. */
  public SacctOptions withMaxLineBytes(int newMaxLineBytes) {
    return new SacctOptions(zone, newMaxLineBytes);
  }
}
