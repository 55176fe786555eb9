package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.transfer.FileEntry;
import java.util.ArrayList;
import java.util.List;

/** Messages of files, as bytes. */
final class FileForms {
  private static final int LEAST_ENTRY_BYTES = 3;

  private FileForms() {}

  static void writeTake(Request.TakeCheckpoint take, ByteWriter out) {
    out.putLong(take.stamp()).putLong(take.checkpoint()).putVarLong(take.keepMillis());
  }

  static Request.TakeCheckpoint readTake(ByteReader in) {
    return new Request.TakeCheckpoint(in.getLong(), in.getLong(), in.getVarLong());
  }

  static void writeList(Request.ListFiles list, ByteWriter out) {
    out.putLong(list.checkpoint()).putVarInt(list.from());
  }

  static Request.ListFiles readList(ByteReader in) {
    return new Request.ListFiles(in.getLong(), in.getVarInt());
  }

  static void writeRead(Request.ReadFile read, ByteWriter out) {
    out.putLong(read.checkpoint()).putText(read.name());
    out.putVarLong(read.offset()).putVarInt(read.length());
  }

  static Request.ReadFile readRead(ByteReader in) {
    return new Request.ReadFile(in.getLong(), in.getText(), in.getVarLong(), in.getVarInt());
  }

  static void writeSum(Request.SumFile sum, ByteWriter out) {
    out.putLong(sum.checkpoint()).putText(sum.name());
    out.putVarLong(sum.offset()).putVarInt(sum.length());
  }

  static Request.SumFile readSum(ByteReader in) {
    return new Request.SumFile(in.getLong(), in.getText(), in.getVarLong(), in.getVarInt());
  }

  static void writeKeep(Request.KeepCheckpoint keep, ByteWriter out) {
    out.putLong(keep.checkpoint()).putVarLong(keep.keepMillis());
  }

  static Request.KeepCheckpoint readKeep(ByteReader in) {
    return new Request.KeepCheckpoint(in.getLong(), in.getVarLong());
  }

  static void writeFiles(Response.Files listed, ByteWriter out) {
    out.putVarInt(listed.format()).putVarInt(listed.next());
    out.putVarInt(listed.files().size());
    for (FileEntry file : listed.files()) {
      out.putText(file.name()).putVarLong(file.bytes()).putText(file.origin());
    }
  }

  static Response.Files readFiles(ByteReader in) {
    int format = in.getVarInt();
    int next = in.getVarInt();
    int count = Fields.count(in, LEAST_ENTRY_BYTES);
    List<FileEntry> files = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      files.add(new FileEntry(in.getText(), in.getVarLong(), in.getText()));
    }
    return new Response.Files(format, files, next);
  }

  static void writeBytes(Response.FileBytes range, ByteWriter out) {
    out.putVarLong(range.offset()).putInt(range.checksum());
    Fields.bytes(range.bytes(), out);
  }

  static Response.FileBytes readBytes(ByteReader in) {
    return new Response.FileBytes(in.getVarLong(), in.getInt(), Fields.bytes(in));
  }
}
