package io.graphmeta.server.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * What the program may show to a person: colours and a progress bar on a terminal, plain text
 * elsewhere.
 */
final class Terminal {
  private static final int BAR_WIDTH = 30;
  private static final long REDRAW_NANOS = 100_000_000;

  private final boolean isTerminal;

  private Terminal(boolean isTerminal) {
    this.isTerminal = isTerminal;
  }

  /**
   * The terminal that the program runs on, if it does; {@code NO_COLOR} and {@code TERM=dumb} make
   * it plain.
   */
  static Terminal detect() {
    @Nullable String term = System.getenv("TERM");
    boolean plain = System.getenv("NO_COLOR") != null || "dumb".equals(term);
    return new Terminal(System.console() != null && !plain);
  }

  /** Never a terminal. */
  static Terminal plain() {
    return new Terminal(false);
  }

  String bold(String text) {
    return coloured("1", text);
  }

  String dim(String text) {
    return coloured("2", text);
  }

  String highlight(String text) {
    return coloured("36", text);
  }

  private String coloured(String code, String text) {
    return isTerminal ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }

  /** A progress bar on standard error; nothing where there is no terminal. */
  Progress progress(PrintWriter err, String what, long total) {
    return new Progress(isTerminal ? err : null, what, total);
  }

  /** How far a long work is. Used by one thread. */
  static final class Progress implements AutoCloseable {
    private final @Nullable PrintWriter err;
    private final String what;
    private final long total;
    private long drawnNanos = System.nanoTime() - REDRAW_NANOS;
    private boolean drawn;

    private Progress(@Nullable PrintWriter err, String what, long total) {
      this.err = err;
      this.what = what;
      this.total = total;
    }

    /** So much is done; a total of 0 means that it is not known. */
    void update(long done) {
      if (err == null || System.nanoTime() - drawnNanos < REDRAW_NANOS) {
        return;
      }
      drawnNanos = System.nanoTime();
      drawn = true;
      if (total == 0) {
        err.printf("\r%s %,d", what, done);
      } else {
        int filled = (int) (BAR_WIDTH * done / total);
        err.printf(
            "\r%s [%s%s] %,d of %,d",
            what, "#".repeat(filled), ".".repeat(BAR_WIDTH - filled), done, total);
      }
      err.flush();
    }

    @Override
    public void close() {
      if (err != null && drawn) {
        err.print("\r\u001b[K");
        err.flush();
      }
    }
  }
}
