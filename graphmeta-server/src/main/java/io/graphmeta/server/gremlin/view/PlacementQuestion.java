package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the graph lies: on which shards, in which virtual nodes, and which vertices have the most
 * edges; or where one vertex and its edges lie. To count the whole graph every row is read once, so
 * the page gives that a time, and tells if it was not enough.
 */
final class PlacementQuestion implements ViewQuestion {
  private static final Set<String> NAMES = Set.of("id", "asOf", "knownAt", "limit", "seconds");
  private static final int DEFAULT_LIMIT = 20;
  private static final int MAX_LIMIT = 1_000;
  private static final int MAX_SECONDS = 3_600;
  private static final int MILLIS = 1_000;

  private final @Nullable String id;
  private final TimesAsked times;
  private final int limit;
  private final int millis;

  PlacementQuestion(String body, int searchMillis) {
    Asked asked = Asked.of(body, NAMES);
    this.id = asked.text("id");
    this.times = TimesAsked.of(asked);
    this.limit = asked.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    int seconds = asked.number("seconds", 0, 1, MAX_SECONDS);
    this.millis = seconds == 0 ? searchMillis : seconds * MILLIS;
  }

  private String call() {
    return id == null
        ? ".call('graphmeta.placement', ['limit': " + limit + ", 'virtualNodes': true])"
        : ".call('graphmeta.placement', ['ids': [" + Quoting.gremlin(id) + "]])";
  }

  @Override
  public List<Script> scripts() {
    return List.of(
        new Script(
            times.source() + ".with('evaluationTimeout', " + millis + ")" + call(), id == null));
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    Members answer = new Members();
    List<Object> shards = new ArrayList<>();
    List<Object> nodes = new ArrayList<>();
    List<Object> vertices = new ArrayList<>();
    for (Map<String, Object> row : Members.rows(outcomes.get(0).results())) {
      switch (AnswerRow.text(row, "of")) {
        case "graph" -> answer.put("graph", Members.shown(row));
        case "shard" -> shards.add(Members.shown(row));
        case "virtualNode" -> nodes.add(Members.shown(row));
        default -> vertices.add(vertex(row));
      }
    }
    return answer
        .put("unfinished", VisibleText.of(outcomes.get(0).fault()))
        .put("seconds", (double) millis / MILLIS)
        .list("shards", shards)
        .list("virtualNodes", nodes)
        .list("vertices", vertices)
        .put("gremlin", List.of(times.source() + call()))
        .put("command", command())
        .toMap();
  }

  private String command() {
    return id == null && times.options().isEmpty()
        ? "graphmeta status --hot=" + limit
        : "graphmeta query" + times.options() + " " + Quoting.shell("g" + call());
  }

  private static Map<String, Object> vertex(Map<String, Object> row) {
    Object id = row.get("id");
    return new Members()
        .put("id", id instanceof String text ? text : null)
        .put("text", VisibleText.of(String.valueOf(id)))
        .put("label", Members.shown(row.get("label")))
        .put("virtualNode", row.get("virtualNode"))
        .put("home", row.get("home"))
        .put("outEntries", row.get("outEntries"))
        .put("inEntries", row.get("inEntries"))
        .put("out", Members.shown(row.get("out")))
        .put("in", Members.shown(row.get("in")))
        .toMap();
  }
}
