package io.graphmeta.server.ingest.darshan;

import io.graphmeta.server.ingest.darshan.HeaderParser.Frame;
import io.graphmeta.server.ingest.darshan.HeaderParser.ModuleSlot;
import io.graphmeta.server.ingest.darshan.TraceRecord.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads when a program moved its bytes: from HEATMAP (Darshan 3.4 and later), else from DXT_POSIX
 * where it was switched on. What MPI-IO moved is not counted besides, since POSIX saw it too.
 */
final class TimelineReader {
  private static final Set<String> HEATMAPS = Set.of("heatmap:POSIX", "heatmap:STDIO");

  private final LogFile file;
  private final Frame frame;
  private final RegionDecoder decoder;
  private final int maxRecords;

  TimelineReader(LogFile file, Frame frame, RegionDecoder decoder, int maxRecords) {
    this.file = file;
    this.frame = frame;
    this.decoder = decoder;
    this.maxRecords = maxRecords;
  }

  /**
   * The timeline; empty if the log has none, one of a version that is not known, or one beyond the
   * limits: the rest of the log is worth reading then.
   *
   * @param names the names of the log, which tell the interface of a heatmap
   */
  Optional<Timeline> read(Map<Long, String> names) throws IOException {
    TimelineBuilder timeline = new TimelineBuilder();
    Optional<ModuleSlot> heatmap = slot("HEATMAP");
    Optional<ModuleSlot> trace = slot("DXT_POSIX");
    if (heatmap.isPresent() && heatmap.get().module().version() == HeatmapParser.VERSION) {
      Region region = heatmap.get().region();
      Optional<byte[]> content = decoder.decodeWithinLimit(region);
      if (content.isPresent()) {
        new HeatmapParser(file, region)
            .addTo(
                timeline,
                inOrder(content.get()),
                id -> HEATMAPS.contains(names.getOrDefault(id, "")));
      }
    } else if (trace.isPresent()) {
      addTrace(timeline, trace.get());
    }
    return timeline.build();
  }

  private void addTrace(TimelineBuilder timeline, ModuleSlot slot) throws IOException {
    OptionalInt segmentBytes = TraceParser.segmentBytes(slot.module());
    if (segmentBytes.isEmpty()) {
      return;
    }
    Optional<byte[]> content = decoder.decodeWithinLimit(slot.region());
    if (content.isEmpty()) {
      return;
    }
    TraceParser parser = new TraceParser(file, slot.region(), maxRecords);
    for (TraceRecord record : parser.parse(inOrder(content.get()), segmentBytes.getAsInt())) {
      int writes = (int) record.writes();
      for (int i = 0; i < writes + record.reads(); i++) {
        Segment call = record.segment(i);
        if (i < writes) {
          timeline.addWritten(call.startSeconds(), call.endSeconds(), call.length());
        } else {
          timeline.addRead(call.startSeconds(), call.endSeconds(), call.length());
        }
      }
    }
  }

  private ByteBuffer inOrder(byte[] content) {
    return ByteBuffer.wrap(content).order(frame.header().byteOrder());
  }

  private Optional<ModuleSlot> slot(String name) {
    return frame.modules().stream().filter(slot -> slot.module().name().equals(name)).findFirst();
  }
}
