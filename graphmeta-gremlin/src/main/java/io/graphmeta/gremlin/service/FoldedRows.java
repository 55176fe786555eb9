package io.graphmeta.gremlin.service;

import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.BoxLink;
import io.graphmeta.provenance.folding.FoldedLineage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Puts a folded lineage into maps: one for each box, with its links to others. */
final class FoldedRows {
  /** Of more members, the first are named; their number tells all. */
  private static final int MOST_NAMED = 100;

  private FoldedRows() {}

  static List<Map<String, Object>> of(FoldedLineage folded) {
    List<LineageNode> nodes = folded.overlay().lineage().nodes();
    Map<Integer, List<Map<String, Object>>> links = new HashMap<>();
    for (BoxLink link : folded.links()) {
      links
          .computeIfAbsent(link.from(), from -> new ArrayList<>())
          .add(
              new Row()
                  .put("relation", link.relation())
                  .put("to", link.to())
                  .put("count", link.count())
                  .toMap());
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Box box : folded.boxes()) {
      Map<String, Integer> fates = new LinkedHashMap<>();
      box.fates().forEach((fate, count) -> fates.put(fate.name().toLowerCase(Locale.ROOT), count));
      rows.add(
          new Row()
              .put("index", box.index())
              .put("key", box.key())
              .put("label", nodes.get(box.members().get(0)).label())
              .put("kind", box.kind().name().toLowerCase(Locale.ROOT))
              .put("name", box.name())
              .put("place", box.place())
              .put("count", box.count())
              .put("start", box.isStart() ? true : null)
              .time("first", box.firstMicros())
              .time("last", box.lastMicros())
              .put("ids", ids(nodes, box.members()))
              .put("jobs", ids(nodes, box.jobs()))
              .put("users", ids(nodes, box.users()))
              .put("programs", ids(nodes, box.programs()))
              .put("built", box.built().isEmpty() ? null : box.built().size())
              .put("fates", fates)
              .doubts(box.doubts())
              .put("links", links.get(box.index()))
              .toMap());
    }
    Row.markPartial(rows, folded.overlay().lineage());
    return rows;
  }

  private static List<String> ids(List<LineageNode> nodes, List<Integer> positions) {
    return positions.stream().limit(MOST_NAMED).map(each -> nodes.get(each).id()).toList();
  }
}
