package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/** The bodies of the messages of traversals; the package documentation has them as a table. */
final class TraversalForms {
  private static final Request.Manner[] MANNERS = Request.Manner.values();

  private TraversalForms() {}

  static void traversal(TraversalId id, ByteWriter out) {
    out.putLong(id.client()).putLong(id.number());
  }

  static TraversalId traversal(ByteReader in) {
    return new TraversalId(in.getLong(), in.getLong());
  }

  static void writeStart(Request.StartTraversal start, ByteWriter out) {
    traversal(start.id(), out);
    PlanForm.write(start.plan(), out);
    PlanForm.names(start.names(), out);
    Fields.view(start.view(), out);
    parts(start.seeds(), out);
    Fields.ordinal(start.manner(), out);
  }

  static Request.StartTraversal readStart(ByteReader in) {
    return new Request.StartTraversal(
        traversal(in),
        PlanForm.read(in),
        PlanForm.names(in),
        Fields.view(in),
        parts(in),
        Fields.ordinal(MANNERS, in));
  }

  static void writeDeliver(Request.Deliver deliver, ByteWriter out) {
    traversal(deliver.id(), out);
    out.putVarInt(deliver.level()).putVarInt(deliver.from()).putVarInt(deliver.number());
    parts(deliver.parts(), out);
  }

  static Request.Deliver readDeliver(ByteReader in) {
    return new Request.Deliver(
        traversal(in), in.getVarInt(), in.getVarInt(), in.getVarInt(), parts(in));
  }

  static void writeRun(Request.RunLevel run, ByteWriter out) {
    traversal(run.id(), out);
    out.putVarInt(run.number()).putVarInt(run.level());
    Fields.ordinal(run.manner(), out);
    Fields.flag(run.scan(), out);
  }

  static Request.RunLevel readRun(ByteReader in) {
    return new Request.RunLevel(
        traversal(in),
        in.getVarInt(),
        in.getVarInt(),
        Fields.ordinal(MANNERS, in),
        Fields.flag(in));
  }

  static void parts(List<FrontierPart> parts, ByteWriter out) {
    out.putVarInt(parts.size());
    for (FrontierPart part : parts) {
      out.putVarInt(part.position());
      Fields.longs(part.vertices(), out);
      Fields.edgeKeys(part.edges(), out);
      for (boolean fromSource : part.reached()) {
        Fields.flag(fromSource, out);
      }
      bulks(part.bulks(), out);
    }
  }

  static List<FrontierPart> parts(ByteReader in) {
    int count = Fields.count(in, 4);
    List<FrontierPart> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int position = in.getVarInt();
      long[] vertices = Fields.longs(in);
      var edges = Fields.edgeKeys(in);
      boolean[] reached = new boolean[edges.size()];
      for (int e = 0; e < reached.length; e++) {
        reached[e] = Fields.flag(in);
      }
      long[] bulks = bulks(in, vertices.length + edges.size());
      parts.add(new FrontierPart(position, vertices, edges, reached, bulks));
    }
    return parts;
  }

  private static void bulks(long[] bulks, ByteWriter out) {
    Fields.flag(bulks.length > 0, out);
    for (long bulk : bulks) {
      out.putVarLong(bulk);
    }
  }

  private static long[] bulks(ByteReader in, int size) {
    long[] bulks = new long[Fields.flag(in) ? size : 0];
    for (int i = 0; i < bulks.length; i++) {
      bulks[i] = in.getVarLong();
    }
    return bulks;
  }

  static void writePage(TraversalPage page, ByteWriter out) {
    out.putVarLong(page.count());
    Fields.longs(page.vertices(), out);
    Fields.edgeKeys(page.edges(), out);
    Fields.arrays(page.tuples(), out);
    bulks(page.bulks(), out);
    Fields.flag(page.more(), out);
    ElementPage rows = page.rows();
    Fields.flag(rows != null, out);
    if (rows != null) {
      rows.writeTo(out);
    }
  }

  static TraversalPage readPage(ByteReader in) {
    long count = in.getVarLong();
    long[] vertices = Fields.longs(in);
    var edges = Fields.edgeKeys(in);
    byte[][] tuples = Fields.arrays(in);
    long[] bulks = bulks(in, vertices.length + edges.size() + tuples.length);
    boolean more = Fields.flag(in);
    ElementPage rows = Fields.flag(in) ? ElementPage.readFrom(in) : null;
    return new TraversalPage(count, vertices, edges, tuples, bulks, more, rows);
  }

  static void writeProgress(Response.Progress progress, ByteWriter out) {
    works(progress.runs(), out);
    out.putVarLong(progress.workedOff());
    Fields.longs(progress.sent(), out);
    Fields.flag(progress.idle(), out);
    out.putVarLong(progress.found());
  }

  static Response.Progress readProgress(ByteReader in) {
    return new Response.Progress(
        works(in), in.getVarLong(), Fields.longs(in), Fields.flag(in), in.getVarLong());
  }

  private static void works(List<LevelWork> works, ByteWriter out) {
    out.putVarInt(works.size());
    works.forEach(work -> writeWork(work, out));
  }

  private static List<LevelWork> works(ByteReader in) {
    int count = Fields.count(in, 10);
    List<LevelWork> works = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      works.add(readWork(in));
    }
    return works;
  }

  static void writeWork(LevelWork work, ByteWriter out) {
    out.putVarLong(work.frontier()).putVarLong(work.edges()).putVarLong(work.bytes());
    out.putVarLong(work.messages()).putVarLong(work.cacheHits()).putVarLong(work.cacheMisses());
    out.putVarLong(work.prefetched()).putVarLong(work.prefetchUsed());
    out.putVarLong(work.workNanos()).putVarLong(work.prefetchNanos());
  }

  static LevelWork readWork(ByteReader in) {
    return new LevelWork(
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

  static void writeLevelDone(Response.LevelDone done, ByteWriter out) {
    out.putVarInt(done.level());
    out.putVarInt(done.levels().size());
    done.levels().forEach(work -> writeWork(work, out));
    out.putVarLong(done.pending());
    Fields.ints(done.sentTo(), out);
    out.putVarInt(done.elsewhere().size());
    done.elsewhere().forEach(parts -> writePartsDone(parts, out));
    Fields.flag(done.unfinished(), out);
    Fields.flag(done.scanLeft(), out);
    writePage(done.page(), out);
    out.putVarLong(done.found());
  }

  static Response.LevelDone readLevelDone(ByteReader in) {
    int level = in.getVarInt();
    int count = Fields.count(in, 10);
    List<LevelWork> levels = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      levels.add(readWork(in));
    }
    long pending = in.getVarLong();
    int[] sentTo = Fields.ints(in);
    int others = Fields.count(in, 16);
    List<Response.PartsDone> elsewhere = new ArrayList<>();
    for (int i = 0; i < others; i++) {
      elsewhere.add(readPartsDone(in));
    }
    return new Response.LevelDone(
        level,
        levels,
        pending,
        sentTo,
        elsewhere,
        Fields.flag(in),
        Fields.flag(in),
        readPage(in),
        in.getVarLong());
  }

  static void writePartsDone(Response.PartsDone done, ByteWriter out) {
    out.putVarInt(done.shard()).putVarInt(done.level());
    writeWork(done.work(), out);
    out.putVarLong(done.pending());
    Fields.ints(done.sentTo(), out);
    Fields.flag(done.unfinished(), out);
    out.putVarLong(done.found());
  }

  static Response.PartsDone readPartsDone(ByteReader in) {
    return new Response.PartsDone(
        in.getVarInt(),
        in.getVarInt(),
        readWork(in),
        in.getVarLong(),
        Fields.ints(in),
        Fields.flag(in),
        in.getVarLong());
  }
}
