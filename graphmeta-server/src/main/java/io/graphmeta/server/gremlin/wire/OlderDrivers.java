package io.graphmeta.server.gremlin.wire;

import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.structure.io.Buffer;
import org.apache.tinkerpop.gremlin.structure.io.binary.DataType;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryReader;
import org.apache.tinkerpop.gremlin.structure.io.binary.GraphBinaryWriter;
import org.apache.tinkerpop.gremlin.structure.io.binary.TypeSerializerRegistry;
import org.apache.tinkerpop.gremlin.structure.io.binary.types.SimpleTypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * Drivers before 3.8. They tell their version when they connect, and some cannot read a time with
 * an offset, which is what dates are since 3.8; they get it as a date, to the millisecond.
 */
final class OlderDrivers {
  /** Such as {@code NotAvailable gremlin-python.3.7.7 3.11.7 Linux.6.1 x86_64}. */
  private static final Pattern NAME = Pattern.compile("(?i)gremlin\\S{0,40}\\.3\\.[0-7]\\.\\d");

  private OlderDrivers() {}

  /** Whether a driver that calls itself so is one of them. */
  static boolean includes(@Nullable String userAgent) {
    return userAgent != null && NAME.matcher(userAgent).find();
  }

  /** GraphBinary that they can read. */
  static TypeSerializerRegistry.Builder readable(TypeSerializerRegistry.Builder types) {
    return types.add(OffsetDateTime.class, new TimeAsDate());
  }

  private static final class TimeAsDate extends SimpleTypeSerializer<OffsetDateTime> {
    TimeAsDate() {
      super(DataType.DATE);
    }

    @Override
    protected OffsetDateTime readValue(Buffer buffer, GraphBinaryReader reader) {
      throw new UnsupportedOperationException("Dates are read as " + Date.class.getName());
    }

    @Override
    protected void writeValue(OffsetDateTime time, Buffer buffer, GraphBinaryWriter writer)
        throws IOException {
      buffer.writeLong(time.toInstant().toEpochMilli());
    }
  }
}
