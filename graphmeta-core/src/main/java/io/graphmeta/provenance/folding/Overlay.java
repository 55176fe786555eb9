package io.graphmeta.provenance.folding;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A lineage, or two lineages of one element at different times as one graph, so that both are
 * folded and laid out once. Immutable.
 *
 * @param lineage all elements and links
 * @param forward whether it is of what rests on the start
 * @param presences when each element is part of it, by its position
 * @param linkPresences when each link is part of it, by its position
 * @param starts positions of the elements that were asked for: two if the times tell two versions
 */
public record Overlay(
    Lineage lineage,
    boolean forward,
    List<Presence> presences,
    List<Presence> linkPresences,
    Set<Integer> starts) {

  public Overlay {
    presences = List.copyOf(presences);
    linkPresences = List.copyOf(linkPresences);
    starts = Collections.unmodifiableSet(new LinkedHashSet<>(starts));
  }

  /** One lineage, all of it kept. */
  public static Overlay of(Lineage lineage, boolean forward) {
    return new Overlay(
        lineage,
        forward,
        Collections.nCopies(lineage.nodes().size(), Presence.KEPT),
        Collections.nCopies(lineage.links().size(), Presence.KEPT),
        Set.of(0));
  }

  /**
   * Two lineages. An element is in both if its id is, and of a file and an executable its version;
   * what became of it and what is doubtful is told as of the second time.
   *
   * @param before that of the first time
   * @param after that of the second time
   */
  public static Overlay of(Lineage before, Lineage after, boolean forward) {
    List<LineageNode> nodes = new ArrayList<>(after.nodes());
    List<Presence> presences =
        new ArrayList<>(Collections.nCopies(after.nodes().size(), Presence.NEW));
    Map<String, Integer> positions = new HashMap<>();
    after.nodes().forEach(node -> positions.put(ElementKey.exactly(node), node.index()));
    int[] moved = new int[before.nodes().size()];
    for (LineageNode node : before.nodes()) {
      Integer known = positions.get(ElementKey.exactly(node));
      if (known == null) {
        moved[node.index()] = nodes.size();
        int parent = node.parent() < 0 ? -1 : moved[node.parent()];
        nodes.add(at(nodes.size(), parent, node, node.doubts()));
        presences.add(Presence.GONE);
      } else {
        moved[node.index()] = known;
        presences.set(known, Presence.KEPT);
        LineageNode later = nodes.get(known);
        Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
        doubts.addAll(node.doubts());
        doubts.addAll(later.doubts());
        nodes.set(known, at(known, later.parent(), later, doubts));
      }
    }
    Map<Lineage.Link, Presence> links = new LinkedHashMap<>();
    after.links().forEach(link -> links.put(link, Presence.NEW));
    for (Lineage.Link link : before.links()) {
      Lineage.Link same = new Lineage.Link(moved[link.from()], moved[link.to()], link.relation());
      links.put(same, links.containsKey(same) ? Presence.KEPT : Presence.GONE);
    }
    Set<Integer> starts = new LinkedHashSet<>(List.of(0, moved[0]));
    return new Overlay(
        new Lineage(
            nodes,
            List.copyOf(links.keySet()),
            before.partial() || after.partial(),
            before.outOfTime() || after.outOfTime()),
        forward,
        presences,
        List.copyOf(links.values()),
        starts);
  }

  private static LineageNode at(int index, int parent, LineageNode node, Set<Doubt> doubts) {
    return new LineageNode(
        index,
        parent,
        node.id(),
        node.label(),
        node.description(),
        node.versionMicros(),
        node.versionEndMicros(),
        node.depth(),
        node.relation(),
        Collections.unmodifiableSet(doubts),
        node.writer(),
        node.seenAtStamp(),
        node.fate());
  }
}
