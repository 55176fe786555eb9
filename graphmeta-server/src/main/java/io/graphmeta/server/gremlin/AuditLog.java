package io.graphmeta.server.gremlin;

import io.graphmeta.server.gremlin.rules.Caller;
import io.graphmeta.server.gremlin.run.NamedThreads;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who asked for what, and what came of it: a line for each request to the logger {@value #LOGGER},
 * written by a thread of its own so that no query waits for a disk. If lines come faster than they
 * can be written, those that do not fit into the queue are counted and left out.
 */
final class AuditLog implements AutoCloseable {
  static final String LOGGER = "graphmeta.audit";

  private static final int MAX_QUEUED = 8192;
  private static final int MAX_TEXT = 4096;

  private final Logger logger = LoggerFactory.getLogger(LOGGER);
  private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(MAX_QUEUED);
  private final AtomicLong dropped = new AtomicLong();
  private final boolean enabled;
  private final Thread writer;
  private volatile boolean closed;

  private record Entry(
      Caller caller,
      String kind,
      @Nullable String session,
      String outcome,
      long millis,
      long results,
      String request) {}

  /**
   * @param enabled false to write nothing
   */
  AuditLog(boolean enabled) {
    this.enabled = enabled;
    writer = new NamedThreads("audit").newThread(this::writeAll);
    writer.start();
  }

  void write(
      Caller caller,
      String kind,
      @Nullable String session,
      String outcome,
      long millis,
      long results,
      Object request) {
    if (enabled
        && logger.isInfoEnabled()
        && !queue.offer(
            new Entry(
                caller, kind, session, outcome, millis, results, line(String.valueOf(request))))) {
      dropped.incrementAndGet();
    }
  }

  /** Lines that were left out. */
  long dropped() {
    return dropped.get();
  }

  private void writeAll() {
    try {
      while (!closed || !queue.isEmpty()) {
        Entry entry = queue.poll(100, TimeUnit.MILLISECONDS);
        if (entry != null) {
          logger.info(
              "user={} address={} kind={} session={} outcome=\"{}\" ms={} results={} request=\"{}\"",
              line(entry.caller.user()),
              entry.caller.address(),
              entry.kind,
              entry.session == null ? "-" : line(entry.session),
              line(entry.outcome),
              entry.millis,
              entry.results,
              entry.request);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A text within a line: nothing in it can begin another, or end its quotes. */
  static String line(String text) {
    StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_TEXT) + 16);
    for (int i = 0; i < text.length() && i < MAX_TEXT; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        line.append(String.format("\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return text.length() > MAX_TEXT ? line.append("...").toString() : line.toString();
  }

  /** Writes what is queued, for a second at most. */
  @Override
  public void close() {
    closed = true;
    try {
      writer.join(1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
