package io.graphmeta.server.layout;

import io.graphmeta.server.layout.Placement.Point;
import io.graphmeta.server.layout.Placement.Rectangle;
import io.graphmeta.server.layout.Placement.Route;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Places a graph; see the package. */
public final class LayeredLayout {
  /** Room around the whole, in pixels. */
  public static final int MARGIN = 16;

  private static final int GAP = 44;
  private static final int GAP_PER_LINE = 2;
  private static final int MAX_GAP = 110;

  private LayeredLayout() {}

  /** The places of boxes and links. Links that close circles are marked and go back. */
  public static Placement place(LayoutGraph graph) {
    Layers layers = new Layers(graph);
    Columns columns = new Columns(graph, layers, true);
    Ordering ordering = Ordering.of(graph, columns);
    if (ordering.crossings() > 0 && !ordering.isLarge()) {
      // Links that share bends go round what is between them on one side, apart on both.
      Columns apart = new Columns(graph, layers, false);
      Ordering other = Ordering.of(graph, apart);
      if (other.crossings() < ordering.crossings()) {
        columns = apart;
        ordering = other;
      }
    }
    int[] middles = new Heights(graph, columns, ordering.order()).middles();
    int[] widths = widths(graph, layers, columns.count);
    int[] lefts = lefts(columns, widths);
    int top = top(graph, columns, middles);
    List<Rectangle> boxes = new ArrayList<>();
    int bottom = 0;
    for (int box = 0; box < columns.boxes; box++) {
      int layer = layers.layer[box];
      int height = graph.boxes().get(box).height();
      int y = middles[box] - height / 2 - top + MARGIN;
      boxes.add(new Rectangle(lefts[layer], y, widths[layer], height, layer));
      bottom = Math.max(bottom, y + height);
    }
    List<Route> routes = new ArrayList<>();
    for (int link = 0; link < columns.ways.length; link++) {
      Route route =
          route(columns, columns.ways[link], layers.turned[link], middles, top, lefts, widths);
      routes.add(route);
      bottom = Math.max(bottom, route.points().stream().mapToInt(Point::y).max().orElse(0));
    }
    int right = columns.count == 0 ? 0 : lefts[columns.count - 1] + widths[columns.count - 1];
    return new Placement(right + MARGIN, bottom + MARGIN, boxes, routes, ordering.crossings());
  }

  private static int[] widths(LayoutGraph graph, Layers layers, int count) {
    int[] widths = new int[count];
    for (int box = 0; box < layers.layer.length; box++) {
      int layer = layers.layer[box];
      widths[layer] = Math.max(widths[layer], graph.boxes().get(box).width());
    }
    return widths;
  }

  /** Where columns begin: many lines between two columns need more room to bend in. */
  private static int[] lefts(Columns columns, int[] widths) {
    int[] lines = new int[columns.count];
    for (int point = 0; point < columns.columnOf.length; point++) {
      lines[columns.columnOf[point]] += columns.before[point].length;
    }
    int[] lefts = new int[columns.count];
    for (int column = 0; column < columns.count; column++) {
      lefts[column] =
          column == 0
              ? MARGIN
              : lefts[column - 1]
                  + widths[column - 1]
                  + Math.min(MAX_GAP, GAP + GAP_PER_LINE * lines[column]);
    }
    return lefts;
  }

  private static int top(LayoutGraph graph, Columns columns, int[] middles) {
    int top = Integer.MAX_VALUE;
    for (int point = 0; point < middles.length; point++) {
      int half = columns.isBend(point) ? 0 : graph.boxes().get(point).height() / 2;
      top = Math.min(top, middles[point] - half);
    }
    return top;
  }

  private static Route route(
      Columns columns,
      int[] way,
      boolean turned,
      int[] middles,
      int top,
      int[] lefts,
      int[] widths) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < way.length; i++) {
      int column = columns.columnOf[way[i]];
      int y = middles[way[i]] - top + MARGIN;
      if (i > 0) {
        points.add(new Point(lefts[column], y));
      }
      if (i < way.length - 1) {
        points.add(new Point(lefts[column] + widths[column], y));
      }
    }
    if (turned) {
      Collections.reverse(points);
    }
    return new Route(turned || way.length == 0, points);
  }
}
