package io.graphmeta.server.ingest.darshan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Adds up bytes by spans of time. Where the spans end, they are made twice as long and put together
 * by two, as Darshan does; so memory does not depend on how much is added, or how late. Bytes of a
 * call are spread over the time it took, and each byte is counted once. Used by one thread.
 */
final class TimelineBuilder {
  /** Darshan's own, so that its spans fall together with these. */
  private static final double FIRST_SPAN_SECONDS = 0.1;

  private final long[] read = new long[Timeline.MAX_SPANS];
  private final long[] written = new long[Timeline.MAX_SPANS];
  private double spanSeconds = FIRST_SPAN_SECONDS;

  void addRead(double start, double end, long bytes) {
    add(read, start, end, bytes);
  }

  void addWritten(double start, double end, long bytes) {
    add(written, start, end, bytes);
  }

  /** Makes the spans as long as those that bytes are known by, at least. */
  void lengthenTo(double seconds) {
    // What is counted in tenths of a second is not exact in binary.
    while (spanSeconds < seconds * 0.999) {
      lengthen();
    }
  }

  /** What was added; empty if it fell into one span, for then the total says all. */
  Optional<Timeline> build() {
    int used = Timeline.MAX_SPANS;
    while (used > 0 && read[used - 1] == 0 && written[used - 1] == 0) {
      used--;
    }
    int busy = 0;
    for (int i = 0; i < used; i++) {
      busy += read[i] != 0 || written[i] != 0 ? 1 : 0;
    }
    return busy < 2
        ? Optional.empty()
        : Optional.of(new Timeline(spanSeconds, list(read, used), list(written, used)));
  }

  private static List<Long> list(long[] spans, int used) {
    return Arrays.stream(spans, 0, used).boxed().toList();
  }

  /** Damaged times and counts add nothing. */
  private void add(long[] spans, double start, double end, long bytes) {
    if (bytes <= 0 || !(start >= 0 && start <= end && end <= DarshanJob.MAX_RELATIVE_SECONDS)) {
      return;
    }
    while (end > spanSeconds * Timeline.MAX_SPANS) {
      lengthen();
    }
    int first = spanOf(start);
    int last = Math.max(first, spanOf(Math.nextDown(end)));
    long before = 0;
    for (int span = first; span <= last; span++) {
      double part = ((span + 1) * spanSeconds - start) / (end - start);
      long upTo = span == last ? bytes : (long) (bytes * Math.min(1, part));
      spans[span] = plus(spans[span], Math.max(0, upTo - before));
      before = Math.max(before, upTo);
    }
  }

  private int spanOf(double seconds) {
    return (int) Math.min(Timeline.MAX_SPANS - 1, Math.max(0, seconds / spanSeconds));
  }

  private void lengthen() {
    spanSeconds *= 2;
    for (long[] spans : List.of(read, written)) {
      for (int i = 0; i < Timeline.MAX_SPANS; i++) {
        int from = 2 * i;
        spans[i] = from < Timeline.MAX_SPANS ? plus(spans[from], spans[from + 1]) : 0;
      }
    }
  }

  private static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
