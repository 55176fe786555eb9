package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.schema.NameKind;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Messages about indexes, as bytes. */
final class IndexForms {
  private static final Detail[] DETAILS = Detail.values();
  private static final ElementKind[] ELEMENTS = ElementKind.values();
  private static final IndexKind[] KINDS = IndexKind.values();
  private static final int LEAST_STATE_BYTES = 18;

  private IndexForms() {}

  static void writeSearch(Request.SearchVertices search, ByteWriter out) {
    out.putVarInt(search.labelId());
    PlanForm.where(search.where(), out);
    PlanForm.names(search.names(), out);
    Fields.view(search.view(), out);
    Fields.ordinal(search.detail(), out);
    PositionForm.write(search.from(), out);
  }

  static Request.SearchVertices readSearch(ByteReader in) {
    return new Request.SearchVertices(
        Fields.index(in, NameKind.VERTEX_LABEL.maxId()),
        PlanForm.where(in),
        PlanForm.names(in),
        Fields.view(in),
        Fields.ordinal(DETAILS, in),
        PositionForm.read(in));
  }

  static void writeDuring(Request.SearchDuring search, ByteWriter out) {
    out.putVarInt(search.labelId());
    PlanForm.where(search.where(), out);
    PlanForm.names(search.names(), out);
    out.putLong(search.views().validFrom());
    Fields.view(search.views().last(), out);
    PositionForm.write(search.from(), out);
  }

  static Request.SearchDuring readDuring(ByteReader in) {
    return new Request.SearchDuring(
        Fields.index(in, NameKind.VERTEX_LABEL.maxId()),
        PlanForm.where(in),
        PlanForm.names(in),
        views(in),
        PositionForm.read(in));
  }

  private static ViewSpan views(ByteReader in) {
    long validFrom = in.getLong();
    ReadView last = Fields.view(in);
    if (validFrom > last.validAt()) {
      throw Fields.corrupt("Views end at " + last.validAt() + " before they begin at " + validFrom);
    }
    return new ViewSpan(validFrom, last);
  }

  static void writeSearch(Request.SearchEdges search, ByteWriter out) {
    Fields.set(search.labelIds(), out);
    PlanForm.where(search.where(), out);
    PlanForm.names(search.names(), out);
    Fields.view(search.view(), out);
    Fields.ordinal(search.detail(), out);
    PositionForm.write(search.from(), out);
  }

  static Request.SearchEdges readEdgeSearch(ByteReader in) {
    return new Request.SearchEdges(
        Fields.set(in, NameKind.EDGE_LABEL.maxId()),
        PlanForm.where(in),
        PlanForm.names(in),
        Fields.view(in),
        Fields.ordinal(DETAILS, in),
        PositionForm.read(in));
  }

  static void writeIndexes(Response.Indexes indexes, ByteWriter out) {
    out.putVarInt(indexes.states().size());
    indexes.states().forEach(state -> write(state, out));
    out.putText(indexes.fault());
  }

  static Response.Indexes readIndexes(ByteReader in) {
    int count = Fields.count(in, LEAST_STATE_BYTES);
    List<IndexState> states = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      states.add(read(in));
    }
    return new Response.Indexes(states, in.getText());
  }

  static void writeCompare(Request.CompareIndex compare, ByteWriter out) {
    out.putLong(compare.number());
    PositionForm.write(compare.from(), out);
  }

  static Request.CompareIndex readCompare(ByteReader in) {
    return new Request.CompareIndex(in.getLong(), PositionForm.read(in));
  }

  static void writeCompared(Response.ComparedIndex compared, ByteWriter out) {
    PositionForm.writeNext(compared.next(), out);
    Fields.flag(compared.built(), out);
    out.putLong(compared.stamp()).putVarLong(compared.versions()).putVarLong(compared.missing());
    out.putVarLong(compared.wider()).putVarLong(compared.surplus());
    Fields.texts(compared.examples(), out);
  }

  static Response.ComparedIndex readCompared(ByteReader in) {
    Request.Position next = PositionForm.readNext(in);
    return new Response.ComparedIndex(
        Fields.flag(in),
        in.getLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        Fields.texts(in),
        next);
  }

  private static void write(IndexState state, ByteWriter out) {
    IndexDefinition definition = state.definition();
    out.putLong(definition.number()).putText(definition.name());
    Fields.ordinal(definition.element(), out);
    out.putVarInt(definition.labelId()).putVarInt(definition.keyId());
    int bits = 0;
    for (IndexKind kind : definition.kinds()) {
      bits |= 1 << kind.ordinal();
    }
    out.putVarInt(bits);
    Fields.flag(state.built(), out);
    out.putVarLong(state.elements()).putLong(state.reachedStamp());
    out.putVarLong(state.documents()).putVarLong(state.bytesOnDisk());
  }

  private static IndexState read(ByteReader in) {
    long number = in.getLong();
    String name = in.getText();
    ElementKind element = Fields.ordinal(ELEMENTS, in);
    int labelId = in.getVarInt();
    int keyId = in.getVarInt();
    int bits = in.getVarInt();
    if (bits >>> KINDS.length != 0) {
      throw Fields.corrupt("Kinds of an index " + Integer.toBinaryString(bits) + " are unknown");
    }
    Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
    for (IndexKind kind : KINDS) {
      if ((bits >>> kind.ordinal() & 1) != 0) {
        kinds.add(kind);
      }
    }
    return new IndexState(
        new IndexDefinition(number, name, element, labelId, keyId, kinds),
        Fields.flag(in),
        in.getVarLong(),
        in.getLong(),
        in.getVarLong(),
        in.getVarLong());
  }
}
