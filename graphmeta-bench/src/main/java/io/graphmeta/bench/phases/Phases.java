package io.graphmeta.bench.phases;

import io.graphmeta.bench.cluster.SlowCluster;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** When each shard was in which phase, while it is told to record. Safe for use by many threads. */
final class Phases implements SlowCluster.Observer {
  private static final long GAP_NANOS = 150_000;

  /** What a shard does. */
  enum Kind {
    /** Anything for a level, told where the times at other work are not told apart. */
    LEVEL,
    READ_VERTICES,
    READ_EDGES,
    PREFETCH,
    /** The request that starts a level, or that brings elements when there are no levels. */
    START
  }

  /** A time of a shard in one phase; that of a start has no length. */
  record Interval(int shard, Kind kind, long startNanos, long endNanos) {
    /** As one what a shard goes on with after a gap of less than a time; starts stay apart. */
    static List<Interval> merged(List<Interval> intervals, long gapNanos) {
      List<Interval> merged = new ArrayList<>();
      List<Interval> sorted = new ArrayList<>(intervals);
      sorted.sort(
          Comparator.comparing(Interval::kind)
              .thenComparing(Interval::shard)
              .thenComparing(Interval::startNanos));
      for (Interval next : sorted) {
        Interval last = merged.isEmpty() ? next : merged.get(merged.size() - 1);
        boolean goesOn =
            last != next
                && next.kind() != Kind.START
                && last.kind() == next.kind()
                && last.shard() == next.shard()
                && next.startNanos() - last.endNanos() < gapNanos;
        if (goesOn) {
          long end = Math.max(last.endNanos(), next.endNanos());
          merged.set(
              merged.size() - 1, new Interval(last.shard(), last.kind(), last.startNanos(), end));
        } else {
          merged.add(next);
        }
      }
      return merged;
    }
  }

  private final List<Interval> intervals = new ArrayList<>();
  private boolean recording;
  private long startedNanos;

  synchronized void start() {
    intervals.clear();
    recording = true;
    startedNanos = System.nanoTime();
  }

  /** Ends recording; times are from its start. */
  synchronized List<Interval> stop() {
    recording = false;
    return List.copyOf(intervals);
  }

  @Override
  public void read(int shard, Family family, boolean ahead, long startNanos, long endNanos) {
    Kind ofElements =
        family == Family.OUT || family == Family.IN ? Kind.READ_EDGES : Kind.READ_VERTICES;
    add(shard, ahead ? Kind.PREFETCH : ofElements, startNanos, endNanos);
  }

  @Override
  public void levelStarts(int shard, long nanos) {
    add(shard, Kind.START, nanos, nanos);
  }

  private synchronized void add(int shard, Kind kind, long startNanos, long endNanos) {
    if (!recording) {
      return;
    }
    long start = startNanos - startedNanos;
    long end = endNanos - startedNanos;
    // What goes on is one interval, however often it is told.
    for (int i = intervals.size() - 1; kind != Kind.START && i >= 0; i--) {
      Interval last = intervals.get(i);
      if (last.shard() == shard && last.kind() == kind) {
        if (start - last.endNanos() < GAP_NANOS) {
          intervals.set(i, new Interval(shard, kind, last.startNanos(), end));
          return;
        }
        break;
      }
    }
    intervals.add(new Interval(shard, kind, start, end));
  }
}
