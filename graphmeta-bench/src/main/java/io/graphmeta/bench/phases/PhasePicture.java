package io.graphmeta.bench.phases;

import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.phases.Phases.Kind;
import io.graphmeta.bench.report.Svg;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws what shards did over time, one panel for each engine, as an SVG (as Fig. 9 does). */
final class PhasePicture {
  private static final int LEFT = 90;
  private static final int WIDTH = 1000;
  private static final int ROW = 22;
  private static final int PANEL_GAP = 56;
  private static final int TOP = 70;

  private final int shards;
  private final int slowShard;

  PhasePicture(int shards, int slowShard) {
    this.shards = shards;
    this.slowShard = slowShard;
  }

  /** The picture of one run of each engine, on one scale. */
  String draw(String title, Map<String, List<Interval>> runs) {
    long longest =
        runs.values().stream().flatMap(List::stream).mapToLong(Interval::endNanos).max().orElse(1);
    int height = TOP + runs.size() * (shards * ROW + PANEL_GAP) + 10;
    Svg svg = new Svg(LEFT + WIDTH + 20, height);
    svg.text(LEFT, 20, title, 15);
    legend(svg);
    int top = TOP;
    for (Map.Entry<String, List<Interval>> run : runs.entrySet()) {
      panel(svg, top, run.getKey(), run.getValue(), longest);
      top += shards * ROW + PANEL_GAP;
    }
    return svg.end();
  }

  private static void legend(Svg svg) {
    int x = LEFT;
    for (Kind kind : List.of(Kind.READ_VERTICES, Kind.READ_EDGES, Kind.PREFETCH)) {
      svg.bar(x, 34, 14, 12, color(kind));
      svg.text(x + 20, 45, kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), 12);
      x += 140;
    }
    svg.line(x + 6, 33, x + 6, 47, color(Kind.START), 1);
    svg.text(x + 16, 45, "a level starts; white: waiting", 12);
  }

  private void panel(Svg svg, int top, String name, List<Interval> intervals, long longest) {
    long end = intervals.stream().mapToLong(Interval::endNanos).max().orElse(0);
    svg.text(LEFT, top - 6, millis(name + ": %.1f ms", end), 13);
    for (int shard = 0; shard < shards; shard++) {
      int y = top + shard * ROW;
      svg.text(8, y + 15, "shard " + shard + (shard == slowShard ? " (slow)" : ""), 11);
      svg.frame(LEFT, y, WIDTH, ROW, "#ddd");
    }
    for (Interval interval : intervals) {
      double x = LEFT + (double) interval.startNanos() * WIDTH / longest;
      int y = top + interval.shard() * ROW;
      if (interval.kind() == Kind.START) {
        svg.line(x, y, x, y + ROW, color(Kind.START), 1);
      } else {
        double width = (double) (interval.endNanos() - interval.startNanos()) * WIDTH / longest;
        svg.bar(x, y + 3, Math.max(0.5, width), ROW - 6, color(interval.kind()));
      }
    }
    for (int tick = 0; tick <= 10; tick++) {
      int x = LEFT + WIDTH * tick / 10;
      svg.text(x, top + shards * ROW + 14, millis("%.1f", longest * tick / 10), 10);
    }
  }

  private static String color(Kind kind) {
    return switch (kind) {
      case READ_VERTICES -> "#1f77b4";
      case READ_EDGES -> "#9467bd";
      case PREFETCH -> "#8c564b";
      case START -> "#d62728";
    };
  }

  private static String millis(String format, long nanos) {
    return String.format(Locale.ROOT, format, nanos / 1e6);
  }
}
