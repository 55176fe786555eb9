package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import java.util.ArrayList;
import java.util.List;

/** Names with their ids as bytes. */
final class SchemaForms {
  private static final NameKind[] NAME_KINDS = NameKind.values();

  private SchemaForms() {}

  static void write(SchemaImage image, ByteWriter out) {
    out.putVarInt(image.entries().size());
    for (SchemaName name : image.entries()) {
      Fields.ordinal(name.kind(), out);
      Fields.flag(name.multiValued(), out);
      out.putVarInt(name.id());
      out.putText(name.name());
    }
  }

  static SchemaImage read(ByteReader in) {
    int count = Fields.count(in, 4);
    int[] counts = new int[NAME_KINDS.length];
    List<SchemaName> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      NameKind kind = Fields.ordinal(NAME_KINDS, in);
      boolean multiValued = Fields.flag(in);
      // Refused here, so that a message of many short names takes no memory for them.
      if (++counts[kind.ordinal()] > kind.maxId()) {
        throw Fields.corrupt("More than " + kind.maxId() + " " + kind.plural());
      }
      names.add(new SchemaName(kind, Fields.index(in, kind.maxId()), in.getText(), multiValued));
    }
    try {
      return SchemaImage.of(names);
    } catch (GraphMetaException e) {
      throw Fields.corrupt(String.valueOf(e.getMessage()));
    }
  }
}
