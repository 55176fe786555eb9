package io.graphmeta.server.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object a line. */
public final class JsonLines {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** No version is of a later time. */
  private static final Instant LAST_TIME = Instant.parse("2255-01-01T00:00:00Z");

  private JsonLines() {}

  /** One object on one line. */
  public static void print(PrintWriter out, Map<String, ?> object) {
    print(out, MAPPER.writer(), object);
  }

  /** One object on many lines, for a document that holds nothing else. */
  public static void printIndented(PrintWriter out, Map<String, ?> object) {
    print(out, MAPPER.writerWithDefaultPrettyPrinter(), object);
  }

  private static void print(PrintWriter out, ObjectWriter writer, Map<String, ?> object) {
    try {
      out.println(writer.writeValueAsString(object));
    } catch (JsonProcessingException e) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "An answer cannot be written as JSON: " + e.getMessage(), e);
    }
  }

  /** An answer of a service: dates become text, and what JSON has no form for does too. */
  public static void printAnswer(PrintWriter out, Map<String, ?> answer) {
    Map<String, Object> object = new LinkedHashMap<>();
    answer.forEach((key, value) -> object.put(key, plain(value)));
    print(out, object);
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      map.forEach((key, inner) -> object.put(String.valueOf(key), plain(inner)));
      return object;
    } else if (value instanceof Collection<?> all) {
      List<@Nullable Object> list = new ArrayList<>();
      all.forEach(inner -> list.add(plain(inner)));
      return list;
    } else if (value instanceof OffsetDateTime time) {
      return text(time.toInstant());
    }
    return value == null || value instanceof Number || value instanceof Boolean
        ? value
        : value.toString();
  }

  /** Times of versions in their one form; a property may hold a time that no version has. */
  private static String text(Instant time) {
    boolean ofVersions = !time.isBefore(Instant.EPOCH) && time.isBefore(LAST_TIME);
    return ofVersions ? isoTime(Stamp.epochMicros(time)) : time.toString();
  }

  /** An object of which absent and empty values are left out. */
  public static final class Line {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** Adds a field, unless there is nothing in it. */
    public Line put(String key, @Nullable Object value) {
      if (value != null && !"".equals(value) && !List.of().equals(value)) {
        fields.put(key, value);
      }
      return this;
    }

    /** Prints it. */
    public void print(PrintWriter out) {
      JsonLines.print(out, fields);
    }
  }

  /** Microseconds since 1970 in the form of times of versions. */
  public static String isoTime(long micros) {
    return Stamp.format(Stamp.startOfMicros(micros));
  }
}
