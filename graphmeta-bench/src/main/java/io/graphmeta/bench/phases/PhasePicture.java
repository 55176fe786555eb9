package io.graphmeta.bench.phases;

import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.phases.Phases.Kind;
import io.graphmeta.bench.report.Svg;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Draws what shards did over time, one panel for each engine, as an SVG (as Fig. 9 does). */
final class PhasePicture {
  private static final int LEFT = 90;
  private static final int WIDTH = 1000;
  private static final int ROW = 22;
  private static final int PANEL_GAP = 56;
  private static final int TOP = 70;

  private final List<String> rows;

  /**
   * A picture of some shards.
   *
   * @param rows their names, in the order of their numbers
   */
  PhasePicture(List<String> rows) {
    this.rows = rows;
  }

  /** The picture of one run of each engine, on one scale. */
  String draw(String title, Map<String, List<Interval>> runs) {
    long longest =
        runs.values().stream().flatMap(List::stream).mapToLong(Interval::endNanos).max().orElse(1);
    int panel = rows.size() * ROW + PANEL_GAP;
    int height = TOP + runs.size() * panel + 10;
    Svg svg = new Svg(LEFT + WIDTH + 30, height);
    svg.text(LEFT, 20, title, 15);
    legend(
        svg,
        runs.values().stream()
            .flatMap(List::stream)
            .map(Interval::kind)
            .collect(Collectors.toCollection(TreeSet::new)));
    int top = TOP;
    for (Map.Entry<String, List<Interval>> run : runs.entrySet()) {
      panel(svg, top, run.getKey(), run.getValue(), longest);
      top += panel;
    }
    return svg.end();
  }

  private static void legend(Svg svg, Set<Kind> kinds) {
    int x = LEFT;
    for (Kind kind : kinds) {
      if (kind == Kind.START) {
        continue;
      }
      svg.bar(x, 34, 14, 12, color(kind));
      svg.text(x + 20, 45, name(kind), 12);
      x += 140;
    }
    svg.line(x + 6, 33, x + 6, 47, color(Kind.START), 1);
    svg.text(x + 16, 45, "a level starts; white: waiting", 12);
  }

  private void panel(Svg svg, int top, String name, List<Interval> intervals, long longest) {
    long end = intervals.stream().mapToLong(Interval::endNanos).max().orElse(0);
    svg.text(LEFT, top - 6, millis(name + ": %.1f ms", end), 13);
    for (int shard = 0; shard < rows.size(); shard++) {
      int y = top + shard * ROW;
      svg.text(8, y + 15, rows.get(shard), 11);
      svg.frame(LEFT, y, WIDTH, ROW, "#ddd");
    }
    // What is done within a level is drawn over it.
    List<Interval> inOrder =
        intervals.stream().sorted(Comparator.comparing(Interval::kind)).toList();
    for (Interval interval : inOrder) {
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
      svg.text(x, top + rows.size() * ROW + 14, millis("%.1f", longest * tick / 10), 10);
    }
  }

  /** What a shard does, in words. */
  static String name(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String color(Kind kind) {
    return switch (kind) {
      case LEVEL -> "#b3b3b3";
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
