package io.graphmeta.provenance.folding;

import java.util.List;

/**
 * A lineage in boxes. Each element of the lineage is a member of one box, or belongs to boxes as
 * their job, user, executable or as what their program was built from. Immutable.
 *
 * @param overlay what was folded
 * @param boxes the boxes, in the order of their first members
 * @param links links between different boxes, each relation and presence once
 */
public record FoldedLineage(Overlay overlay, List<Box> boxes, List<BoxLink> links) {
  public FoldedLineage {
    boxes = List.copyOf(boxes);
    links = List.copyOf(links);
  }
}
