package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The bodies of answers; the package documentation has them as a table. */
final class ResponseForms {
  private static final Family[] FAMILIES = Family.values();
  private static final PartState[] STATES = PartState.values();

  static final MessageForms<Response> ALL =
      new MessageForms<>(
          List.of(
              new MessageForm<>(
                  128,
                  Response.Elements.class,
                  (answer, out) -> answer.page().writeTo(out),
                  in -> new Response.Elements(ElementPage.readFrom(in))),
              new MessageForm<>(
                  129,
                  Response.Stamped.class,
                  (answer, out) -> out.putLong(answer.stamp()),
                  in -> new Response.Stamped(in.getLong())),
              new MessageForm<>(
                  130,
                  Response.Conflicted.class,
                  (answer, out) -> out.putInt(answer.check()),
                  in -> new Response.Conflicted(in.getInt())),
              new MessageForm<>(
                  131, Response.Prepared.class, (answer, out) -> {}, in -> new Response.Prepared()),
              new MessageForm<>(
                  132,
                  Response.TooLow.class,
                  (answer, out) -> out.putLong(answer.closed()),
                  in -> new Response.TooLow(in.getLong())),
              new MessageForm<>(
                  133, Response.Done.class, (answer, out) -> {}, in -> new Response.Done()),
              new MessageForm<>(
                  134, Response.Parts.class, ResponseForms::writeParts, ResponseForms::readParts),
              new MessageForm<>(
                  135,
                  Response.Leased.class,
                  (answer, out) -> out.putLong(answer.first()),
                  in -> new Response.Leased(in.getLong())),
              new MessageForm<>(
                  136,
                  Response.Schema.class,
                  (schema, out) -> SchemaForms.write(schema.image(), out),
                  in -> new Response.Schema(SchemaForms.read(in))),
              new MessageForm<>(
                  137, Response.Rows.class, ResponseForms::writeRows, ResponseForms::readRows),
              new MessageForm<>(
                  138,
                  Response.Status.class,
                  ResponseForms::writeStatus,
                  ResponseForms::readStatus),
              new MessageForm<>(
                  139,
                  Response.Results.class,
                  (answer, out) -> TraversalForms.writePage(answer.page(), out),
                  in -> new Response.Results(TraversalForms.readPage(in))),
              new MessageForm<>(
                  140,
                  Response.LevelDone.class,
                  TraversalForms::writeLevelDone,
                  TraversalForms::readLevelDone),
              new MessageForm<>(
                  141,
                  Response.Paths.class,
                  (answer, out) -> PathForms.writeSteps(answer.steps(), out),
                  in -> new Response.Paths(PathForms.readSteps(in))),
              new MessageForm<>(
                  142,
                  Response.Progress.class,
                  TraversalForms::writeProgress,
                  TraversalForms::readProgress),
              new MessageForm<>(
                  143,
                  Response.Splits.class,
                  (answer, out) -> Fields.splits(answer.states(), out),
                  in -> new Response.Splits(Fields.splits(in))),
              new MessageForm<>(144, Response.Hot.class, MoveForms::writeHot, MoveForms::readHot),
              new MessageForm<>(
                  153,
                  Response.Term.class,
                  (response, out) ->
                      out.putLong(response.term())
                          .putLong(response.last())
                          .putLong(response.applied()),
                  in -> new Response.Term(in.getLong(), in.getLong(), in.getLong())),
              new MessageForm<>(
                  154,
                  Response.Members.class,
                  (response, out) -> Fields.texts(response.nodes(), out),
                  in -> new Response.Members(Fields.texts(in))),
              new MessageForm<>(
                  155,
                  Response.ReplicaState.class,
                  (response, out) ->
                      Fields.texts(
                          response.members(),
                          out.putVarInt(response.generation())
                              .putLong(response.term())
                              .putLong(response.lastTerm())
                              .putLong(response.last())
                              .putLong(response.committed())
                              .putLong(response.applied())
                              .putLong(response.settled())),
                  in ->
                      new Response.ReplicaState(
                          in.getVarInt(),
                          in.getLong(),
                          in.getLong(),
                          in.getLong(),
                          in.getLong(),
                          in.getLong(),
                          in.getLong(),
                          Fields.texts(in))),
              new MessageForm<>(
                  145,
                  Response.Held.class,
                  (response, out) -> out.putVarInt(response.open()),
                  in -> new Response.Held(in.getVarInt())),
              new MessageForm<>(
                  146, Response.RowSizes.class, SizeForms::writeSizes, SizeForms::readSizes),
              new MessageForm<>(
                  147,
                  Response.PartsDone.class,
                  TraversalForms::writePartsDone,
                  TraversalForms::readPartsDone),
              new MessageForm<>(
                  148, Response.Indexes.class, IndexForms::writeIndexes, IndexForms::readIndexes),
              new MessageForm<>(
                  149,
                  Response.ComparedIndex.class,
                  IndexForms::writeCompared,
                  IndexForms::readCompared),
              new MessageForm<>(
                  150, Response.Files.class, FileForms::writeFiles, FileForms::readFiles),
              new MessageForm<>(
                  151, Response.FileBytes.class, FileForms::writeBytes, FileForms::readBytes),
              new MessageForm<>(
                  152,
                  Response.FileSum.class,
                  (answer, out) -> Fields.bytes(answer.sha256(), out),
                  in -> new Response.FileSum(Fields.bytes(in)))));

  private ResponseForms() {}

  private static void writeParts(Response.Parts parts, ByteWriter out) {
    out.putVarInt(parts.states().size());
    parts.states().forEach(state -> Fields.ordinal(state, out));
  }

  private static Response.Parts readParts(ByteReader in) {
    int count = Fields.count(in, 1);
    List<PartState> states = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      states.add(Fields.ordinal(STATES, in));
    }
    return new Response.Parts(states);
  }

  private static void writeRows(Response.Rows rows, ByteWriter out) {
    PositionForm.writeNext(rows.next(), out);
    Fields.arrays(rows.keys(), out);
    for (byte[] value : rows.values()) {
      Fields.bytes(value, out);
    }
  }

  private static Response.Rows readRows(ByteReader in) {
    Request.Position next = PositionForm.readNext(in);
    byte[][] keys = Fields.arrays(in);
    byte[][] values = new byte[keys.length][];
    for (int i = 0; i < keys.length; i++) {
      values[i] = Fields.bytes(in);
    }
    return new Response.Rows(keys, values, next);
  }

  private static void writeStatus(Response.Status status, ByteWriter out) {
    out.putLong(status.bytesOnDisk()).putLong(status.resolvedStamp());
    out.putVarInt(status.openIntents()).putVarLong(status.oldestOpenMillis());
    out.putVarInt(status.decidedIntents()).putVarLong(status.syncs());
    out.putText(status.fault());
    writeAdjacency(status.adjacency(), out);
    out.putVarInt(status.rows().size());
    status
        .rows()
        .forEach(
            (family, rows) -> {
              Fields.ordinal(family, out);
              out.putVarLong(rows);
            });
  }

  private static void writeAdjacency(AdjacencyStatistics adjacency, ByteWriter out) {
    out.putVarLong(adjacency.hits()).putVarLong(adjacency.misses());
    out.putVarLong(adjacency.rowHits()).putVarLong(adjacency.rowMisses());
    out.putVarLong(adjacency.entries());
    out.putVarLong(adjacency.sizeBytes()).putVarLong(adjacency.limitBytes());
    out.putVarLong(adjacency.loads()).putVarLong(adjacency.evictions());
    out.putVarLong(adjacency.invalidations());
  }

  private static AdjacencyStatistics readAdjacency(ByteReader in) {
    return new AdjacencyStatistics(
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong(),
        in.getVarLong());
  }

  private static Response.Status readStatus(ByteReader in) {
    long bytesOnDisk = in.getLong();
    long resolvedStamp = in.getLong();
    int openIntents = in.getVarInt();
    long oldestOpenMillis = in.getVarLong();
    int decidedIntents = in.getVarInt();
    long syncs = in.getVarLong();
    String fault = in.getText();
    AdjacencyStatistics adjacency = readAdjacency(in);
    Map<Family, Long> rows = new EnumMap<>(Family.class);
    int count = Fields.count(in, 2);
    for (int i = 0; i < count; i++) {
      Family family = Fields.ordinal(FAMILIES, in);
      if (rows.put(family, in.getVarLong()) != null) {
        throw Fields.corrupt("Family " + family + " is there twice");
      }
    }
    return new Response.Status(
        bytesOnDisk,
        rows,
        resolvedStamp,
        openIntents,
        oldestOpenMillis,
        decidedIntents,
        syncs,
        fault,
        adjacency);
  }
}
