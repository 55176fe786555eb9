package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When bytes were moved, from traces and heatmaps that are written here. */
class TimelineTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int DXT_POSIX_SLOT = 10;
  private static final int HEATMAP_SLOT = 15;

  @TempDir Path folder;

  @Test
  void bytesOfACallAreSpreadOverItsTime() {
    TimelineBuilder builder = new TimelineBuilder();
    builder.addRead(0.05, 0.25, 100);
    builder.addWritten(0.31, 0.39, 7);
    Timeline timeline = builder.build().orElseThrow();

    assertThat(timeline.spanSeconds()).isEqualTo(0.1);
    assertThat(timeline.bytesRead()).containsExactly(25L, 50L, 25L, 0L);
    assertThat(timeline.bytesWritten()).containsExactly(0L, 0L, 0L, 7L);
  }

  @Test
  void whatFellIntoOneSpanHasNoTimeline() {
    TimelineBuilder builder = new TimelineBuilder();
    builder.addRead(0.01, 0.09, 100);
    assertThat(builder.build()).isEmpty();
  }

  @Test
  void eachByteIsCountedOnceHoweverLateItComes() {
    for (int round = 0; round < 300; round++) {
      Random random = new Random(SEED + round);
      TimelineBuilder builder = new TimelineBuilder();
      long read = 0;
      long written = 0;
      double last = 0;
      for (int call = 0; call < 50; call++) {
        double start = random.nextDouble() * Math.pow(10, random.nextInt(6) - 1);
        double end = start + random.nextDouble() * Math.pow(10, random.nextInt(4) - 2);
        long bytes = random.nextInt(1_000_000);
        last = bytes == 0 ? last : Math.max(last, end);
        if (random.nextBoolean()) {
          builder.addRead(start, end, bytes);
          read += bytes;
        } else {
          builder.addWritten(start, end, bytes);
          written += bytes;
        }
      }
      Timeline timeline = builder.build().orElseThrow();
      assertThat(sum(timeline.bytesRead())).as("seed %d", SEED + round).isEqualTo(read);
      assertThat(sum(timeline.bytesWritten())).as("seed %d", SEED + round).isEqualTo(written);
      assertThat(timeline.bytesRead().size())
          .as("seed %d", SEED + round)
          .isEqualTo(timeline.bytesWritten().size())
          .isLessThanOrEqualTo(Timeline.MAX_SPANS);
      assertThat(timeline.spanSeconds() * timeline.bytesRead().size())
          .as("seed %d", SEED + round)
          .isBetween(last, last + timeline.spanSeconds());
    }
  }

  @Test
  void damagedCallsAddNothing() {
    TimelineBuilder builder = new TimelineBuilder();
    builder.addRead(1, 2, 10);
    Timeline before = builder.build().orElseThrow();
    builder.addRead(Double.NaN, 3, 10);
    builder.addRead(2, 1, 10);
    builder.addRead(-1, 1, 10);
    builder.addRead(1, Double.POSITIVE_INFINITY, 10);
    builder.addWritten(1, 2, -5);
    assertThat(builder.build()).contains(before);
  }

  @Test
  void aTraceIsReadInBothByteOrders() throws IOException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      for (int version : new int[] {1, 2}) {
        Timeline timeline =
            read(log(order).module(DXT_POSIX_SLOT, version, trace(order, version, 1, 2)))
                .timeline()
                .orElseThrow();

        assertThat(timeline.bytesWritten()).containsExactly(100L, 0L, 0L, 0L, 0L);
        assertThat(timeline.bytesRead()).containsExactly(0L, 0L, 101L, 0L, 102L);
      }
    }
  }

  /** What a trace has of a file is what the counters of the file have, where none was left out. */
  @Test
  void theTracesOfTheCampaignAgreeWithItsCounters() throws IOException {
    int compared = 0;
    for (Path path : Fixtures.logsBelow(Fixtures.campaign())) {
      DarshanLog log = DarshanReader.read(path);
      for (TraceRecord trace : traces(path)) {
        for (FileRecord file : log.files()) {
          if (file.module() == FileModule.POSIX
              && file.recordId() == trace.recordId()
              && file.rank() == trace.rank()
              && file.reads() == trace.reads()
              && file.writes() == trace.writes()) {
            long written = 0;
            long read = 0;
            for (int i = 0; i < trace.writes() + trace.reads(); i++) {
              written += i < trace.writes() ? trace.segment(i).length() : 0;
              read += i < trace.writes() ? 0 : trace.segment(i).length();
            }
            assertThat(written).as("%s", path).isEqualTo(file.bytesWritten());
            assertThat(read).as("%s", path).isEqualTo(file.bytesRead());
            compared++;
          }
        }
      }
    }
    assertThat(compared).as("traces of version 2 in the campaign").isGreaterThan(20);
  }

  private static List<TraceRecord> traces(Path path) throws IOException {
    try (LogFile file = LogFile.open(path)) {
      HeaderParser.Frame frame = new HeaderParser(file).parse();
      RegionDecoder decoder = new RegionDecoder(file, frame.header().compression(), 1 << 24);
      for (HeaderParser.ModuleSlot slot : frame.modules()) {
        if (slot.module().name().equals("DXT_POSIX")) {
          ByteBuffer content = ByteBuffer.wrap(decoder.decode(slot.region()));
          return new TraceParser(file, slot.region(), 10_000)
              .parse(
                  content.order(frame.header().byteOrder()),
                  TraceParser.segmentBytes(slot.module()).orElseThrow());
        }
      }
      return List.of();
    }
  }

  @Test
  void aHeatmapOfAnInterfaceAboveIsNotCountedTwice() throws IOException {
    ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    ByteBuffer content = ByteBuffer.allocate(3 * (48 + 2 * 4 * 8)).order(order);
    for (long id : new long[] {5, 6, 7}) {
      content.putLong(id).putLong(0).putDouble(0.4).putLong(4).putLong(-1).putLong(-1);
      content.putLong(id).putLong(0).putLong(0).putLong(10 * id);
      content.putLong(0).putLong(100 * id).putLong(-3).putLong(0);
    }
    Timeline timeline =
        read(log(order)
                .name(5, "heatmap:POSIX")
                .name(6, "heatmap:STDIO")
                .name(7, "heatmap:MPIIO")
                .module(HEATMAP_SLOT, 1, content.array()))
            .timeline()
            .orElseThrow();

    assertThat(timeline.spanSeconds()).isEqualTo(0.4);
    assertThat(timeline.bytesWritten()).containsExactly(11L, 0L, 0L, 110L);
    assertThat(timeline.bytesRead()).containsExactly(0L, 1100L, 0L, 0L);
  }

  @Test
  void aTraceBeyondTheLimitIsLeftOutAndADamagedOneRefused() throws IOException {
    ByteOrder order = ByteOrder.LITTLE_ENDIAN;
    byte[] large = trace(order, 2, 0, 100_000);
    DarshanLog log =
        DarshanReader.read(
            log(order).module(DXT_POSIX_SLOT, 2, large).write(folder.resolve("large")),
            new DarshanLimits(1 << 20, 1_000));
    assertThat(log.timeline()).isEmpty();

    byte[] damaged = trace(order, 2, 1, 2);
    ByteBuffer.wrap(damaged).order(order).putLong(88, Long.MAX_VALUE);
    assertThatThrownBy(() -> read(log(order).module(DXT_POSIX_SLOT, 2, damaged)))
        .isInstanceOf(DarshanFormatException.class)
        .hasMessageContainingAll("DXT_POSIX", "9223372036854775807 writes", "expected");
  }

  @Test
  void atrocitiesInAHeatmapAreRefused() {
    for (long spans : new long[] {-1, 5, Long.MAX_VALUE}) {
      ByteBuffer content = ByteBuffer.allocate(48 + 2 * 4 * 8).order(ByteOrder.LITTLE_ENDIAN);
      content.putLong(5).putLong(0).putDouble(0.1).putLong(spans);
      assertThatThrownBy(
              () -> read(log(ByteOrder.LITTLE_ENDIAN).module(HEATMAP_SLOT, 1, content.array())))
          .isInstanceOf(DarshanFormatException.class)
          .hasMessageContainingAll("HEATMAP", "expected");
    }
  }

  private static long sum(List<Long> spans) {
    return spans.stream().mapToLong(Long::longValue).sum();
  }

  /** Calls of 100 bytes and more, one in each second tenth of a second. */
  private static byte[] trace(ByteOrder order, int version, int writes, int reads) {
    int segmentBytes = version == 1 ? 32 : 40;
    ByteBuffer content = ByteBuffer.allocate(104 + (writes + reads) * segmentBytes).order(order);
    content.putLong(9).putLong(3).putLong(-1);
    content.position(88);
    content.putLong(writes).putLong(reads);
    for (int call = 0; call < writes + reads; call++) {
      content.position(104 + call * segmentBytes);
      content
          .putLong(4096)
          .putLong(100 + call)
          .putDouble(0.2 * call + 0.02)
          .putDouble(0.2 * call + 0.08);
    }
    return content.array();
  }

  private static DarshanLogWriter log(ByteOrder order) {
    return new DarshanLogWriter("3.41", order).name(9, "/x");
  }

  private DarshanLog read(DarshanLogWriter log) throws IOException {
    return DarshanReader.read(log.write(folder.resolve("log")));
  }
}
