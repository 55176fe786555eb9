package io.graphmeta.server.ingest.wire;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.ProgramRun;
import io.graphmeta.server.ingest.RunTrace;
import io.graphmeta.server.ingest.darshan.Timeline;
import io.graphmeta.server.ingest.trace.TracedRun;
import io.graphmeta.time.Stamp;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** Puts records into one batch. Used by one thread. */
public final class RecordWriter {
  private static final int FIRST_BYTES = 1 << 14;

  private final ByteWriter out = new ByteWriter(FIRST_BYTES);

  /** Adds a record at the end. */
  public void add(LoadRecord record) {
    if (record instanceof ProgramRun run) {
      put(out.putByte(RecordForm.RUN), run);
    } else if (record instanceof JobAccount account) {
      put(out.putByte(RecordForm.ACCOUNT), account);
    } else if (record instanceof RunTrace trace) {
      put(out.putByte(RecordForm.TRACE), trace.run());
    }
  }

  /** Size of the records before they are compressed. */
  public int sizeBytes() {
    return out.size();
  }

  /**
   * The first records as a batch; the others stay.
   *
   * @param bytes size of those records, as {@link #sizeBytes} was behind the last of them
   */
  public byte[] take(int bytes) {
    // What is sent at once over a fast line gains nothing by more thorough compression.
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try {
      deflater.setInput(out.array(), 0, bytes);
      deflater.finish();
      ByteArrayOutputStream batch = new ByteArrayOutputStream(bytes / 4 + 64);
      byte[] part = new byte[FIRST_BYTES];
      while (!deflater.finished()) {
        batch.write(part, 0, deflater.deflate(part));
      }
      byte[] others = Arrays.copyOfRange(out.array(), bytes, out.size());
      out.truncate(0);
      out.putBytes(others, 0, others.length);
      return batch.toByteArray();
    } finally {
      deflater.end();
    }
  }

  private static void put(ByteWriter out, ProgramRun run) {
    out.putText(run.digest()).putText(run.log());
    number(out, run.uid());
    number(out, run.jobId());
    out.putText(run.executable()).putText(run.commandLine());
    number(out, run.processes());
    number(out, run.startMicros());
    number(out, run.endMicros());
    number(out, run.slackMillis());
    out.putByte((run.wholeSeconds() ? 1 : 0) | (run.incomplete() ? 2 : 0));
    out.putByte(run.timeline().isPresent() ? 1 : 0);
    run.timeline().ifPresent(timeline -> put(out, timeline));
    out.putVarInt(run.uses().size());
    for (ProgramRun.Use use : run.uses()) {
      number(out, use.rank());
      out.putText(use.path());
      put(out, use.use(), run.startMicros());
    }
    out.putVarInt(run.renames().size());
    for (ProgramRun.Rename rename : run.renames()) {
      number(out, rename.rank());
      out.putText(rename.source()).putText(rename.target());
      number(out, rename.startMicros() - run.startMicros());
      number(out, rename.endMicros() - rename.startMicros());
      out.putText(rename.evidence().text());
    }
    out.putVarInt(run.namesByHash().size());
    run.namesByHash().forEach((id, name) -> out.putText(id).putText(name));
  }

  private static void put(ByteWriter out, Timeline timeline) {
    out.putLong(Double.doubleToRawLongBits(timeline.spanSeconds()));
    out.putVarInt(timeline.bytesRead().size());
    for (int i = 0; i < timeline.bytesRead().size(); i++) {
      number(out, timeline.bytesRead().get(i));
      number(out, timeline.bytesWritten().get(i));
    }
  }

  private static void put(ByteWriter out, FileUse use, long runStart) {
    number(out, use.startMicros() - runStart);
    number(out, use.endMicros() - use.startMicros());
    number(out, use.bytes());
    number(out, use.operations());
    number(out, use.opens());
    number(out, use.extentBytes());
    out.putText(use.evidence().text()).putText(use.interfaces());
    out.putByte((use.wrote() ? 1 : 0) | (use.appended() ? 2 : 0));
  }

  private static void put(ByteWriter out, JobAccount account) {
    out.putText(account.number());
    maybe(out, account.user());
    maybe(out, account.uid());
    maybe(out, account.name());
    maybe(out, account.account());
    maybe(out, account.partition());
    maybe(out, account.state());
    maybe(out, account.exitCode());
    maybe(out, micros(account.submit()));
    maybe(out, micros(account.start()));
    maybe(out, micros(account.end()));
    maybe(out, account.nodes());
    maybe(out, account.tasks());
    maybe(out, account.workDir());
    maybe(out, account.submitLine());
  }

  private static void put(ByteWriter out, TracedRun run) {
    out.putText(run.id()).putText(run.name()).putText(run.commandLine());
    number(out, run.startMicros());
    number(out, run.endMicros());
    out.putByte(run.job().isPresent() ? 1 : 0);
    run.job().ifPresent(job -> put(out, job));
    out.putVarInt(run.programs().size());
    for (TracedRun.Program program : run.programs()) {
      out.putText(program.id());
      texts(out, program.storedIn());
    }
    out.putVarInt(run.uses().size());
    for (TracedRun.Use use : run.uses()) {
      out.putText(use.file()).putText(use.version());
      put(out, use.use(), run.startMicros());
      out.putByte(use.redirected() ? 1 : 0);
    }
    out.putVarInt(run.renames().size());
    run.renames().forEach(each -> out.putText(each.source()).putText(each.target()));
    texts(out, run.deleted());
  }

  private static void put(ByteWriter out, TracedRun.Job job) {
    out.putText(job.id()).putText(job.name());
    number(out, job.startMicros());
    number(out, job.endMicros());
    out.putVarInt(job.users().size());
    job.users().forEach(user -> out.putText(user.id()).putText(user.name()));
  }

  private static void texts(ByteWriter out, List<String> texts) {
    out.putVarInt(texts.size());
    texts.forEach(out::putText);
  }

  /** A time that no graph takes stays one: it is for the server to name it. */
  private static @Nullable Long micros(@Nullable Instant time) {
    return time == null ? null : Stamp.epochMicros(time);
  }

  private static void maybe(ByteWriter out, @Nullable String text) {
    out.putByte(text == null ? 0 : 1);
    if (text != null) {
      out.putText(text);
    }
  }

  private static void maybe(ByteWriter out, @Nullable Long number) {
    out.putByte(number == null ? 0 : 1);
    if (number != null) {
      number(out, number);
    }
  }

  private static void number(ByteWriter out, long number) {
    out.putVarLong(RecordForm.zigZag(number));
  }
}
