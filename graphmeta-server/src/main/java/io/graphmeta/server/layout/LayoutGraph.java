package io.graphmeta.server.layout;

import java.util.List;

/**
 * What is to be placed. Immutable.
 *
 * @param boxes the sizes of the boxes
 * @param links from boxes to boxes, by their positions
 */
public record LayoutGraph(List<Size> boxes, List<Link> links) {
  /**
   * The size of a box, in pixels.
   *
   * @param width at least 1
   * @param height at least 1
   */
  public record Size(int width, int height) {}

  /**
   * A link that is to go from left to right.
   *
   * @param from position of a box
   * @param to position of a box
   * @param bundle links of one box that have the same number share their bends
   */
  public record Link(int from, int to, int bundle) {}

  public LayoutGraph {
    boxes = List.copyOf(boxes);
    links = List.copyOf(links);
    for (Link link : links) {
      if (link.from() < 0 || link.to() < 0 || Math.max(link.from(), link.to()) >= boxes.size()) {
        throw new IllegalArgumentException(
            "A link from box " + link.from() + " to " + link.to() + " of " + boxes.size());
      }
    }
  }
}
