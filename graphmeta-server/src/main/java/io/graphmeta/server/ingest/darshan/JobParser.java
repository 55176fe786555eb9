package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the content of the job region. */
final class JobParser {
  private static final int METADATA_BYTES = 1024;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** The end of the year 9999. */
  static final long MAX_EPOCH_SECONDS = 253_402_300_799L;

  private final LogFile file;
  private final Region region;
  private final byte[] content;

  JobParser(LogFile file, Region region, byte[] content) {
    this.file = file;
    this.region = region;
    this.content = content;
  }

  DarshanJob parse(FormatVersion format, ByteOrder order) throws DarshanFormatException {
    int fixedBytes = (format.timesHaveNanos() ? 7 : 5) * Long.BYTES + METADATA_BYTES;
    if (content.length < fixedBytes) {
      throw corrupt("holds " + content.length + " bytes, expected at least " + fixedBytes);
    }
    ByteBuffer fields = ByteBuffer.wrap(content).order(order);
    long uid = fields.getLong();
    Instant start = time(fields, format, "start");
    Instant end = time(fields, format, "end");
    long processes = fields.getLong();
    long jobId = fields.getLong();
    int metadata = fields.position();
    Map<String, String> pairs =
        pairs(
            RegionText.decode(
                content, metadata, RegionText.zeroByte(content, metadata, fixedBytes)));
    String text =
        RegionText.decode(
            content, fixedBytes, RegionText.zeroByte(content, fixedBytes, content.length));
    List<String> lines = List.of(text.split("\n", -1));
    int firstMount = firstMount(lines);
    return new DarshanJob(
        uid,
        start,
        end.equals(Instant.EPOCH) ? Optional.empty() : Optional.of(end),
        processes,
        jobId,
        pairs,
        String.join("\n", lines.subList(0, firstMount)).strip(),
        mounts(lines.subList(firstMount, lines.size())),
        0);
  }

  private Instant time(ByteBuffer fields, FormatVersion format, String which)
      throws DarshanFormatException {
    long seconds = fields.getLong();
    long nanos = format.timesHaveNanos() ? fields.getLong() : 0;
    if (seconds < 0 || seconds > MAX_EPOCH_SECONDS || nanos < 0 || nanos >= NANOS_PER_SECOND) {
      throw corrupt(
          "has the "
              + which
              + " time "
              + seconds
              + " s and "
              + nanos
              + " ns, expected a time from 1970 to 9999");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  /** The key=value lines of a text. */
  static Map<String, String> pairs(String text) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String line : text.split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        pairs.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return Collections.unmodifiableMap(pairs);
  }

  /** The command line is what stands before the first mount; it may itself hold line breaks. */
  private static int firstMount(List<String> lines) {
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).contains("\t/")) {
        return i;
      }
    }
    return lines.size();
  }

  private List<Mount> mounts(List<String> lines) throws DarshanFormatException {
    List<Mount> mounts = new ArrayList<>();
    for (String line : lines) {
      int tab = line.indexOf('\t');
      if (tab < 0) {
        throw corrupt("has the mount \"" + line + "\", expected a type, a tab and a path");
      }
      mounts.add(new Mount(line.substring(0, tab), line.substring(tab + 1)));
    }
    return List.copyOf(mounts);
  }

  private DarshanFormatException corrupt(String what) {
    return file.corrupt(region.offset(), "the " + region.name() + " " + what);
  }
}
