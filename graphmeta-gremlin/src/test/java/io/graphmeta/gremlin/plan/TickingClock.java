package io.graphmeta.gremlin.plan;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is told to go on. */
final class TickingClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  /** Goes on by an hour and gives the moment half an hour ago. */
  Instant nextHour() {
    now = now.plus(Duration.ofHours(1));
    return now.minus(Duration.ofMinutes(30));
  }

  /** Goes on a little. */
  void tick() {
    now = now.plus(Duration.ofMillis(100));
  }
}
