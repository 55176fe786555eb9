package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.model.Direction;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.schema.NameKind;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bodies of requests; the package documentation has them as a table. */
final class RequestForms {
  private static final Family[] FAMILIES = Family.values();
  private static final Direction[] DIRECTIONS = Direction.values();
  private static final Detail[] DETAILS = Detail.values();
  private static final SequenceKind[] SEQUENCES = SequenceKind.values();

  static final MessageForms<Request> ALL =
      new MessageForms<>(
          List.of(
              new MessageForm<>(
                  1,
                  Request.Snapshot.class,
                  (request, out) -> out.putLong(request.seen()),
                  in -> new Request.Snapshot(in.getLong())),
              new MessageForm<>(
                  2,
                  Request.FindVertices.class,
                  (request, out) -> {
                    Fields.texts(request.ids(), out);
                    Fields.view(request.view(), out);
                    out.putVarInt(request.fromIndex());
                  },
                  in ->
                      new Request.FindVertices(Fields.texts(in), Fields.view(in), in.getVarInt())),
              new MessageForm<>(
                  3,
                  Request.FindEdges.class,
                  (request, out) -> {
                    Fields.texts(request.ids(), out);
                    Fields.view(request.view(), out);
                    out.putVarInt(request.fromIndex());
                  },
                  in -> new Request.FindEdges(Fields.texts(in), Fields.view(in), in.getVarInt())),
              new MessageForm<>(
                  4,
                  Request.ReadVertices.class,
                  RequestForms::writeReadVertices,
                  RequestForms::readReadVertices),
              new MessageForm<>(
                  5,
                  Request.ReadEdges.class,
                  RequestForms::writeReadEdges,
                  RequestForms::readReadEdges),
              new MessageForm<>(
                  6, Request.Expand.class, RequestForms::writeExpand, RequestForms::readExpand),
              new MessageForm<>(
                  7,
                  Request.ScanVertices.class,
                  RequestForms::writeScanVertices,
                  RequestForms::readScanVertices),
              new MessageForm<>(
                  8,
                  Request.ScanEdges.class,
                  RequestForms::writeScanEdges,
                  RequestForms::readScanEdges),
              new MessageForm<>(
                  9,
                  Request.Incarnations.class,
                  (request, out) -> {
                    Fields.texts(request.ids(), out);
                    Fields.flag(request.edges(), out);
                    out.putVarInt(request.fromIndex());
                  },
                  in ->
                      new Request.Incarnations(Fields.texts(in), Fields.flag(in), in.getVarInt())),
              new MessageForm<>(
                  10,
                  Request.ScanRows.class,
                  (request, out) -> {
                    Fields.ordinal(request.family(), out);
                    PositionForm.write(request.from(), out);
                  },
                  in -> new Request.ScanRows(Fields.ordinal(FAMILIES, in), PositionForm.read(in))),
              new MessageForm<>(
                  11,
                  Request.ProbeRows.class,
                  (request, out) -> {
                    Fields.ordinal(request.family(), out);
                    Fields.arrays(request.keys(), out);
                  },
                  in -> new Request.ProbeRows(Fields.ordinal(FAMILIES, in), Fields.arrays(in))),
              new MessageForm<>(
                  12, Request.Commit.class, RequestForms::writeCommit, RequestForms::readCommit),
              new MessageForm<>(
                  13, Request.Prepare.class, RequestForms::writePrepare, RequestForms::readPrepare),
              new MessageForm<>(
                  14,
                  Request.Resolve.class,
                  (request, out) -> {
                    Fields.transaction(request.id(), out);
                    Fields.flag(request.committed(), out);
                  },
                  in -> new Request.Resolve(Fields.transaction(in), Fields.flag(in))),
              new MessageForm<>(
                  15, Request.Inquire.class, RequestForms::writeInquire, RequestForms::readInquire),
              empty(16, new Request.ReadWatermark()),
              new MessageForm<>(
                  17,
                  Request.Lease.class,
                  (request, out) -> {
                    Fields.ordinal(request.kind(), out);
                    out.putVarInt(request.count()).putLong(request.atLeast());
                  },
                  in ->
                      new Request.Lease(
                          Fields.ordinal(SEQUENCES, in),
                          Fields.index(in, Integer.MAX_VALUE),
                          in.getLong())),
              new MessageForm<>(
                  18,
                  Request.Define.class,
                  (request, out) -> SchemaForms.write(request.names(), out),
                  in -> new Request.Define(SchemaForms.read(in))),
              empty(19, new Request.ReadSchema()),
              empty(20, new Request.ReadStatus()),
              empty(21, new Request.Clear()),
              empty(48, new Request.ReadTerm()),
              new MessageForm<>(
                  49,
                  Request.HandOver.class,
                  (request, out) -> out.putText(request.node()),
                  in -> new Request.HandOver(in.getText())),
              empty(50, new Request.ReadMembers()),
              empty(51, new Request.ReadReplica()),
              new MessageForm<>(
                  22,
                  Request.StartTraversal.class,
                  TraversalForms::writeStart,
                  TraversalForms::readStart),
              new MessageForm<>(
                  23,
                  Request.Deliver.class,
                  TraversalForms::writeDeliver,
                  TraversalForms::readDeliver),
              new MessageForm<>(
                  24, Request.RunLevel.class, TraversalForms::writeRun, TraversalForms::readRun),
              new MessageForm<>(
                  25,
                  Request.FetchResults.class,
                  (request, out) -> {
                    TraversalForms.traversal(request.id(), out);
                    out.putVarInt(request.number());
                  },
                  in -> new Request.FetchResults(TraversalForms.traversal(in), in.getVarInt())),
              new MessageForm<>(
                  26,
                  Request.EndTraversal.class,
                  (request, out) -> TraversalForms.traversal(request.id(), out),
                  in -> new Request.EndTraversal(TraversalForms.traversal(in))),
              new MessageForm<>(
                  27, Request.ExtendPaths.class, PathForms::writeExtend, PathForms::readExtend),
              new MessageForm<>(
                  28,
                  Request.FollowTraversal.class,
                  (request, out) -> {
                    TraversalForms.traversal(request.id(), out);
                    Fields.flag(request.enough(), out);
                  },
                  in -> new Request.FollowTraversal(TraversalForms.traversal(in), Fields.flag(in))),
              new MessageForm<>(
                  29,
                  Request.ReadSplits.class,
                  (request, out) -> {
                    Fields.longs(request.vertices(), out);
                    Fields.flag(request.outgoing(), out);
                  },
                  in -> new Request.ReadSplits(Fields.longs(in), Fields.flag(in))),
              new MessageForm<>(
                  30,
                  Request.ReadHot.class,
                  (request, out) -> out.putVarInt(request.most()),
                  in -> new Request.ReadHot(in.getVarInt())),
              new MessageForm<>(
                  31, Request.GiveEntries.class, MoveForms::writeGive, MoveForms::readGive),
              new MessageForm<>(
                  32, Request.TakeEntries.class, MoveForms::writeTake, MoveForms::readTake),
              new MessageForm<>(
                  33,
                  Request.EndMove.class,
                  (request, out) -> MoveForms.move(request.move(), out),
                  in -> new Request.EndMove(MoveForms.move(in))),
              new MessageForm<>(
                  34,
                  Request.HoldEntries.class,
                  (request, out) -> MoveForms.move(request.move(), out),
                  in -> new Request.HoldEntries(MoveForms.move(in))),
              new MessageForm<>(
                  35,
                  Request.FindConnected.class,
                  RequestForms::writeFindConnected,
                  RequestForms::readFindConnected),
              new MessageForm<>(
                  37, Request.MeasureRows.class, SizeForms::writeMeasure, SizeForms::readMeasure),
              new MessageForm<>(
                  38,
                  Request.SearchVertices.class,
                  IndexForms::writeSearch,
                  IndexForms::readSearch),
              empty(39, new Request.ReadIndexes()),
              new MessageForm<>(
                  40,
                  Request.CompareIndex.class,
                  IndexForms::writeCompare,
                  IndexForms::readCompare),
              new MessageForm<>(
                  41,
                  Request.SearchEdges.class,
                  IndexForms::writeSearch,
                  IndexForms::readEdgeSearch),
              new MessageForm<>(
                  42, Request.SearchDuring.class, IndexForms::writeDuring, IndexForms::readDuring),
              new MessageForm<>(
                  43, Request.TakeCheckpoint.class, FileForms::writeTake, FileForms::readTake),
              new MessageForm<>(
                  44, Request.ListFiles.class, FileForms::writeList, FileForms::readList),
              new MessageForm<>(
                  45, Request.ReadFile.class, FileForms::writeRead, FileForms::readRead),
              new MessageForm<>(46, Request.SumFile.class, FileForms::writeSum, FileForms::readSum),
              new MessageForm<>(
                  47, Request.KeepCheckpoint.class, FileForms::writeKeep, FileForms::readKeep),
              new MessageForm<>(
                  52,
                  Request.ReadExpired.class,
                  RetentionForms::writeExpired,
                  RetentionForms::readExpired),
              new MessageForm<>(
                  53,
                  Request.NoteDropped.class,
                  RetentionForms::writeNote,
                  RetentionForms::readNote),
              new MessageForm<>(
                  54, Request.DropRows.class, RetentionForms::writeDrop, RetentionForms::readDrop),
              new MessageForm<>(
                  55,
                  Request.EndDropping.class,
                  (request, out) -> out.putText(request.archive()),
                  in -> new Request.EndDropping(in.getText())),
              new MessageForm<>(
                  56,
                  Request.FollowerRead.class,
                  RequestForms::writeFollowerRead,
                  RequestForms::readFollowerRead),
              new MessageForm<>(
                  57,
                  Request.FollowerTraversal.class,
                  RequestForms::writeFollowerTraversal,
                  RequestForms::readFollowerTraversal),
              new MessageForm<>(
                  58,
                  Request.NoteSettled.class,
                  (request, out) -> out.putLong(request.stamp()),
                  in -> new Request.NoteSettled(in.getLong())),
              empty(59, new Request.RequireRoom())));

  private RequestForms() {}

  @SuppressWarnings("unchecked") // a message has its own class
  private static <T extends Request> MessageForm<T> empty(int number, T message) {
    return new MessageForm<>(
        number, (Class<T>) message.getClass(), (request, out) -> {}, in -> message);
  }

  private static void writeFollowerRead(Request.FollowerRead read, ByteWriter out) {
    ALL.write(read.read(), out, () -> {});
  }

  private static Request.FollowerRead readFollowerRead(ByteReader in) {
    Request read = ALL.read(in.getByte(), in);
    if (!Request.FollowerRead.isOfReplicas(read)) {
      throw Fields.corrupt("A " + read.getClass().getSimpleName() + " as a read of a replica");
    }
    return new Request.FollowerRead(read);
  }

  private static void writeFollowerTraversal(Request.FollowerTraversal part, ByteWriter out) {
    Fields.texts(part.nodes(), out);
    ALL.write(part.message(), out, () -> {});
  }

  private static Request.FollowerTraversal readFollowerTraversal(ByteReader in) {
    List<String> nodes = Fields.texts(in);
    Request message = ALL.read(in.getByte(), in);
    if (!Request.FollowerTraversal.isOfTraversals(message)) {
      throw Fields.corrupt(
          "A " + message.getClass().getSimpleName() + " as a message of a traversal");
    }
    return new Request.FollowerTraversal(message, nodes);
  }

  private static void writeReadVertices(Request.ReadVertices read, ByteWriter out) {
    Fields.longs(read.keys(), out);
    Fields.view(read.view(), out);
    Fields.ordinal(read.detail(), out);
    out.putVarInt(read.fromIndex());
  }

  private static Request.ReadVertices readReadVertices(ByteReader in) {
    long[] keys = Fields.longs(in);
    return new Request.ReadVertices(
        keys, Fields.view(in), Fields.ordinal(DETAILS, in), Fields.index(in, keys.length));
  }

  private static void writeReadEdges(Request.ReadEdges read, ByteWriter out) {
    Fields.edgeKeys(read.keys(), out);
    Fields.view(read.view(), out);
    Fields.ordinal(read.detail(), out);
    out.putVarInt(read.fromIndex());
  }

  private static Request.ReadEdges readReadEdges(ByteReader in) {
    var keys = Fields.edgeKeys(in);
    return new Request.ReadEdges(
        keys, Fields.view(in), Fields.ordinal(DETAILS, in), Fields.index(in, keys.size()));
  }

  private static void writeExpand(Request.Expand expand, ByteWriter out) {
    Fields.longs(expand.frontier(), out);
    Fields.flag(expand.outgoing(), out);
    Fields.ints(expand.labelIds(), out);
    Fields.view(expand.view(), out);
    Fields.ordinal(expand.detail(), out);
    PositionForm.write(expand.from(), out);
    Fields.flag(expand.partOnly(), out);
  }

  private static Request.Expand readExpand(ByteReader in) {
    long[] frontier = Fields.longs(in);
    return new Request.Expand(
        frontier,
        Fields.flag(in),
        Fields.ints(in),
        Fields.view(in),
        Fields.ordinal(DETAILS, in),
        PositionForm.read(in, frontier.length),
        Fields.flag(in));
  }

  private static void writeFindConnected(Request.FindConnected find, ByteWriter out) {
    Fields.longs(find.vertices(), out);
    Fields.ordinal(find.direction(), out);
    Fields.ints(find.labelIds(), out);
    Fields.view(find.view(), out);
  }

  private static Request.FindConnected readFindConnected(ByteReader in) {
    return new Request.FindConnected(
        Fields.longs(in), Fields.ordinal(DIRECTIONS, in), Fields.ints(in), Fields.view(in));
  }

  private static void writeScanVertices(Request.ScanVertices scan, ByteWriter out) {
    out.putVarInt(scan.labelId());
    Fields.view(scan.view(), out);
    Fields.ordinal(scan.detail(), out);
    PositionForm.write(scan.from(), out);
  }

  private static Request.ScanVertices readScanVertices(ByteReader in) {
    return new Request.ScanVertices(
        Fields.index(in, NameKind.VERTEX_LABEL.maxId()),
        Fields.view(in),
        Fields.ordinal(DETAILS, in),
        PositionForm.read(in));
  }

  private static void writeScanEdges(Request.ScanEdges scan, ByteWriter out) {
    Fields.set(scan.labelIds(), out);
    Fields.view(scan.view(), out);
    Fields.ordinal(scan.detail(), out);
    PositionForm.write(scan.from(), out);
  }

  private static Request.ScanEdges readScanEdges(ByteReader in) {
    return new Request.ScanEdges(
        Fields.set(in, NameKind.EDGE_LABEL.maxId()),
        Fields.view(in),
        Fields.ordinal(DETAILS, in),
        PositionForm.read(in));
  }

  private static void writeCommit(Request.Commit commit, ByteWriter out) {
    out.putLong(commit.token()).putLong(commit.snapshot()).putLong(commit.seen());
    Fields.longs(commit.checks(), out);
    Fields.longs(commit.marks(), out);
    commit.rows().writeTo(out);
  }

  private static Request.Commit readCommit(ByteReader in) {
    long token = in.getLong();
    long snapshot = in.getLong();
    long seen = in.getLong();
    long[] checks = Fields.longs(in);
    long[] marks = Fields.longs(in);
    return new Request.Commit(StagedRows.readFrom(in), token, snapshot, seen, checks, marks);
  }

  private static void writePrepare(Request.Prepare prepare, ByteWriter out) {
    Fields.transaction(prepare.id(), out);
    Fields.flag(prepare.replaces() != null, out);
    if (prepare.replaces() != null) {
      Fields.transaction(prepare.replaces(), out);
    }
    Fields.ints(prepare.participants(), out);
    out.putLong(prepare.snapshot());
    Fields.longs(prepare.checks(), out);
    Fields.longs(prepare.marks(), out);
    prepare.rows().writeTo(out);
  }

  private static Request.Prepare readPrepare(ByteReader in) {
    TransactionId id = Fields.transaction(in);
    @Nullable TransactionId replaces = Fields.flag(in) ? Fields.transaction(in) : null;
    int[] participants = Fields.ints(in);
    long snapshot = in.getLong();
    long[] checks = Fields.longs(in);
    long[] marks = Fields.longs(in);
    return new Request.Prepare(
        id, participants, StagedRows.readFrom(in), snapshot, checks, marks, replaces);
  }

  private static void writeInquire(Request.Inquire inquire, ByteWriter out) {
    out.putVarInt(inquire.ids().size());
    inquire.ids().forEach(id -> Fields.transaction(id, out));
  }

  private static Request.Inquire readInquire(ByteReader in) {
    int count = Fields.count(in, TransactionId.BYTES);
    List<TransactionId> ids = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ids.add(Fields.transaction(in));
    }
    return new Request.Inquire(ids);
  }
}
