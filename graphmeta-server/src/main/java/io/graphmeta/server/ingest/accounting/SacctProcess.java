package io.graphmeta.server.ingest.accounting;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A run of {@code sacct}, whose lines are read as it prints them: they are never all in memory.
 * Started without a shell, so that no argument is more than itself. Used by one thread; another
 * drains what the process says of errors.
 *
 * <p>The end of the text alone does not tell that it is whole: only {@link #finish} does, which
 * knows how the process ended.
 */
public final class SacctProcess implements AccountingReader {
  private static final int MAX_ERROR_BYTES = 4_096;
  private static final long END_MILLIS = 10_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** The submit line may hold what separates columns, and is understood as the last one only. */
  private static final String COLUMNS =
      "JobID,JobIDRaw,User,UID,Account,Partition,State,ExitCode,Submit,Start,End,NNodes,NTasks,WorkDir,JobName";

  private static final String NEWER_COLUMN = ",SubmitLine";
  private static final String NO_SUCH_COLUMN = "Invalid field requested";

  private final String executable;
  private final Instant since;
  private final Instant until;
  private Run run;
  private @Nullable SacctReader reader;

  private static final class Run {
    final Process process;
    final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    final Thread drain;

    Run(Process process) {
      this.process = process;
      this.drain = new Thread(this::drain, "sacct-errors");
      drain.setDaemon(true);
      drain.start();
    }

    private void drain() {
      byte[] chunk = new byte[1_024];
      try (InputStream in = process.getErrorStream()) {
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
          synchronized (errors) {
            errors.write(chunk, 0, Math.min(count, MAX_ERROR_BYTES - errors.size()));
          }
        }
      } catch (IOException e) {
        // The process has ended; what it said until then counts.
      }
    }

    String said() {
      synchronized (errors) {
        return errors.toString(StandardCharsets.UTF_8).strip();
      }
    }
  }

  private SacctProcess(String executable, Instant since, Instant until) throws IOException {
    this.executable = executable;
    this.since = since;
    this.until = until;
    this.run = start(COLUMNS + NEWER_COLUMN);
  }

  /**
   * Asks for the jobs that were in any state between two times.
   *
   * @param executable path or name of {@code sacct}
   * @throws GraphMetaException {@code NOT_FOUND} if it can't be started
   */
  public static SacctProcess start(String executable, Instant since, Instant until)
      throws IOException {
    return new SacctProcess(executable, since, until);
  }

  private Run start(String columns) {
    ProcessBuilder builder =
        new ProcessBuilder(
            List.of(
                executable,
                "--parsable2",
                "--allusers",
                "--allocations",
                "--starttime=" + TIME.format(since),
                "--endtime=" + TIME.format(until),
                "--format=" + columns));
    builder.environment().put("TZ", "UTC");
    builder.environment().put("SLURM_TIME_FORMAT", "standard");
    builder.environment().put("LC_ALL", "C.UTF-8");
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      return new Run(process);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "'"
              + executable
              + "' cannot be started ("
              + e.getMessage()
              + "); expected Slurm's sacct on the PATH, or its place by --sacct (elsewhere, load the text of sacct by"
              + " 'load sacct')",
          e);
    }
  }

  @Override
  public Optional<JobAccount> next() throws IOException {
    while (true) {
      Optional<SacctRecord> line = reader().next();
      if (line.isEmpty()) {
        return Optional.empty();
      }
      Optional<JobAccount> account = SacctIngest.account(line.get());
      if (account.isPresent()) {
        return account;
      }
    }
  }

  private SacctReader reader() throws IOException {
    if (reader == null) {
      try {
        reader = open(run);
      } catch (IOException e) {
        requireSuccess();
        // No further line can be understood without the header.
        throw new IOException(e.getMessage(), e);
      }
    }
    return reader;
  }

  /** Slurm before 21.08 knows no submit lines, and refuses to be asked for them. */
  private SacctReader open(Run first) throws IOException {
    try {
      return open(first.process);
    } catch (IOException e) {
      awaitEnd();
      if (first.process.exitValue() == 0 || !first.said().contains(NO_SUCH_COLUMN)) {
        throw e;
      }
      run = start(COLUMNS);
      return open(run.process);
    }
  }

  private SacctReader open(Process process) throws IOException {
    return SacctReader.open(
        process.getInputStream(), executable, SacctOptions.defaults().withZone(ZoneOffset.UTC));
  }

  /**
   * Makes sure that all was told.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if the process failed, with what it said
   */
  public void finish() throws IOException {
    requireSuccess();
  }

  private void requireSuccess() throws IOException {
    awaitEnd();
    int code = run.process.exitValue();
    if (code != 0) {
      String said = run.said();
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "'"
              + executable
              + "' failed with the exit code "
              + code
              + (said.isEmpty() ? "" : " and said: " + said)
              + "; what it had told is loaded, and will be asked for again");
    }
  }

  private void awaitEnd() throws IOException {
    try {
      if (!run.process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "'" + executable + "' has ended its text and goes on running; expected it to end");
      }
      run.drain.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while '" + executable + "' ran", e);
    }
  }

  @Override
  public void close() throws IOException {
    run.process.destroy();
    if (reader != null) {
      reader.close();
    }
  }
}
