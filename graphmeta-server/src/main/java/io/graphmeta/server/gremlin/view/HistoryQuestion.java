package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The versions of a file, each from when to when it was the newest. */
final class HistoryQuestion implements ViewQuestion {
  private static final Set<String> NAMES = Set.of("id", "knownAt", "limit");
  private static final int DEFAULT_LIMIT = 500;
  private static final int MAX_LIMIT = 5_000;
  private static final Set<String> BEGINS = Set.of("wrote", "renamed-here");

  private final String id;
  private final TimesAsked times;
  private final int limit;

  HistoryQuestion(String body) {
    Asked asked = Asked.of(body, NAMES);
    this.id = asked.needed("id");
    this.times = new TimesAsked(null, asked.time("knownAt"));
    this.limit = asked.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
  }

  @Override
  public List<Script> scripts() {
    Script asked = script(times);
    // What was not known then is asked too: it tells to which times one can step.
    return times.knownAt() == null
        ? List.of(asked)
        : List.of(asked, new Script(script(new TimesAsked(null, null)).gremlin(), true));
  }

  private Script script(TimesAsked at) {
    return new Script(
        at.source()
            + ".call('graphmeta.history', ['id': "
            + Quoting.gremlin(id)
            + ", 'order': 'desc', 'limit': "
            + limit
            + "])",
        false);
  }

  /** When the store learned of changes, each time once, the earliest first. */
  private static List<Object> known(List<Map<String, Object>> rows) {
    Set<Long> times = new TreeSet<>();
    rows.forEach(row -> times.add(AnswerRow.micros(row.get("known"))));
    times.remove(0L);
    List<Object> known = new ArrayList<>();
    times.forEach(micros -> known.add(Stamp.format(Stamp.startOfMicros(micros))));
    return known;
  }

  /**
   * Changes, the oldest first; if there are more than the limit, the newest of them. Each has the
   * last moment before the next one, which is when to look at what it left; the last one has none.
   */
  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    List<Map<String, Object>> rows = Members.rows(outcomes.get(0).results());
    List<Object> changes = new ArrayList<>();
    String until = "";
    long untilMicros = 0;
    boolean partial = false;
    for (Map<String, Object> row : rows) {
      String operation = AnswerRow.text(row, "operation");
      String version = AnswerRow.text(row, "version");
      changes.add(
          0,
          new Members()
              .put("operation", operation)
              .put("begins", BEGINS.contains(operation))
              .put("from", version)
              .put("until", until)
              .put(
                  "asOf",
                  untilMicros == 0 ? "" : Stamp.format(Stamp.startOfMicros(untilMicros) - 1))
              .put("job", visible(row, "job"))
              .put("jobName", visible(row, "jobName"))
              .put("user", visible(row, "user"))
              .put("process", AnswerRow.text(row, "process"))
              .put("text", visible(row, "commandLine"))
              .put("other", visible(row, "other"))
              .put("key", visible(row, "key"))
              .put("value", row.containsKey("value") ? Members.shown(row.get("value")) : null)
              .put("bytes", row.get("bytes"))
              .put("fate", AnswerRow.text(row, "fate"))
              .put(
                  "doubts",
                  AnswerRow.doubts(row).stream().sorted().map(each -> each.sentence()).toList())
              .toMap());
      until = version;
      untilMicros = AnswerRow.micros(row.get("valid"));
      partial |= Boolean.TRUE.equals(row.get("partial"));
    }
    return new Members()
        .put("id", id)
        .put("text", VisibleText.of(id))
        .list("changes", changes)
        .list("known", known(Members.rows(outcomes.get(outcomes.size() - 1).results())))
        .put("partial", partial)
        .put("gremlin", List.of(scripts().get(0).gremlin()))
        .put("command", "graphmeta history" + times.options() + " " + Quoting.shell(id))
        .toMap();
  }

  private static String visible(Map<String, Object> row, String key) {
    return VisibleText.of(AnswerRow.text(row, key));
  }
}
