package io.graphmeta.server.answers;

import static java.util.Objects.requireNonNull;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the services for lineage and impact answer with result {@code graph}. */
public final class AnsweredLineage {
  private AnsweredLineage() {}

  /** The lineage that maps tell, one for each element. */
  public static Lineage of(List<Map<String, Object>> rows) {
    List<LineageNode> nodes = new ArrayList<>();
    List<Lineage.Link> links = new ArrayList<>();
    boolean partial = false;
    boolean outOfTime = false;
    for (Map<String, Object> row : rows) {
      int index = ((Number) row.getOrDefault("index", 0)).intValue();
      nodes.add(node(row, index));
      for (Object link : (List<?>) row.getOrDefault("links", List.of())) {
        Map<?, ?> map = (Map<?, ?>) link;
        links.add(
            new Lineage.Link(
                index,
                ((Number) requireNonNull(map.get("to"))).intValue(),
                String.valueOf(map.get("relation"))));
      }
      partial |= Boolean.TRUE.equals(row.get("partial"));
      outOfTime |= Boolean.TRUE.equals(row.get("outOfTime"));
    }
    return new Lineage(nodes, links, partial, outOfTime);
  }

  private static LineageNode node(Map<String, Object> row, int index) {
    Object fate = row.get("fate");
    return new LineageNode(
        index,
        -1,
        AnswerRow.text(row, "id"),
        AnswerRow.text(row, "label"),
        AnswerRow.text(row, "description"),
        AnswerRow.micros(row.get("valid")),
        AnswerRow.micros(row.get("end")),
        ((Number) row.getOrDefault("depth", 0)).intValue(),
        AnswerRow.text(row, "relation"),
        AnswerRow.doubts(row),
        row.containsKey("writer") ? AnswerRow.text(row, "writer") : null,
        0,
        fate == null ? null : LineageNode.Fate.valueOf(fate.toString().toUpperCase(Locale.ROOT)));
  }
}
