package io.graphmeta.bench.phases;

import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.phases.Phases.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws what servers did over time, one panel for each engine, as an SVG (as Fig. 9 does). */
final class PhasePicture {
  private static final int LEFT = 90;
  private static final int WIDTH = 1000;
  private static final int ROW = 22;
  private static final int PANEL_GAP = 56;
  private static final int TOP = 70;

  private final int servers;
  private final int slowServer;
  private final StringBuilder svg = new StringBuilder();

  PhasePicture(int servers, int slowServer) {
    this.servers = servers;
    this.slowServer = slowServer;
  }

  /** The picture of one run of each engine, on one scale. */
  String draw(String title, Map<String, List<Interval>> runs) {
    long longest =
        runs.values().stream().flatMap(List::stream).mapToLong(Interval::endNanos).max().orElse(1);
    int height = TOP + runs.size() * (servers * ROW + PANEL_GAP) + 10;
    svg.append(
        text(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"12\">\n",
            LEFT + WIDTH + 20, height));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    label(LEFT, 20, title, "15");
    legend();
    int top = TOP;
    for (Map.Entry<String, List<Interval>> run : runs.entrySet()) {
      panel(top, run.getKey(), run.getValue(), longest);
      top += servers * ROW + PANEL_GAP;
    }
    return svg.append("</svg>\n").toString();
  }

  private void legend() {
    int x = LEFT;
    for (Kind kind : List.of(Kind.READ_VERTICES, Kind.READ_EDGES, Kind.PREFETCH)) {
      svg.append(
          text(
              "<rect x=\"%d\" y=\"34\" width=\"14\" height=\"12\" fill=\"%s\"/>\n",
              x, color(kind)));
      label(x + 20, 45, kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), "12");
      x += 140;
    }
    svg.append(
        text("<line x1=\"%d\" y1=\"33\" x2=\"%d\" y2=\"47\" stroke=\"#d62728\"/>\n", x + 6, x + 6));
    label(x + 16, 45, "a level starts; white: waiting", "12");
  }

  private void panel(int top, String name, List<Interval> intervals, long longest) {
    long end = intervals.stream().mapToLong(Interval::endNanos).max().orElse(0);
    label(LEFT, top - 6, text("%s: %.1f ms", name, end / 1e6), "13");
    for (int server = 0; server < servers; server++) {
      int y = top + server * ROW;
      label(8, y + 15, "server " + server + (server == slowServer ? " (slow)" : ""), "11");
      svg.append(
          text(
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\""
                  + " stroke=\"#ddd\"/>\n",
              LEFT, y, WIDTH, ROW));
    }
    for (Interval interval : intervals) {
      double x = LEFT + (double) interval.startNanos() * WIDTH / longest;
      int y = top + interval.server() * ROW;
      if (interval.kind() == Kind.START) {
        svg.append(
            text(
                "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#d62728\"/>\n",
                x, y, x, y + ROW));
      } else {
        double width = (double) (interval.endNanos() - interval.startNanos()) * WIDTH / longest;
        svg.append(
            text(
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
                x, y + 3, Math.max(0.5, width), ROW - 6, color(interval.kind())));
      }
    }
    axis(top + servers * ROW, longest);
  }

  private void axis(int y, long longest) {
    for (int tick = 0; tick <= 10; tick++) {
      int x = LEFT + WIDTH * tick / 10;
      label(x, y + 14, text("%.1f", longest * tick / 10 / 1e6), "10");
    }
  }

  private void label(int x, int y, String words, String size) {
    svg.append(text("<text x=\"%d\" y=\"%d\" font-size=\"%s\">%s</text>\n", x, y, size, words));
  }

  private static String color(Kind kind) {
    return switch (kind) {
      case READ_VERTICES -> "#1f77b4";
      case READ_EDGES -> "#9467bd";
      case PREFETCH -> "#8c564b";
      case START -> "#d62728";
    };
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
