package io.graphmeta.provenance;

import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties of vertices and edges of the {@link Vocabulary}. A property that is absent,
 * or of another type, counts as the least value: users can write any. Pure.
 */
final class RecordedValues {
  /** Leaves room to the last stamp for what the rules add to a time. */
  private static final long LAST_MICROS = Stamp.epochMicros(Instant.parse("2255-01-01T00:00:00Z"));

  private static final long MAX_EARLY_MILLIS = TimeUnit.DAYS.toMillis(7);

  private RecordedValues() {}

  /** The access that an edge records. */
  static Access access(EdgeRecord edge) {
    long valid = Stamp.micros(edge.validStamp());
    long start = micros(edge.value(Vocabulary.START));
    long end = micros(edge.value(Vocabulary.END));
    start = start == 0 ? valid : start;
    String interfaces = text(edge.value(Vocabulary.INTERFACES));
    long bytes = number(edge.value(Vocabulary.BYTES));
    return new Access(
        edge.key(),
        edge.key().out(),
        edge.key().in(),
        start,
        Math.max(start, end),
        earlyMicros(edge.value(Vocabulary.EARLY_MILLIS)),
        bytes,
        number(edge.value(Vocabulary.OPERATIONS)),
        number(edge.value(Vocabulary.OPENS)),
        number(edge.value(Vocabulary.EXTENT_BYTES)),
        Evidence.of(edge.value(Vocabulary.EVIDENCE)),
        Boolean.TRUE.equals(edge.value(Vocabulary.APPENDED)),
        bytes > 0 && interfaces.equals("posix"),
        edge.committedStamp());
  }

  /** The command line of a process; of others the name, or the last part of the id. */
  static String description(VertexRecord vertex) {
    Object text = vertex.value(Vocabulary.COMMAND_LINE);
    text = text != null ? text : vertex.value(Vocabulary.NAME);
    return Objects.requireNonNullElse(text, RecordRules.baseName(vertex.id())).toString();
  }

  /** Name of the executable of a process; empty if it has none. */
  static String executableName(VertexRecord process) {
    return text(process.value(Vocabulary.NAME));
  }

  /**
   * Microseconds since 1970 of a property that holds a time; 0 if it holds none, or one before. A
   * time behind the year 2254 counts as its end.
   */
  static long micros(@Nullable Object time) {
    return time instanceof OffsetDateTime moment
        ? Math.max(0, Math.min(LAST_MICROS, Stamp.epochMicros(moment.toInstant())))
        : 0;
  }

  /** By how much what is recorded can have begun earlier, in microseconds; a week at most. */
  static long earlyMicros(@Nullable Object millis) {
    return 1_000 * Math.max(0, Math.min(MAX_EARLY_MILLIS, number(millis)));
  }

  /** The whole number of a property; 0 if it holds none. */
  static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  /** A property as text; empty if it is absent. */
  static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
