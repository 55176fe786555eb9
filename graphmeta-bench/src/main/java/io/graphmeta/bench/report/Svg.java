package io.graphmeta.bench.report;

import java.util.Locale;

/** Writes the elements of one picture, sizes in pixels from the upper left. For one thread. */
public final class Svg {
  /** What of a text stands at its place. */
  public enum Anchor {
    START,
    MIDDLE,
    END
  }

  private final StringBuilder svg = new StringBuilder();

  /** A white picture. */
  public Svg(int width, int height) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">",
        width, height, width, height);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
  }

  /** A line of text. */
  public void text(double x, double y, String words, int size) {
    text(x, y, words, size, Anchor.START);
  }

  /** A line of text that starts, has its middle or ends at a place. */
  public void text(double x, double y, String words, int size, Anchor anchor) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"%s\">%s</text>",
        x, y, size, name(anchor), escaped(words));
  }

  /** A line of text that is read upwards, with its middle at a place. */
  public void upwards(double x, double y, String words, int size) {
    add(
        "<text transform=\"translate(%.1f %.1f) rotate(-90)\" font-size=\"%d\""
            + " text-anchor=\"middle\">%s</text>",
        x, y, size, escaped(words));
  }

  /** A filled rectangle. */
  public void bar(double x, double y, double width, double height, String color) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
        x, y, width, height, color);
  }

  /** The outline of a rectangle. */
  public void frame(double x, double y, double width, double height, String color) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"%s\"/>",
        x, y, width, height, color);
  }

  /** A straight line. */
  public void line(double x1, double y1, double x2, double y2, String color, double width) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
        x1, y1, x2, y2, color, width);
  }

  /** A line through points, whose coordinates are rounded to whole pixels. */
  public void polyline(double[] xs, double[] ys, String color, double width) {
    StringBuilder points = new StringBuilder();
    long lastX = Long.MIN_VALUE;
    long lastY = Long.MIN_VALUE;
    for (int i = 0; i < xs.length; i++) {
      long x = Math.round(xs[i]);
      long y = Math.round(ys[i]);
      if (x != lastX || y != lastY) {
        points.append(points.isEmpty() ? "" : " ").append(x).append(',').append(y);
      }
      lastX = x;
      lastY = y;
    }
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\""
            + " stroke-linejoin=\"round\"/>",
        points, color, width);
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String name(Anchor anchor) {
    return anchor.name().toLowerCase(Locale.ROOT);
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The picture; nothing can be added to what this returns. */
  public String end() {
    return svg + "</svg>\n";
  }
}
