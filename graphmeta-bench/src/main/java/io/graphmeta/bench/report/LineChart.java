package io.graphmeta.bench.report;

import io.graphmeta.bench.report.Svg.Anchor;
import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines over one horizontal axis, on a left or a right vertical axis, as an SVG. For one thread.
 */
public final class LineChart {
  /** How values are spread along an axis. A logarithmic one holds only values above 0. */
  public enum Scale {
    LINEAR,
    LOGARITHMIC
  }

  /** The words at an axis, with the unit, and its scale. */
  public record Axis(String words, Scale scale) {}

  private record Line(String name, String color, double[] xs, double[] ys, boolean onRight) {}

  /** The part of an axis that is drawn, and where. */
  private record Span(Scale scale, double least, double greatest, double from, double to) {
    double at(double value) {
      double part =
          scale == Scale.LINEAR
              ? (value - least) / (greatest - least)
              : Math.log(value / least) / Math.log(greatest / least);
      return from + part * (to - from);
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      if (scale == Scale.LINEAR) {
        double step = step(greatest - least);
        for (double tick = Math.ceil(least / step) * step; tick <= greatest; tick += step) {
          ticks.add(tick);
        }
      } else {
        for (double tick = least; tick <= greatest * 1.001; tick *= 10) {
          ticks.add(tick);
        }
      }
      return ticks;
    }
  }

  private static final int WIDTH = 860;
  private static final int PLOT_HEIGHT = 346;
  private static final int LEFT = 80;
  private static final int RIGHT = 70;
  private static final int LEGEND = 42;
  private static final int LEGEND_ROW = 18;
  private static final int BOTTOM = 52;
  private static final double HEADROOM = 1.04;

  private final String title;
  private final Axis horizontal;
  private final Axis left;
  private final Axis right;
  private final List<Line> lines = new ArrayList<>();

  /** A chart without lines yet. */
  public LineChart(String title, Axis horizontal, Axis left, Axis right) {
    this.title = title;
    this.horizontal = horizontal;
    this.left = left;
    this.right = right;
  }

  /** Adds a line on the left axis. */
  public void line(String name, String color, double[] xs, double[] ys) {
    lines.add(new Line(name, color, xs.clone(), ys.clone(), false));
  }

  /** Adds a line on the right axis. */
  public void lineOnRight(String name, String color, double[] xs, double[] ys) {
    lines.add(new Line(name, color, xs.clone(), ys.clone(), true));
  }

  /** The picture. */
  public String draw() {
    if (lines.isEmpty()) {
      throw GraphMetaException.invalid("The chart '" + title + "' has no lines");
    }
    int end = WIDTH - RIGHT;
    int[][] legend = legendPlaces(end);
    int top = legend[legend.length - 1][1] + 20;
    int bottom = top + PLOT_HEIGHT;
    Svg svg = new Svg(WIDTH, bottom + BOTTOM);
    svg.text(LEFT, 22, title, 15);
    for (int i = 0; i < legend.length; i++) {
      svg.line(legend[i][0], legend[i][1], legend[i][0] + 24, legend[i][1], color(i), 3);
      svg.text(legend[i][0] + 30, legend[i][1] + 4, lines.get(i).name(), 12);
    }
    Span across = span(horizontal.scale(), allOf(true, true), LEFT, end);
    for (double tick : across.ticks()) {
      double x = across.at(tick);
      svg.line(x, bottom, x, bottom + 5, "black", 1);
      svg.text(x, bottom + 18, number(tick), 11, Anchor.MIDDLE);
    }
    svg.text((LEFT + end) / 2.0, bottom + BOTTOM - 10, horizontal.words(), 12, Anchor.MIDDLE);
    Span up = vertical(svg, left, false, end, bottom);
    Span upRight = up;
    if (lines.stream().anyMatch(Line::onRight)) {
      upRight = vertical(svg, right, true, end, bottom);
    }
    for (Line line : lines) {
      Span vertical = line.onRight() ? upRight : up;
      svg.polyline(places(line.xs(), across), places(line.ys(), vertical), line.color(), 1.2);
    }
    svg.frame(LEFT, top, end - LEFT, PLOT_HEIGHT, "black");
    return svg.end();
  }

  private String color(int line) {
    return lines.get(line).color();
  }

  /** Where the lines of the legend begin, in as many rows as they need. */
  private int[][] legendPlaces(int end) {
    int[][] places = new int[lines.size()][];
    int x = LEFT;
    int y = LEGEND;
    for (int i = 0; i < places.length; i++) {
      int width = 50 + 7 * lines.get(i).name().length();
      if (x > LEFT && x + width > end) {
        x = LEFT;
        y += LEGEND_ROW;
      }
      places[i] = new int[] {x, y};
      x += width;
    }
    return places;
  }

  private Span vertical(Svg svg, Axis axis, boolean onRight, int end, int bottom) {
    Span span = span(axis.scale(), allOf(false, onRight), bottom, bottom - PLOT_HEIGHT);
    for (double tick : span.ticks()) {
      double y = span.at(tick);
      if (onRight) {
        svg.line(end, y, end + 5, y, "black", 1);
        svg.text(end + 8, y + 4, number(tick), 11);
      } else {
        svg.line(LEFT - 5, y, LEFT, y, "black", 1);
        svg.line(LEFT, y, end, y, "#e4e4e4", 1);
        svg.text(LEFT - 8, y + 4, number(tick), 11, Anchor.END);
      }
    }
    svg.upwards(onRight ? WIDTH - 14 : 20, bottom - PLOT_HEIGHT / 2.0, axis.words(), 12);
    return span;
  }

  private List<double[]> allOf(boolean across, boolean onRight) {
    return lines.stream()
        .filter(line -> across || line.onRight() == onRight)
        .map(line -> across ? line.xs() : line.ys())
        .toList();
  }

  private static Span span(Scale scale, List<double[]> all, double from, double to) {
    double least = Double.MAX_VALUE;
    double greatest = -Double.MAX_VALUE;
    for (double[] values : all) {
      for (double value : values) {
        if (scale == Scale.LOGARITHMIC && value <= 0) {
          throw GraphMetaException.invalid(value + " on a logarithmic axis; expected above 0");
        }
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    if (scale == Scale.LINEAR) {
      return new Span(scale, 0, greatest > 0 ? greatest * HEADROOM : 1, from, to);
    }
    double down = Math.pow(10, Math.floor(Math.log10(least)));
    double up = Math.pow(10, Math.ceil(Math.log10(greatest)));
    return new Span(scale, down, up > down ? up : down * 10, from, to);
  }

  private static double[] places(double[] values, Span span) {
    double[] places = new double[values.length];
    for (int i = 0; i < values.length; i++) {
      places[i] = span.at(values[i]);
    }
    return places;
  }

  /** A distance of ticks of 1, 2 or 5 times a power of ten that makes 4 to 10 of them. */
  private static double step(double length) {
    double power = Math.pow(10, Math.floor(Math.log10(length / 4)));
    double units = length / 4 / power;
    return power * (units >= 5 ? 5 : units >= 2 ? 2 : 1);
  }

  private static String number(double value) {
    if (value >= 1e6) {
      return String.format(Locale.ROOT, value % 1e6 == 0 ? "%.0fM" : "%.1fM", value / 1e6);
    }
    return value >= 1 || value == 0
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
