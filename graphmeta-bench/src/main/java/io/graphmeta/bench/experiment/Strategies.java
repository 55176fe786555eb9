package io.graphmeta.bench.experiment;

import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import java.util.List;

/** The strategies that are compared, and how they look in charts. */
final class Strategies {
  /** In the order of the tables; the first is what the others are compared with. */
  static final List<Placement> ALL =
      List.of(Placements.EDGE_CUT, Placements.VERTEX_CUT, Placements.GIGA, Placements.DIDO);

  private static final List<String> COLORS =
      List.of(
          "#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#e377c2");

  private Strategies() {}

  /** The color of the line at a place in a chart. */
  static String color(int line) {
    return COLORS.get(line % COLORS.size());
  }
}
