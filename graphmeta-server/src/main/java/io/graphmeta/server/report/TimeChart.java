package io.graphmeta.server.report;

import io.graphmeta.server.report.JobReport.Program;
import java.util.Comparator;
import java.util.List;

/** When the programs of a job ran and moved bytes, as pictures in SVG. Used by one thread. */
final class TimeChart {
  /** Most programs that get a line; those that ran longest. */
  static final int MAX_LINES = 60;

  private static final double WIDTH = 960;
  private static final double LEFT = 130;
  private static final double RIGHT = 20;
  private static final double LINE = 16;
  private static final double HALF = 70;
  private static final int BINS = 160;
  private static final int TICKS = 5;

  private final List<Program> programs;
  private final long fromMicros;
  private final long toMicros;

  TimeChart(List<Program> programs) {
    this.programs = programs.stream().filter(program -> program.startMicros() != 0).toList();
    this.fromMicros = this.programs.stream().mapToLong(Program::startMicros).min().orElse(0);
    this.toMicros =
        Math.max(
            fromMicros + 1_000, this.programs.stream().mapToLong(TimeChart::end).max().orElse(0));
  }

  /** The end of a program, or of its last span with bytes if that is later or no end is known. */
  private static long end(Program program) {
    double busy = 0;
    for (int i = 0; i < program.readBySpan().size(); i++) {
      if (bytes(program.readBySpan(), i) + bytes(program.writtenBySpan(), i) > 0) {
        busy = i * program.spanSeconds();
      }
    }
    return Math.max(
        Math.max(program.startMicros(), program.endMicros()),
        program.startMicros() + (long) (busy * 1e6));
  }

  private static long bytes(List<Long> spans, int index) {
    return index < spans.size() ? Math.max(0, spans.get(index)) : 0;
  }

  boolean isEmpty() {
    return programs.isEmpty();
  }

  /** How many programs tell when they moved bytes. */
  long known() {
    return programs.stream().filter(program -> program.spanSeconds() > 0).count();
  }

  /** Bytes over time: read upwards, written downwards. */
  void bytes(HtmlWriter html) {
    double[] read = new double[BINS];
    double[] written = new double[BINS];
    for (Program program : programs) {
      spread(program, program.readBySpan(), read);
      spread(program, program.writtenBySpan(), written);
    }
    double most = 1;
    for (int i = 0; i < BINS; i++) {
      most = Math.max(most, Math.max(read[i], written[i]));
    }
    double seconds = (toMicros - fromMicros) / 1e6 / BINS;
    double top = 14;
    double middle = top + HALF;
    begin(html, middle + HALF + 24, "Bytes read and written over time");
    label(html, LEFT - 8, top + 4, "end", Amounts.bytes(most / seconds) + "/s");
    label(html, LEFT - 8, middle - HALF / 2 + 4, "end", "read");
    label(html, LEFT - 8, middle + HALF / 2 + 4, "end", "written");
    double width = (WIDTH - LEFT - RIGHT) / BINS;
    for (int i = 0; i < BINS; i++) {
      double up = read[i] / most * HALF;
      double down = written[i] / most * HALF;
      bar(html, "read", LEFT + i * width, middle - up, width * 0.92, up);
      bar(html, "written", LEFT + i * width, middle, width * 0.92, down);
    }
    line(html, LEFT, middle, WIDTH - RIGHT, middle);
    axis(html, middle + HALF + 4);
    html.close();
  }

  private void spread(Program program, List<Long> spans, double[] bins) {
    double binMicros = (toMicros - fromMicros) / (double) BINS;
    for (int i = 0; i < spans.size(); i++) {
      long bytes = bytes(spans, i);
      double begin = (program.startMicros() - fromMicros) + i * program.spanSeconds() * 1e6;
      // The last span can be longer than the program.
      double last = Math.min(begin + program.spanSeconds() * 1e6, end(program) - fromMicros);
      int first = (int) Math.max(0, Math.min(BINS - 1, begin / binMicros));
      int to = (int) Math.max(first, Math.min(BINS - 1, last / binMicros));
      double length = Math.max(1, last - begin);
      for (int bin = first; bin <= to && bytes > 0; bin++) {
        double overlap = Math.min(last, (bin + 1) * binMicros) - Math.max(begin, bin * binMicros);
        bins[bin] += first == to ? bytes : bytes * Math.max(0, overlap) / length;
      }
    }
  }

  /** A line for each program: when it ran, and in it when it moved bytes. */
  void lines(HtmlWriter html) {
    List<Program> shown =
        programs.stream()
            .sorted(Comparator.comparingLong((Program each) -> each.startMicros() - end(each)))
            .limit(MAX_LINES)
            .sorted(Comparator.comparingLong(Program::startMicros))
            .toList();
    begin(html, shown.size() * LINE + 28, "When the programs ran");
    double y = 4;
    for (Program program : shown) {
      label(html, LEFT - 8, y + 10, "end", shortened(program.executable()));
      double x = x(program.startMicros());
      double width = Math.max(2, x(end(program)) - x);
      html.open("rect").set("class", "ran").set("x", x).set("y", y).set("rx", "2");
      html.set("width", width).set("height", LINE - 5);
      html.element("title", title(program)).close();
      spans(html, program, y);
      y += LINE;
    }
    axis(html, y + 2);
    html.close();
  }

  private void spans(HtmlWriter html, Program program, double y) {
    long most = 1;
    for (int i = 0; i < program.readBySpan().size(); i++) {
      most = Math.max(most, bytes(program.readBySpan(), i));
      most = Math.max(most, bytes(program.writtenBySpan(), i));
    }
    double half = (LINE - 5) / 2;
    for (int i = 0; i < program.readBySpan().size(); i++) {
      long begin = program.startMicros() + (long) (i * program.spanSeconds() * 1e6);
      double x = x(begin);
      double width =
          Math.max(1, x(Math.min(end(program), begin + (long) (program.spanSeconds() * 1e6))) - x);
      double up = half * Math.sqrt(bytes(program.readBySpan(), i) / (double) most);
      double down = half * Math.sqrt(bytes(program.writtenBySpan(), i) / (double) most);
      bar(html, "read", x, y + half - up, width, up);
      bar(html, "written", x, y + half, width, down);
    }
  }

  private static String title(Program program) {
    String lasted =
        program.endMicros() == 0
            ? "no end recorded"
            : Amounts.seconds((program.endMicros() - program.startMicros()) / 1e6);
    return program.commandLine() + "\n" + Amounts.time(program.startMicros()) + ", " + lasted;
  }

  private static String shortened(String name) {
    return name.codePointCount(0, name.length()) <= 18
        ? name
        : name.substring(0, name.offsetByCodePoints(0, 17)) + "\u2026";
  }

  private double x(long micros) {
    double part = (micros - fromMicros) / (double) (toMicros - fromMicros);
    return LEFT + Math.max(0, Math.min(1, part)) * (WIDTH - LEFT - RIGHT);
  }

  private void axis(HtmlWriter html, double y) {
    line(html, LEFT, y, WIDTH - RIGHT, y);
    for (int i = 0; i <= TICKS; i++) {
      double x = LEFT + i * (WIDTH - LEFT - RIGHT) / TICKS;
      line(html, x, y, x, y + 4);
      double seconds = (toMicros - fromMicros) / 1e6 * i / TICKS;
      label(html, x, y + 16, i == TICKS ? "end" : "middle", "+" + Amounts.seconds(seconds));
    }
  }

  private static void begin(HtmlWriter html, double height, String title) {
    html.open("svg").set("class", "chart").set("role", "img").set("aria-label", title);
    html.set("viewBox", "0 0 " + (int) WIDTH + " " + (int) Math.ceil(height));
  }

  private static void bar(
      HtmlWriter html, String style, double x, double y, double width, double height) {
    if (height > 0) {
      html.open("rect").set("class", style).set("x", x).set("y", y);
      html.set("width", width).set("height", Math.max(height, 0.6)).close();
    }
  }

  private static void line(HtmlWriter html, double x1, double y1, double x2, double y2) {
    html.open("line").set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).close();
  }

  private static void label(HtmlWriter html, double x, double y, String anchor, String text) {
    html.open("text").set("x", x).set("y", y).set("text-anchor", anchor).text(text).close();
  }
}
