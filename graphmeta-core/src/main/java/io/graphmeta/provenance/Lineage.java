package io.graphmeta.provenance;

import java.util.List;

/**
 * What an element rests on, or what rests on it, level by level. The first ways to the elements
 * form a tree; the other links can close circles, where processes ran at the same time and read one
 * another's files. Immutable.
 *
 * @param nodes the elements, the start first, each once, in the order of their depth
 * @param links all ways between elements of the result, those by which elements were first reached
 *     too; of a partial result, those that were met before the limit
 * @param partial whether a limit ended the search, so that elements are missing
 * @param outOfTime whether it was the limit on the time that a search may take
 */
public record Lineage(
    List<LineageNode> nodes, List<Link> links, boolean partial, boolean outOfTime) {
  /** Relation of a version to the one that it continues, as an append does. */
  public static final String CONTINUES = "continues";

  /**
   * A way from one element to the next.
   *
   * @param from position of the element nearer to the start
   * @param to position of the other
   * @param relation label of the edge, or {@link Lineage#CONTINUES}
   */
  public record Link(int from, int to, String relation) {}

  public Lineage {
    nodes = List.copyOf(nodes);
    links = List.copyOf(links);
  }

  /** A lineage of a search that had all the time that it needed. */
  public Lineage(List<LineageNode> nodes, List<Link> links, boolean partial) {
    this(nodes, links, partial, false);
  }

  /** The start. */
  public LineageNode root() {
    return nodes.get(0);
  }
}
