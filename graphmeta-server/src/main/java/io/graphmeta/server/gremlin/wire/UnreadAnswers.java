package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Refusal;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of whole answers that wait for browsers to read them, which are limited over all
 * connections: whoever reads slowly, or not at all, costs no more memory than this. Safe for use by
 * many threads.
 */
final class UnreadAnswers {
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();

  UnreadAnswers(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** As many as an eighth of the memory holds, and one answer at least. */
  static UnreadAnswers ofMemory(int maxResponseBytes) {
    return new UnreadAnswers(Math.max(maxResponseBytes, Runtime.getRuntime().maxMemory() / 8));
  }

  /**
   * Counts an answer that is to be sent.
   *
   * @throws Refusal if too much is unread
   */
  void add(int size) {
    if (bytes.addAndGet(size) > maxBytes) {
      long others = bytes.addAndGet(-size);
      throw Refusal.busy(
          String.format(
              Locale.ROOT,
              "Answers of %,d bytes wait until browsers read them, and at most %,d may; ask again later",
              others,
              maxBytes));
    }
  }

  /** An answer was sent, or its connection is closed. */
  void remove(int size) {
    bytes.addAndGet(-size);
  }

  long bytes() {
    return bytes.get();
  }
}
