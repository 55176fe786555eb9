package io.graphmeta.server.picture;

import io.graphmeta.server.layout.LayeredLayout;
import io.graphmeta.server.layout.LayoutGraph;
import io.graphmeta.server.layout.Placement;
import io.graphmeta.server.layout.Placement.Rectangle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Any vertices and edges as a picture, each vertex a box of its own. Edges go from left to right
 * where they can. Immutable.
 *
 * @param boxes in the order of the vertices
 * @param lines in the order of the edges
 */
public record ElementPicture(int width, int height, List<Box> boxes, List<Line> lines) {
  private static final int LEAST_WIDTH = 104;
  private static final int MOST_WIDTH = 208;
  private static final int LINES = 2;
  private static final int PADDING = 9;

  /**
   * A vertex to draw.
   *
   * @param name what it is called
   * @param detail a line below the name
   */
  public record Vertex(String name, String detail) {}

  /**
   * An edge to draw.
   *
   * @param from position of a vertex
   * @param to position of a vertex
   */
  public record Edge(int from, int to, String label) {}

  /** The place of a vertex, and what fits into it. */
  public record Box(int x, int y, int width, int height, String title, String detail) {}

  /**
   * The way of an edge.
   *
   * @param path data of a path of SVG
   */
  public record Line(boolean goesBack, String path) {}

  public ElementPicture {
    boxes = List.copyOf(boxes);
    lines = List.copyOf(lines);
  }

  /** Draws vertices with the edges between them; every text is made visible. */
  public static ElementPicture of(List<Vertex> vertices, List<Edge> edges) {
    List<LayoutGraph.Size> sizes = new ArrayList<>();
    List<Vertex> visible = new ArrayList<>();
    for (Vertex each : vertices) {
      Vertex vertex = new Vertex(VisibleText.of(each.name()), VisibleText.of(each.detail()));
      visible.add(vertex);
      int width =
          Math.max(
              TextWidth.of(vertex.name(), LineagePicture.TITLE_SIZE, true),
              TextWidth.of(vertex.detail(), LineagePicture.DETAIL_SIZE, false));
      sizes.add(
          new LayoutGraph.Size(
              Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width + 2 * LineagePicture.INDENT)),
              LineagePicture.FIRST_BASE + (LINES - 1) * LineagePicture.LINE_HEIGHT + PADDING));
    }
    Map<String, Integer> labels = new HashMap<>();
    List<LayoutGraph.Link> links = new ArrayList<>();
    for (Edge edge : edges) {
      int bundle = labels.computeIfAbsent(edge.label(), key -> labels.size());
      links.add(new LayoutGraph.Link(edge.from(), edge.to(), bundle));
    }
    Placement placement = LayeredLayout.place(new LayoutGraph(sizes, links));
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < visible.size(); i++) {
      boxes.add(box(visible.get(i), placement.boxes().get(i)));
    }
    List<Line> lines = new ArrayList<>();
    for (Placement.Route route : placement.routes()) {
      lines.add(new Line(route.goesBack(), LineagePicture.path(route.points())));
    }
    return new ElementPicture(placement.width(), placement.height(), boxes, lines);
  }

  private static Box box(Vertex vertex, Rectangle place) {
    int room = place.width() - 2 * LineagePicture.INDENT;
    return new Box(
        place.x(),
        place.y(),
        place.width(),
        place.height(),
        TextWidth.fitted(vertex.name(), LineagePicture.TITLE_SIZE, true, room),
        TextWidth.fitted(vertex.detail(), LineagePicture.DETAIL_SIZE, false, room));
  }
}
