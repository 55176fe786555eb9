package io.graphmeta.server.cli.output;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, which remembers why it could not be written: a writer for people tells only that
 * it could not. Used by one thread.
 */
public final class StandardOutput extends FilterOutputStream {
  /** How a system says that the reader, such as {@code head}, has read enough. */
  private static final String ENOUGH = "broken pipe";

  private @Nullable IOException failure;

  /** That of the process. */
  public StandardOutput() {
    this(new FileOutputStream(FileDescriptor.out));
  }

  /** Another stream in its place. */
  public StandardOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int oneByte) throws IOException {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /** Names on standard error what was in the way, unless a reader has read enough. */
  public void report(PrintWriter err) {
    String reason = failure == null ? "" : Failures.oneLine(failure.getMessage());
    if (failure != null && !reason.toLowerCase(Locale.ROOT).contains(ENOUGH)) {
      err.println(
          "graphmeta: Standard output cannot be written ("
              + reason
              + "); what was to be printed is not all there");
    }
  }
}
