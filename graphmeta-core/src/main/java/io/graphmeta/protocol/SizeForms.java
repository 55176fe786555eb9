package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.List;

/** Messages of how much there is, as bytes. */
final class SizeForms {
  private static final Family[] FAMILIES = Family.values();
  private static final int LEAST_NODE_BYTES = 4;
  private static final int LEAST_SIDE_BYTES = 9;
  private static final int MAX_VIRTUAL_NODE = 0xffff;

  private SizeForms() {}

  static void writeMeasure(Request.MeasureRows measure, ByteWriter out) {
    Fields.ordinal(measure.family(), out);
    Fields.view(measure.view(), out);
    PositionForm.write(measure.from(), out);
    out.putLong(measure.lastVertex()).putVarLong(measure.atLeast());
  }

  static Request.MeasureRows readMeasure(ByteReader in) {
    return new Request.MeasureRows(
        Fields.ordinal(FAMILIES, in),
        Fields.view(in),
        PositionForm.read(in),
        in.getLong(),
        in.getVarLong());
  }

  static void writeSizes(Response.RowSizes sizes, ByteWriter out) {
    PositionForm.writeNext(sizes.next(), out);
    out.putVarLong(sizes.keptRows()).putVarLong(sizes.keptBytes());
    out.putVarInt(sizes.virtualNodes().size());
    for (VirtualNodeSize node : sizes.virtualNodes()) {
      out.putVarInt(node.virtualNode()).putVarLong(node.elements());
      out.putVarLong(node.rows()).putVarLong(node.bytes());
    }
    out.putVarInt(sizes.sides().size());
    for (SideSize side : sizes.sides()) {
      out.putLong(side.vertex()).putVarLong(side.entries());
    }
  }

  static Response.RowSizes readSizes(ByteReader in) {
    Request.Position next = PositionForm.readNext(in);
    long keptRows = in.getVarLong();
    long keptBytes = in.getVarLong();
    int nodeCount = Fields.count(in, LEAST_NODE_BYTES);
    List<VirtualNodeSize> nodes = new ArrayList<>(nodeCount);
    for (int i = 0; i < nodeCount; i++) {
      nodes.add(
          new VirtualNodeSize(
              Fields.index(in, MAX_VIRTUAL_NODE),
              in.getVarLong(),
              in.getVarLong(),
              in.getVarLong()));
    }
    int sideCount = Fields.count(in, LEAST_SIDE_BYTES);
    List<SideSize> sides = new ArrayList<>(sideCount);
    for (int i = 0; i < sideCount; i++) {
      sides.add(new SideSize(in.getLong(), in.getVarLong()));
    }
    return new Response.RowSizes(nodes, sides, keptRows, keptBytes, next);
  }
}
