package io.graphmeta.server.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object a line. */
final class JsonLines {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonLines() {}

  static void print(PrintWriter out, Map<String, ?> object) {
    try {
      out.println(MAPPER.writeValueAsString(object));
    } catch (JsonProcessingException e) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "An answer cannot be written as JSON: " + e.getMessage(), e);
    }
  }

  /** An object of which absent and empty values are left out. */
  static final class Line {
    private final Map<String, Object> fields = new LinkedHashMap<>();

    Line put(String key, @Nullable Object value) {
      if (value != null && !"".equals(value) && !List.of().equals(value)) {
        fields.put(key, value);
      }
      return this;
    }

    /** A time as ISO-8601 text; 0 is none. */
    Line time(String key, long micros) {
      return put(key, micros == 0 ? null : isoTime(micros));
    }

    Line doubts(Collection<Doubt> doubts) {
      return put("doubts", doubts.stream().map(Doubt::word).toList());
    }

    void print(PrintWriter out) {
      JsonLines.print(out, fields);
    }
  }

  static String isoTime(long micros) {
    return Stamp.format(Stamp.startOfMicros(micros));
  }
}
