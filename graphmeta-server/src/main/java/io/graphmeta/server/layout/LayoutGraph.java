package io.graphmeta.server.layout;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is to be placed. Immutable.
 *
 * @param boxes the sizes of the boxes
 * @param links from boxes to boxes, by their positions
 * @param earlier the middle of each box in an earlier picture, in pixels from above, if it was
 *     there
 */
public record LayoutGraph(List<Size> boxes, List<Link> links, List<OptionalInt> earlier) {
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
    earlier = List.copyOf(earlier);
    if (earlier.size() != boxes.size()) {
      throw new IllegalArgumentException(earlier.size() + " places of " + boxes.size() + " boxes");
    }
    for (Link link : links) {
      if (link.from() < 0 || link.to() < 0 || Math.max(link.from(), link.to()) >= boxes.size()) {
        throw new IllegalArgumentException(
            "A link from box " + link.from() + " to " + link.to() + " of " + boxes.size());
      }
    }
  }

  /** A graph of which there is no earlier picture. */
  public LayoutGraph(List<Size> boxes, List<Link> links) {
    this(boxes, links, Collections.nCopies(boxes.size(), OptionalInt.empty()));
  }

  /** Whether any of it has a place that it is to stay near to. */
  boolean hasEarlier() {
    return earlier.stream().anyMatch(OptionalInt::isPresent);
  }
}
