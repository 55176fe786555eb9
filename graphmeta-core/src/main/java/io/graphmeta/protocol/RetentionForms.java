package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.storage.Family;

/** Messages of versions that are dropped, as bytes. */
final class RetentionForms {
  private static final Family[] FAMILIES = Family.values();

  private RetentionForms() {}

  static void writeExpired(Request.ReadExpired read, ByteWriter out) {
    read.horizons().writeTo(out);
    Fields.ordinal(read.family(), out);
    PositionForm.write(read.from(), out);
  }

  static Request.ReadExpired readExpired(ByteReader in) {
    return new Request.ReadExpired(
        Horizons.readFrom(in), Fields.ordinal(FAMILIES, in), PositionForm.read(in));
  }

  static void writeNote(Request.NoteDropped note, ByteWriter out) {
    out.putText(note.archive());
    note.horizons().writeTo(out);
  }

  static Request.NoteDropped readNote(ByteReader in) {
    return new Request.NoteDropped(in.getText(), Horizons.readFrom(in));
  }

  static void writeDrop(Request.DropRows drop, ByteWriter out) {
    out.putText(drop.archive());
    Fields.ordinal(drop.family(), out);
    Fields.arrays(drop.keys(), out);
  }

  static Request.DropRows readDrop(ByteReader in) {
    return new Request.DropRows(in.getText(), Fields.ordinal(FAMILIES, in), Fields.arrays(in));
  }
}
