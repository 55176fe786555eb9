package io.graphmeta.server.layout;

import java.util.List;

/**
 * Where everything lies, in pixels from the upper left. Immutable.
 *
 * @param width of the whole
 * @param height of the whole
 * @param boxes places of the boxes, in the order of the graph
 * @param routes ways of the links, in the order of the graph
 * @param crossings how often lines cross one another
 */
public record Placement(
    int width, int height, List<Rectangle> boxes, List<Route> routes, long crossings) {
  /**
   * The place of a box: as wide as the widest of its layer.
   *
   * @param layer which column it is in, from the left
   */
  public record Rectangle(int x, int y, int width, int height, int layer) {}

  /** A point. */
  public record Point(int x, int y) {}

  /**
   * The way of a link, from the box where it begins to the one where it ends.
   *
   * @param goesBack whether it goes from right to left, since it closes a circle
   * @param points where it leaves and enters columns, an even number of them; none if it leads from
   *     a box to itself
   */
  public record Route(boolean goesBack, List<Point> points) {
    public Route {
      points = List.copyOf(points);
    }
  }

  public Placement {
    boxes = List.copyOf(boxes);
    routes = List.copyOf(routes);
  }
}
