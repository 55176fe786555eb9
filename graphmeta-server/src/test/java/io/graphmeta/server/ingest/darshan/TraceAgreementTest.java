package io.graphmeta.server.ingest.darshan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.graphmeta.server.ingest.darshan.HeaderParser.Frame;
import io.graphmeta.server.ingest.darshan.HeaderParser.ModuleSlot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The reader of DXT and HEATMAP against pydarshan 3.5.0: {@code src/test/python/darshan_traces.py}
 * wrote what that one reads, in a form documented there. The traces of the campaign are of versions
 * that it doesn't know; {@link TimelineTest} has them.
 */
class TraceAgreementTest {
  @TestFactory
  Stream<DynamicTest> agreesOnTracesOfOtherCentres() throws IOException {
    Path folder = Fixtures.sharedLogs();
    return lines("traces.tsv.gz", "T", 13)
        .map(
            line ->
                dynamicTest(
                    line.get(1) + " " + line.get(2),
                    () ->
                        assertThat(trace(folder.resolve(line.get(1)), line.get(2)))
                            .containsExactlyElementsOf(line.subList(3, 6))));
  }

  @TestFactory
  Stream<DynamicTest> agreesOnHeatmapsOfOtherCentres() throws IOException {
    return heatmaps("traces.tsv.gz", Fixtures.sharedLogs(), 14);
  }

  @TestFactory
  Stream<DynamicTest> agreesOnHeatmapsOfTheCampaign() throws IOException {
    return heatmaps("campaign-traces.tsv.gz", Fixtures.campaign(), 161);
  }

  private static Stream<DynamicTest> heatmaps(String resource, Path folder, int count)
      throws IOException {
    return lines(resource, "H", count)
        .map(line -> dynamicTest(line.get(1), () -> assertAgrees(folder, line)));
  }

  /** The spans of the log are put together by two until there are few enough. */
  private static void assertAgrees(Path folder, List<String> expected) throws IOException {
    double seconds = Double.parseDouble(expected.get(2));
    long[] read = spans(expected.get(3));
    long[] written = spans(expected.get(4));
    int used = read.length;
    while (used > 0 && read[used - 1] + written[used - 1] == 0) {
      used--;
    }
    while (used > Timeline.MAX_SPANS) {
      read = byTwo(read);
      written = byTwo(written);
      used = (used + 1) / 2;
      seconds *= 2;
    }
    var timeline = DarshanReader.read(folder.resolve(expected.get(1))).timeline();
    int busy = 0;
    for (int i = 0; i < used; i++) {
      busy += read[i] + written[i] > 0 ? 1 : 0;
    }
    if (busy < 2) {
      assertThat(timeline).isEmpty();
      return;
    }
    assertThat(timeline).isPresent();
    assertThat(timeline.get().spanSeconds()).isEqualTo(seconds);
    assertThat(timeline.get().bytesRead()).isEqualTo(list(read, used));
    assertThat(timeline.get().bytesWritten()).isEqualTo(list(written, used));
  }

  private static long[] spans(String text) {
    return text.isEmpty()
        ? new long[0]
        : Arrays.stream(text.split(",")).mapToLong(Long::parseLong).toArray();
  }

  private static long[] byTwo(long[] spans) {
    long[] sums = new long[(spans.length + 1) / 2];
    for (int i = 0; i < spans.length; i++) {
      sums[i / 2] += spans[i];
    }
    return sums;
  }

  private static List<Long> list(long[] spans, int used) {
    return Arrays.stream(spans, 0, used).boxed().toList();
  }

  private static List<String> trace(Path path, String module) throws IOException {
    try (LogFile file = LogFile.open(path)) {
      Frame frame = new HeaderParser(file).parse();
      ModuleSlot slot =
          frame.modules().stream()
              .filter(each -> each.module().name().equals(module))
              .findFirst()
              .orElseThrow();
      byte[] content =
          new RegionDecoder(file, frame.header().compression(), 256 << 20).decode(slot.region());
      List<TraceRecord> records =
          new TraceParser(file, slot.region(), 1_000_000)
              .parse(
                  ByteBuffer.wrap(content).order(frame.header().byteOrder()),
                  TraceParser.segmentBytes(slot.module()).orElseThrow());
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      long calls = 0;
      for (TraceRecord record : records) {
        String head =
            FileRecord.formatId(record.recordId())
                + " "
                + record.rank()
                + " "
                + record.writes()
                + " "
                + record.reads()
                + "\n";
        digest.update(head.getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < record.writes() + record.reads(); i++) {
          TraceRecord.Segment call = record.segment(i);
          calls++;
          String line =
              call.offset()
                  + " "
                  + call.length()
                  + " "
                  + hex(call.startSeconds())
                  + " "
                  + hex(call.endSeconds())
                  + "\n";
          digest.update(line.getBytes(StandardCharsets.US_ASCII));
        }
      }
      return List.of(
          Integer.toString(records.size()),
          Long.toString(calls),
          HexFormat.of().formatHex(digest.digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hex(double value) {
    return HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value));
  }

  private static Stream<List<String>> lines(String resource, String kind, int count)
      throws IOException {
    byte[] bytes = Files.readAllBytes(Fixtures.resource(resource));
    try (GZIPInputStream in = new GZIPInputStream(new java.io.ByteArrayInputStream(bytes))) {
      List<List<String>> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .map(line -> List.of(line.split("\t", -1)))
              .filter(line -> line.get(0).equals(kind))
              .toList();
      assertThat(lines).hasSize(count);
      return lines.stream();
    }
  }
}
