package io.graphmeta.server.cli.output;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How far a long work is: a line on a terminal, drawn again and again, with rate and remaining
 * time. If the process is ended by a signal, a last line tells what was done and how to go on. One
 * thread does the work; the one that ends the process writes the last line, after which nothing
 * more is drawn.
 */
public final class Progress implements AutoCloseable {
  private static final int BAR_WIDTH = 30;
  private static final int ROOM_FOR_A_BAR = 90;
  private static final long REDRAW_NANOS = 100_000_000;
  private static final long FIRST_RATE_NANOS = 1_000_000_000;

  private final PrintWriter err;
  private final int width;
  private final String what;
  private final String after;
  private final long total;
  private final long begun = System.nanoTime();
  private final Thread lastLine = new Thread(this::interrupted, "interrupted-progress");

  private long drawnNanos = begun - REDRAW_NANOS;
  private long done;
  private boolean drawn;
  private boolean watched;
  private boolean ended;

  /** As below; of a work that goes on where it was when the same command is run again. */
  Progress(PrintWriter err, int width, String what, long total) {
    this(
        err,
        width,
        what,
        total,
        "nothing that was loaded is lost: run the same command again to finish");
  }

  /**
   * A work that begins.
   *
   * @param width columns of the terminal; 0 for no line
   * @param total 0 if it is not known
   * @param after what holds if it is interrupted, and how to go on
   */
  Progress(PrintWriter err, int width, String what, long total, String after) {
    this.err = err;
    this.width = width;
    this.what = what;
    this.after = after;
    this.total = total;
  }

  /** So much is done. */
  public synchronized void update(long now) {
    if (!watched && !ended) {
      watched = true;
      watchForTheEnd();
    }
    done = now;
    if (width == 0 || ended || System.nanoTime() - drawnNanos < REDRAW_NANOS) {
      return;
    }
    drawnNanos = System.nanoTime();
    drawn = true;
    String line = line(drawnNanos - begun, width);
    err.print("\r" + line.substring(0, Math.min(line.length(), width - 1)) + "\u001b[K");
    err.flush();
  }

  /** The line after some time. */
  String line(long nanos, int columns) {
    StringBuilder line = new StringBuilder(what);
    if (total > 0 && columns >= ROOM_FOR_A_BAR) {
      int filled = (int) Math.min(BAR_WIDTH, BAR_WIDTH * done / total);
      line.append(" [")
          .append("#".repeat(filled))
          .append(".".repeat(BAR_WIDTH - filled))
          .append(']');
    }
    line.append(' ').append(counted());
    if (nanos >= FIRST_RATE_NANOS && done > 0) {
      double rate = done / (nanos / 1e9);
      line.append(", ").append(rate(rate));
      if (total > done) {
        line.append(", ").append(duration((total - done) / rate)).append(" left");
      }
    }
    return line.toString();
  }

  private String counted() {
    return total == 0
        ? String.format(Locale.ROOT, "%,d", done)
        : String.format(Locale.ROOT, "%,d of %,d", done, total);
  }

  private static String rate(double rate) {
    return String.format(Locale.ROOT, rate < 10 ? "%.1f/s" : "%,.0f/s", rate);
  }

  private static String duration(double seconds) {
    long whole = (long) Math.ceil(seconds);
    long hours = TimeUnit.SECONDS.toHours(whole);
    long minutes = TimeUnit.SECONDS.toMinutes(whole) % 60;
    if (hours > 0) {
      return hours + " h " + minutes + " min";
    }
    return minutes > 0 ? minutes + " min " + whole % 60 + " s" : whole + " s";
  }

  private void watchForTheEnd() {
    try {
      Runtime.getRuntime().addShutdownHook(lastLine);
    } catch (IllegalStateException e) {
      ended = true; // The process ends already.
    }
  }

  private synchronized void interrupted() {
    if (ended) {
      return;
    }
    end();
    String work = what.endsWith(":") ? what.substring(0, what.length() - 1) : what;
    err.println(
        "graphmeta: interrupted at "
            + counted()
            + " ("
            + work.substring(0, 1).toLowerCase(Locale.ROOT)
            + work.substring(1)
            + "); "
            + after);
    err.flush();
  }

  private void end() {
    ended = true;
    if (drawn) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      if (ended) {
        return;
      }
      end();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(lastLine);
    } catch (IllegalStateException e) {
      // The process ends already; the hook finds the work ended.
    }
  }
}
