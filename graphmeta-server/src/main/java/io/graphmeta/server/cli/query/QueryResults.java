package io.graphmeta.server.cli.query;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.cli.output.ValueText;
import io.graphmeta.server.table.Cell;
import io.graphmeta.server.table.CsvWriter;
import io.graphmeta.server.table.RowWriter;
import io.graphmeta.server.table.TextTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONMapper;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONVersion;
import org.apache.tinkerpop.gremlin.structure.io.graphson.GraphSONXModuleV3;
import org.apache.tinkerpop.gremlin.structure.io.graphson.TypeInfo;
import org.apache.tinkerpop.shaded.jackson.core.JsonGenerator;
import org.apache.tinkerpop.shaded.jackson.core.JsonProcessingException;
import org.apache.tinkerpop.shaded.jackson.databind.JsonSerializer;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.SerializerProvider;
import org.apache.tinkerpop.shaded.jackson.databind.module.SimpleModule;
import org.apache.tinkerpop.shaded.jackson.databind.ser.std.StdSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Prints the results of a query as they come. In tables and CSV a map is a row with a column for
 * each key, an element one with its id and label, and anything else a row of one column.
 */
final class QueryResults {
  private static final int CHECKED_EVERY = 1_000;

  /** The form of the results. */
  enum Format {
    TEXT,
    JSON,
    TABLE,
    CSV,
    SPREADSHEET;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final PrintWriter out;
  private final @Nullable ObjectMapper mapper;
  private final @Nullable RowWriter rows;

  QueryResults(PrintWriter out, Format format) {
    this.out = out;
    this.mapper = format == Format.TEXT ? null : mapper();
    this.rows =
        switch (format) {
          case TEXT, JSON -> null;
          case TABLE -> new TextTable(out, Terminal.detect().width());
          case CSV -> new CsvWriter(out, false);
          case SPREADSHEET -> new CsvWriter(out, true);
        };
  }

  /** Prints all, unless nobody reads any more. */
  void print(Iterator<?> results) {
    long count = 0;
    while (results.hasNext()) {
      print(results.next());
      if (++count % CHECKED_EVERY == 0 && out.checkError()) {
        return;
      }
    }
    if (rows != null) {
      rows.end();
    }
  }

  private void print(@Nullable Object result) {
    if (rows != null) {
      rows.write(row(result));
    } else {
      out.println(mapper == null ? text(result) : json(result));
    }
  }

  private Map<String, Cell> row(@Nullable Object result) {
    Map<String, Cell> row = new LinkedHashMap<>();
    if (result instanceof Map<?, ?> map) {
      map.forEach((key, value) -> put(row, String.valueOf(key), value));
    } else if (result instanceof Element element) {
      put(row, "id", element.id());
      put(row, "label", element.label());
      if (element instanceof Edge edge) {
        put(row, "out", edge.outVertex().id());
        put(row, "in", edge.inVertex().id());
      }
    } else {
      put(row, "result", result);
    }
    return row;
  }

  private void put(Map<String, Cell> row, String key, @Nullable Object value) {
    @Nullable Object single =
        value instanceof Collection<?> all && all.size() == 1 ? all.iterator().next() : value;
    if (single instanceof Collection<?> || single instanceof Map<?, ?>) {
      row.put(key, new Cell(json(single), false));
    } else if (single != null) {
      row.put(key, new Cell(ValueText.of(single), single instanceof Number));
    } else {
      row.put(key, Cell.NONE);
    }
  }

  private String json(@Nullable Object result) {
    try {
      return java.util.Objects.requireNonNull(mapper).writeValueAsString(result);
    } catch (JsonProcessingException e) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "A result cannot be written as JSON: " + e.getMessage(), e);
    }
  }

  private static ObjectMapper mapper() {
    ObjectMapper mapper =
        GraphSONMapper.build()
            .version(GraphSONVersion.V3_0)
            .typeInfo(TypeInfo.NO_TYPES)
            .addCustomModule(GraphSONXModuleV3.build())
            .create()
            .createMapper();
    SimpleModule times = new SimpleModule();
    times.addSerializer(new TimeForm());
    times.addKeySerializer(OffsetDateTime.class, new KeyForm());
    mapper.registerModule(times); // behind those of GraphSON, so that it wins
    return mapper;
  }

  /** As in all other forms; GraphSON leaves out seconds that are zero. */
  private static final class TimeForm extends StdSerializer<OffsetDateTime> {
    private static final long serialVersionUID = 1L;

    TimeForm() {
      super(OffsetDateTime.class);
    }

    @Override
    public void serialize(OffsetDateTime time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(ValueText.of(time));
    }
  }

  /** Of the key of a map. */
  private static final class KeyForm extends JsonSerializer<OffsetDateTime> {
    @Override
    public void serialize(OffsetDateTime time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeFieldName(ValueText.of(time));
    }
  }

  /** A result as Gremlin prints it, line breaks written out. */
  private static String text(@Nullable Object result) {
    return ValueText.of(result).replace("\r", "\\r").replace("\n", "\\n");
  }
}
