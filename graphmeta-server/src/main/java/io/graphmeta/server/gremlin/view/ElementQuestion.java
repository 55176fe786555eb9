package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.picture.VisibleText;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The properties of one element. */
final class ElementQuestion implements ViewQuestion {
  private static final Set<String> NAMES = Set.of("id", "asOf", "knownAt");

  private final String id;
  private final TimesAsked times;

  ElementQuestion(String body) {
    Asked asked = Asked.of(body, NAMES);
    this.id = asked.needed("id");
    this.times = TimesAsked.of(asked);
  }

  @Override
  public List<Script> scripts() {
    return List.of(
        new Script(
            times.source()
                + ".V("
                + Quoting.gremlin(id)
                + ").project('label', 'properties').by(T.label).by(valueMap())",
            false));
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    List<Map<String, Object>> rows = Members.rows(outcomes.get(0).results());
    if (rows.isEmpty()) {
      throw Refusal.invalid(
          "Nothing with the id '"
              + VisibleText.of(id)
              + "'"
              + (times.asOf() == null ? "" : " at " + times.asOf())
              + "; expected the id of a vertex, for a file its absolute path");
    }
    return new Members()
        .put("id", id)
        .put("text", VisibleText.of(id))
        .put("label", Members.shown(rows.get(0).get("label")))
        .put("properties", Members.shown(rows.get(0).get("properties")))
        .put("gremlin", scripts().stream().map(Script::gremlin).toList())
        .toMap();
  }
}
