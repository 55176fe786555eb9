package io.graphmeta.placement;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.stability.Experimental;
import java.util.List;

/** All placement strategies, found by their names. */
public final class Placements {
  /** Split as they grow, entries towards the vertices at their other ends. */
  public static final Placement DIDO = new Dido();

  /** Never split. */
  @Experimental public static final Placement EDGE_CUT = new EdgeCut();

  /** Every edge by itself. */
  @Experimental public static final Placement VERTEX_CUT = new VertexCut();

  /** Split as they grow, entries by their hash. */
  @Experimental public static final Placement GIGA = new Giga();

  private static final List<Placement> ALL = List.of(DIDO, EDGE_CUT, VERTEX_CUT, GIGA);

  private Placements() {}

  /** All of them. */
  public static List<Placement> all() {
    return ALL;
  }

  /** The one of a name. */
  public static Placement named(String name) {
    for (Placement placement : ALL) {
      if (placement.name().equals(name)) {
        return placement;
      }
    }
    throw GraphMetaException.invalid(
        "'" + name + "' is no placement; expected " + ALL.stream().map(Placement::name).toList());
  }
}
