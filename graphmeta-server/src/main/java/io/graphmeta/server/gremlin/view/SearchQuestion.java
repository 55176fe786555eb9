package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.gremlin.view.ViewQuestion.Outcome;
import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a text means: an id, the number of a job, or words that are searched. Without a text, the
 * newest jobs.
 */
final class SearchQuestion implements ViewQuestion {
  private static final Set<String> NAMES = Set.of("text", "asOf", "knownAt", "limit");
  private static final int DEFAULT_LIMIT = 30;
  private static final int MAX_LIMIT = 200;
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9_.+\\[\\]]*");
  private static final String FACTS =
      ".project('id', 'label', 'name', 'start', 'state', 'user').by(T.id).by(T.label)"
          + ".by(coalesce(values('commandLine', 'name'), constant('')))"
          + ".by(coalesce(values('start'), constant('')))"
          + ".by(coalesce(values('state'), constant('')))"
          + ".by(coalesce(__.in('ran').values('name'), __.in('ran').id(), constant('')))";

  private final @Nullable String text;
  private final List<Script> scripts = new ArrayList<>();

  SearchQuestion(String body) {
    Asked asked = Asked.of(body, NAMES);
    String given = asked.text("text");
    this.text = given == null || given.isBlank() ? null : given.strip();
    String source = TimesAsked.of(asked).source();
    int limit = asked.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    if (text == null) {
      scripts.add(
          new Script(
              source
                  + ".V().hasLabel('job').order().by('start', desc).limit("
                  + limit
                  + ")"
                  + FACTS,
              false));
      return;
    }
    List<String> ids = new ArrayList<>(List.of(text, "user:" + text, "exe:" + text));
    if (NUMBER.matcher(text).matches()) {
      ids.add("job:" + text);
    }
    scripts.add(
        new Script(
            source
                + ".V("
                + String.join(", ", ids.stream().map(Quoting::gremlin).toList())
                + ")"
                + FACTS,
            false));
    scripts.add(
        new Script(
            source
                + ".call('graphmeta.search', ['query': "
                + Quoting.gremlin(query(text))
                + ", 'limit': "
                + limit
                + "])"
                + FACTS,
            true));
  }

  /** Paths are no words of the query language unless they are in quotes. */
  private static String query(String text) {
    return text.startsWith("/")
        ? "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\""
        : text;
  }

  @Override
  public List<Script> scripts() {
    return scripts;
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    Map<String, Map<String, Object>> found = new LinkedHashMap<>();
    for (Map<String, Object> row : Members.rows(outcomes.get(0).results())) {
      found.put(String.valueOf(row.get("id")), hit(row, text != null));
    }
    String note = "";
    if (outcomes.size() > 1) {
      for (Map<String, Object> row : Members.rows(outcomes.get(1).results())) {
        found.putIfAbsent(String.valueOf(row.get("id")), hit(row, false));
      }
      note = outcomes.get(1).fault();
    }
    return new Members()
        .list("hits", List.copyOf(found.values()))
        .put("note", VisibleText.of(note))
        .put("gremlin", scripts.stream().map(Script::gremlin).toList())
        .toMap();
  }

  private static Map<String, Object> hit(Map<String, Object> row, boolean exact) {
    return new Members()
        .put("id", String.valueOf(row.get("id")))
        .put("text", VisibleText.of(String.valueOf(row.get("id"))))
        .put("label", VisibleText.of(String.valueOf(row.get("label"))))
        .put("name", Members.shown(row.get("name")))
        .put("start", Members.shown(row.get("start")))
        .put("state", Members.shown(row.get("state")))
        .put("user", Members.shown(row.get("user")))
        .put("exact", exact)
        .toMap();
  }
}
