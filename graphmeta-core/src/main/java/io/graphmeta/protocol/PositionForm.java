package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.protocol.Request.Position;
import org.jspecify.annotations.Nullable;

/** Where a paged answer goes on, as bytes. */
final class PositionForm {
  private PositionForm() {}

  static void write(Position position, ByteWriter out) {
    out.putVarInt(position.index());
    Fields.bytes(position.key(), out);
  }

  static Position read(ByteReader in) {
    return read(in, Integer.MAX_VALUE);
  }

  /** As {@link #read(ByteReader)}; the index is at most {@code max}. */
  static Position read(ByteReader in, int max) {
    return new Position(Fields.index(in, max), Fields.bytes(in));
  }

  /** A position, or none behind the last page. */
  static void writeNext(@Nullable Position next, ByteWriter out) {
    Fields.flag(next != null, out);
    if (next != null) {
      write(next, out);
    }
  }

  static @Nullable Position readNext(ByteReader in) {
    return Fields.flag(in) ? read(in) : null;
  }
}
