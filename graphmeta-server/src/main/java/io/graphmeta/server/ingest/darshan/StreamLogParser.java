package io.graphmeta.server.ingest.darshan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a log of format 2, which is one stream: the job, then the records. */
final class StreamLogParser {
  private static final int VERSION_BYTES = 8;
  private static final int START_OFFSET = 24;
  private static final int END_OFFSET = 32;
  private static final int JOB_ID_OFFSET = 48;

  /** The metadata in which darshan-convert keeps the version that a log was recorded in. */
  private static final String PREVIOUS_VERSION = "prev_ver";

  private static final Pattern ID_IN_NAME = Pattern.compile("_id(\\d{1,18})_");
  private static final Pattern UNREADABLE = Pattern.compile("\\d{1,10}");

  private final Path path;
  private final LogFile file;
  private final Compression compression;
  private final DarshanLimits limits;

  StreamLogParser(Path path, LogFile file, Compression compression, DarshanLimits limits) {
    this.path = path;
    this.file = file;
    this.compression = compression;
    this.limits = limits;
  }

  /** How a log that is one stream is compressed; empty if the file is none. */
  static Optional<Compression> compression(LogFile file) throws IOException {
    byte[] start = file.read(0, (int) Math.min(4, file.sizeBytes()), "the first bytes");
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (text.startsWith("\u001f\u008b")) {
      return Optional.of(Compression.GZIP);
    }
    if (text.startsWith("BZh")) {
      return Optional.of(Compression.BZIP2);
    }
    return text.matches("[12]\\.\\d.?") ? Optional.of(Compression.STORED) : Optional.empty();
  }

  DarshanLog parse() throws IOException {
    Region whole = new Region("log", 0, file.sizeBytes());
    byte[] content = new RegionDecoder(file, compression, limits.maxRegionBytes()).decode(whole);
    StreamFormat format = format(content);
    if (content.length < format.jobBytes()) {
      throw corrupt(
          content.length, "ends inside the job, expected " + format.jobBytes() + " bytes of it");
    }
    ByteOrder order = byteOrder(content);
    ByteBuffer records =
        ByteBuffer.wrap(content, format.jobBytes(), content.length - format.jobBytes())
            .slice()
            .order(order);
    checkSize(format, records.limit());
    ByteBuffer numbers = ByteBuffer.wrap(content).order(order);
    Instant start = time(numbers, START_OFFSET, "start");
    Instant end = time(numbers, END_OFFSET, "end");
    Optional<Instant> known = end.equals(Instant.EPOCH) ? Optional.empty() : Optional.of(end);
    Map<String, String> metadata =
        JobParser.pairs(
            text(
                content,
                StreamFormat.NUMBERS_BYTES,
                StreamFormat.NUMBERS_BYTES + format.metadataBytes()));
    String recordedIn = metadata.getOrDefault(PREVIOUS_VERSION, format.text());
    StreamClock clock =
        StreamFormat.timesFromStart(recordedIn)
            ? StreamClock.FROM_START
            : StreamClock.of(start, known, records);
    DarshanJob job = job(format, content, numbers, start, known, metadata, clock);
    List<FileRecord> files = records(records, clock, isUnreadable(job));
    boolean partial = files.stream().anyMatch(FileRecord::isOfAllFiles);
    return new DarshanLog(
        path,
        new DarshanHeader(format.text(), order, compression, partial),
        job,
        Map.of(),
        List.of(new DarshanModule("CP", 2, file.sizeBytes(), partial, true)),
        files,
        Optional.empty());
  }

  private StreamFormat format(byte[] content) throws DarshanFormatException {
    int end = 0;
    while (end < Math.min(VERSION_BYTES, content.length)
        && content[end] > ' '
        && content[end] < 0x7f) {
      end++;
    }
    String text = new String(content, 0, end, StandardCharsets.US_ASCII);
    Optional<StreamFormat> format = StreamFormat.of(text);
    if (format.isEmpty()) {
      throw file.corrupt(0, "format version \"" + text + "\", " + instead(text));
    }
    return format.get();
  }

  /** What to do with a version that is not read. */
  private static String instead(String version) {
    if (version.startsWith("1.")) {
      return "expected one of "
          + StreamFormat.texts()
          + ": a log of Darshan 1 has to be converted first, by darshan-convert of Darshan 2"
          + " (darshan-util 2.3.1, which takes 1.21 to 1.24): darshan-convert OLD.gz NEW.gz";
    }
    if (FormatVersion.of(version).isPresent()) {
      return "expected such a log as Darshan wrote it, not compressed as a whole: decompress the"
          + " file first";
    }
    return "expected a Darshan log of one of " + StreamFormat.texts();
  }

  private ByteOrder byteOrder(byte[] content) throws DarshanFormatException {
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      if (ByteBuffer.wrap(content).order(order).getLong(VERSION_BYTES) == HeaderParser.MAGIC) {
        return order;
      }
    }
    throw corrupt(
        VERSION_BYTES,
        "has another magic number, expected " + HeaderParser.MAGIC + " in either byte order");
  }

  private void checkSize(StreamFormat format, int bytes) throws DarshanFormatException {
    int recordBytes = StreamCounters.LAYOUT.recordBytes();
    if (bytes % recordBytes != 0) {
      throw corrupt(
          format.jobBytes(),
          "holds records of " + bytes + " bytes, expected a multiple of " + recordBytes);
    }
    if (bytes / recordBytes > limits.maxRecords()) {
      throw corrupt(
          format.jobBytes(),
          "holds "
              + bytes / recordBytes
              + " records, expected at most "
              + limits.maxRecords()
              + " (raise the reader's limit maxRecords if the log is sound)");
    }
  }

  private static List<FileRecord> records(
      ByteBuffer records, StreamClock clock, boolean unreadable) {
    List<FileRecord> files = new ArrayList<>();
    for (int at = 0; at < records.limit(); at += StreamCounters.LAYOUT.recordBytes()) {
      FileName name = unreadable ? FileName.NONE : StreamCounters.name(records, at);
      double origin = clock.originOf(records, at);
      files.add(new FileRecord(StreamCounters.LAYOUT, records, at, name, origin));
    }
    return List.copyOf(files);
  }

  /**
   * Whether the log was made unreadable by {@code darshan-convert --obfuscate}: command line and
   * ends of paths are numbers then.
   */
  private static boolean isUnreadable(DarshanJob job) {
    return UNREADABLE.matcher(job.commandLine()).matches();
  }

  private DarshanJob job(
      StreamFormat format,
      byte[] content,
      ByteBuffer numbers,
      Instant start,
      Optional<Instant> end,
      Map<String, String> metadata,
      StreamClock clock)
      throws DarshanFormatException {
    int text = StreamFormat.NUMBERS_BYTES + format.metadataBytes();
    String[] lines = text(content, text, format.jobBytes()).split("\n", -1);
    List<Mount> mounts = new ArrayList<>();
    for (String line : List.of(lines).subList(1, lines.length)) {
      mounts.add(mount(text, line));
    }
    return new DarshanJob(
        numbers.getLong(16),
        start,
        end,
        numbers.getLong(40),
        jobId(numbers.getLong(JOB_ID_OFFSET), metadata),
        metadata,
        lines[0].strip(),
        List.copyOf(mounts),
        clock.slackMillis());
  }

  /** Darshan 1 stored no job id, only in the name of the log. */
  private long jobId(long stored, Map<String, String> metadata) {
    Matcher name = ID_IN_NAME.matcher(String.valueOf(path.getFileName()));
    boolean ofVersion1 = metadata.getOrDefault(PREVIOUS_VERSION, "").startsWith("1.");
    return stored == 0 && ofVersion1 && name.find() ? Long.parseLong(name.group(1)) : stored;
  }

  /** A line with device, type and path; the device is told in the records. */
  private Mount mount(int at, String line) throws DarshanFormatException {
    String[] fields = line.split("\t", 3);
    if (fields.length < 3) {
      throw corrupt(
          at, "has the mount \"" + line + "\", expected device, type and path between tabs");
    }
    return new Mount(fields[1], fields[2]);
  }

  private static String text(byte[] content, int from, int to) {
    return RegionText.decode(content, from, RegionText.zeroByte(content, from, to));
  }

  private Instant time(ByteBuffer numbers, int at, String which) throws DarshanFormatException {
    long seconds = numbers.getLong(at);
    if (seconds < 0 || seconds > JobParser.MAX_EPOCH_SECONDS) {
      throw corrupt(
          at, "has the " + which + " time " + seconds + " s, expected a time from 1970 to 9999");
    }
    return Instant.ofEpochSecond(seconds);
  }

  /** The place is one of the content; the file itself has only one place for it, its start. */
  private DarshanFormatException corrupt(int at, String what) {
    return compression == Compression.STORED
        ? file.corrupt(at, "the log " + what)
        : file.corrupt(0, "the log " + what + " (at its decompressed byte " + at + ")");
  }
}
