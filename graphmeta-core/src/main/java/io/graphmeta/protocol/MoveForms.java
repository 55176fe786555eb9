package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.protocol.Request.GiveStep;
import java.util.ArrayList;
import java.util.List;

/** Messages of entries that are moved, as bytes. */
final class MoveForms {
  private static final GiveStep[] STEPS = GiveStep.values();
  private static final int LEAST_HOT_BYTES = 10;

  private MoveForms() {}

  static void move(MoveId move, ByteWriter out) {
    out.putLong(move.vertex());
    Fields.flag(move.outgoing(), out);
    out.putVarInt(move.partition()).putLong(move.attempt());
  }

  static MoveId move(ByteReader in) {
    return new MoveId(in.getLong(), Fields.flag(in), in.getVarInt(), in.getLong());
  }

  static void writeGive(Request.GiveEntries give, ByteWriter out) {
    move(give.move(), out);
    Fields.ordinal(give.step(), out);
    PositionForm.write(give.from(), out);
    out.putVarInt(give.number());
  }

  static Request.GiveEntries readGive(ByteReader in) {
    return new Request.GiveEntries(
        move(in), Fields.ordinal(STEPS, in), PositionForm.read(in), in.getVarInt());
  }

  static void writeTake(Request.TakeEntries take, ByteWriter out) {
    move(take.move(), out);
    out.putVarInt(take.number());
    Fields.arrays(take.keys(), out);
    Fields.arrays(take.values(), out);
  }

  static Request.TakeEntries readTake(ByteReader in) {
    MoveId move = move(in);
    int number = in.getVarInt();
    byte[][] keys = Fields.arrays(in);
    byte[][] values = Fields.arrays(in);
    if (keys.length != values.length) {
      throw Fields.corrupt(keys.length + " keys and " + values.length + " values of rows");
    }
    return new Request.TakeEntries(move, number, keys, values);
  }

  static void writeHot(Response.Hot hot, ByteWriter out) {
    out.putVarInt(hot.partitions().size());
    for (HotPartition each : hot.partitions()) {
      out.putLong(each.vertex());
      Fields.flag(each.outgoing(), out);
      out.putVarLong(each.entries());
    }
  }

  static Response.Hot readHot(ByteReader in) {
    int count = Fields.count(in, LEAST_HOT_BYTES);
    List<HotPartition> partitions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      partitions.add(new HotPartition(in.getLong(), Fields.flag(in), in.getVarLong()));
    }
    return new Response.Hot(partitions);
  }
}
