package io.graphmeta.gremlin.jsr223;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/**
 * Shorthands for reading the past at a prompt. They work on embedded and on remote sources alike,
 * because they only set the options {@code asOf} and {@code knownAt}. Safe for use by many threads.
 */
public final class TimeTravel {
  private TimeTravel() {}

  /**
   * A source that reads what was true at a time.
   *
   * @param time ISO-8601, a date, or epoch milliseconds
   */
  public static GraphTraversalSource asOf(GraphTraversalSource g, Object time) {
    return g.with("asOf", time);
  }

  /**
   * A source that reads what the database knew at a time.
   *
   * @param time ISO-8601, a date, or epoch milliseconds
   */
  public static GraphTraversalSource knownAt(GraphTraversalSource g, Object time) {
    return g.with("knownAt", time);
  }

  /**
   * The moment a while ago, by the clock of this machine.
   *
   * @param duration ISO-8601 such as {@code PT90M} or {@code P7D}, or as short as {@code 90m} and
   *     {@code 7d}
   * @throws GraphMetaException if it is no duration
   */
  public static OffsetDateTime ago(String duration) {
    return Instant.now().minus(parse(duration)).atOffset(ZoneOffset.UTC);
  }

  private static Duration parse(String duration) {
    String iso =
        duration.startsWith("P") ? duration : (duration.endsWith("d") ? "P" : "PT") + duration;
    try {
      return Duration.parse(iso);
    } catch (DateTimeParseException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_ARGUMENT,
          "'" + duration + "' is no duration; expected one such as 90m, 12h, 7d or PT1H30M",
          e);
    }
  }
}
