package io.graphmeta.server.ingest.wire;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.ProgramRun;
import io.graphmeta.server.ingest.RunTrace;
import io.graphmeta.server.ingest.darshan.Timeline;
import io.graphmeta.server.ingest.trace.TracedRun;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Takes the records of one batch, one by one. Used by one thread. */
public final class RecordReader {
  private static final int PART_BYTES = 1 << 14;

  private final ByteReader in;

  /**
   * Reads a batch.
   *
   * @param maxBytes how large the records may be in all, uncompressed
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if it is damaged, {@code LIMIT_EXCEEDED} if
   *     it is larger
   */
  public RecordReader(byte[] batch, int maxBytes) {
    byte[] records = inflated(batch, maxBytes);
    this.in = new ByteReader(records, 0, records.length);
  }

  private static byte[] inflated(byte[] batch, int maxBytes) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(batch);
      ByteArrayOutputStream records = new ByteArrayOutputStream(4 * PART_BYTES);
      byte[] part = new byte[PART_BYTES];
      while (!inflater.finished()) {
        int length = inflater.inflate(part);
        if (length == 0 && !inflater.finished()) {
          throw damaged("their compressed stream ends early", null);
        }
        records.write(part, 0, length);
        if (records.size() > maxBytes) {
          throw new GraphMetaException(
              ErrorCode.LIMIT_EXCEEDED,
              "The records of one request come to more than "
                  + maxBytes
                  + " bytes; send less of them at a time");
        }
      }
      return records.toByteArray();
    } catch (DataFormatException e) {
      throw damaged(String.valueOf(e.getMessage()), e);
    } finally {
      inflater.end();
    }
  }

  /**
   * The next record; null at the end.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if it is damaged
   */
  public @Nullable LoadRecord next() {
    if (in.remaining() == 0) {
      return null;
    }
    try {
      int kind = in.getByte();
      return switch (kind) {
        case RecordForm.RUN -> run();
        case RecordForm.ACCOUNT -> account();
        case RecordForm.TRACE -> new RunTrace(trace());
        default -> throw damaged("a record is of kind " + kind + ", expected 1 to 3", null);
      };
    } catch (GraphMetaException e) {
      throw e.code() == ErrorCode.CORRUPTION ? damaged(String.valueOf(e.getMessage()), e) : e;
    }
  }

  private static GraphMetaException damaged(String why, @Nullable Exception cause) {
    return new GraphMetaException(
        ErrorCode.INVALID_ARGUMENT,
        "The records are damaged: " + why + "; expected a batch in the form " + RecordForm.NAME,
        cause);
  }

  private ProgramRun run() {
    String digest = in.getText();
    String log = in.getText();
    long uid = number();
    long jobId = number();
    String executable = in.getText();
    String commandLine = in.getText();
    long processes = number();
    long start = number();
    long end = number();
    long slack = number();
    int flags = in.getByte();
    return new ProgramRun(
        digest,
        log,
        uid,
        jobId,
        executable,
        commandLine,
        processes,
        start,
        end,
        (flags & 1) != 0,
        slack,
        (flags & 2) != 0,
        isThere() ? Optional.of(timeline()) : Optional.empty(),
        uses(start),
        renames(start),
        names());
  }

  private Timeline timeline() {
    double span = Double.longBitsToDouble(in.getLong());
    int spans = in.getVarInt();
    if (spans < 1 || spans > Timeline.MAX_SPANS) {
      throw damaged(
          "a timeline has " + spans + " spans, expected 1 to " + Timeline.MAX_SPANS, null);
    }
    List<Long> read = new ArrayList<>();
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < spans; i++) {
      read.add(number());
      written.add(number());
    }
    return new Timeline(span, read, written);
  }

  private List<ProgramRun.Use> uses(long runStart) {
    List<ProgramRun.Use> uses = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      uses.add(new ProgramRun.Use(number(), in.getText(), use(runStart)));
    }
    return uses;
  }

  private FileUse use(long runStart) {
    long start = runStart + number();
    long end = start + number();
    long bytes = number();
    long operations = number();
    long opens = number();
    long extent = number();
    Evidence evidence = evidence();
    String interfaces = in.getText();
    int flags = in.getByte();
    return new FileUse(
        (flags & 1) != 0,
        start,
        end,
        bytes,
        operations,
        opens,
        extent,
        evidence,
        (flags & 2) != 0,
        interfaces);
  }

  private List<ProgramRun.Rename> renames(long runStart) {
    List<ProgramRun.Rename> renames = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      long rank = number();
      String source = in.getText();
      String target = in.getText();
      long start = runStart + number();
      renames.add(new ProgramRun.Rename(rank, source, target, start, start + number(), evidence()));
    }
    return renames;
  }

  private Map<String, String> names() {
    Map<String, String> names = new LinkedHashMap<>();
    for (int left = members(); left > 0; left--) {
      names.put(in.getText(), in.getText());
    }
    return names;
  }

  private JobAccount account() {
    return new JobAccount(
        in.getText(),
        maybeText(),
        maybeNumber(),
        maybeText(),
        maybeText(),
        maybeText(),
        maybeText(),
        maybeText(),
        maybeTime(),
        maybeTime(),
        maybeTime(),
        maybeNumber(),
        maybeNumber(),
        maybeText(),
        maybeText());
  }

  private TracedRun trace() {
    String id = in.getText();
    String name = in.getText();
    String commandLine = in.getText();
    long start = number();
    return new TracedRun(
        id,
        name,
        commandLine,
        start,
        number(),
        isThere() ? Optional.of(job()) : Optional.empty(),
        programs(),
        tracedUses(start),
        tracedRenames(),
        texts());
  }

  private TracedRun.Job job() {
    String id = in.getText();
    String name = in.getText();
    long start = number();
    long end = number();
    List<TracedRun.User> users = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      users.add(new TracedRun.User(in.getText(), in.getText()));
    }
    return new TracedRun.Job(id, name, start, end, users);
  }

  private List<TracedRun.Program> programs() {
    List<TracedRun.Program> programs = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      programs.add(new TracedRun.Program(in.getText(), texts()));
    }
    return programs;
  }

  private List<TracedRun.Use> tracedUses(long runStart) {
    List<TracedRun.Use> uses = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      uses.add(new TracedRun.Use(in.getText(), in.getText(), use(runStart), isThere()));
    }
    return uses;
  }

  private List<TracedRun.Rename> tracedRenames() {
    List<TracedRun.Rename> renames = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      renames.add(new TracedRun.Rename(in.getText(), in.getText()));
    }
    return renames;
  }

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int left = members(); left > 0; left--) {
      texts.add(in.getText());
    }
    return texts;
  }

  /** A number of members, each of which takes a byte at least. */
  private int members() {
    int members = in.getVarInt();
    if (members < 0 || members > in.remaining()) {
      throw damaged(
          "a list has " + members + " members, but " + in.remaining() + " bytes are left", null);
    }
    return members;
  }

  private Evidence evidence() {
    String text = in.getText();
    Evidence evidence = Evidence.of(text);
    if (!evidence.text().equals(text)) {
      throw damaged("an access is known by '" + text + "'", null);
    }
    return evidence;
  }

  private boolean isThere() {
    return in.getByte() != 0;
  }

  private @Nullable String maybeText() {
    return isThere() ? in.getText() : null;
  }

  private @Nullable Long maybeNumber() {
    return isThere() ? number() : null;
  }

  private @Nullable Instant maybeTime() {
    return isThere() ? Instant.EPOCH.plus(number(), ChronoUnit.MICROS) : null;
  }

  private long number() {
    return RecordForm.unZigZag(in.getVarLong());
  }
}
