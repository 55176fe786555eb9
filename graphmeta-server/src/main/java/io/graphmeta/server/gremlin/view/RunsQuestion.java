package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.answers.AnsweredLineage;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.picture.LineagePicture;
import io.graphmeta.server.picture.Picture;
import io.graphmeta.server.picture.VisibleText;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** In what two runs differ, and what both rest on as one picture. */
final class RunsQuestion implements ViewQuestion {
  private static final Set<String> NAMES =
      Set.of("a", "b", "asOf", "knownAt", "depth", "limit", "budget", "open");

  /** From the job to its processes, what they read, and the files of programs. */
  private static final int DEFAULT_DEPTH = 3;

  private static final int MAX_DEPTH = 1_000;
  private static final int DEFAULT_LIMIT = 5_000;
  private static final int MAX_LIMIT = 100_000;
  private static final int MAX_OPEN = 100;
  private static final int MAX_DIFFERENCES = 2_000;

  /** Two lineages, and the comparison. */
  private static final int SEARCHES = 3;

  private final Instant now;
  private final String first;
  private final String second;
  private final TimesAsked times;
  private final int depth;
  private final int limit;
  private final Folding folding;
  private final int searchMillis;

  RunsQuestion(String body, Instant now, int searchMillis) {
    this.now = now;
    this.searchMillis = Math.max(1, searchMillis / SEARCHES);
    Asked asked = Asked.of(body, NAMES);
    this.first = asked.needed("a");
    this.second = asked.needed("b");
    if (first.equals(second)) {
      throw Refusal.invalid(
          "The members 'a' and 'b' are both '"
              + VisibleText.of(first)
              + "'; expected two different runs");
    }
    this.times = TimesAsked.of(asked);
    this.depth = asked.number("depth", DEFAULT_DEPTH, 1, MAX_DEPTH);
    this.limit = asked.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    this.folding =
        new Folding(
            asked.number("budget", Folding.DEFAULT_BUDGET, Folding.MIN_BUDGET, Folding.MAX_BUDGET),
            Set.copyOf(asked.texts("open", MAX_OPEN)));
  }

  @Override
  public List<Script> scripts() {
    String both = Quoting.gremlin(first) + ", " + Quoting.gremlin(second);
    return List.of(
        limited(
            ".call('graphmeta.diff', ['a': "
                + Quoting.gremlin(first)
                + ", 'b': "
                + Quoting.gremlin(second)
                + ", 'limit': "
                + MAX_DIFFERENCES),
        new Script(
            times.source()
                + ".V("
                + both
                + ").project('id', 'label', 'properties', 'users').by(T.id).by(T.label)"
                + ".by(valueMap('name', 'commandLine', 'start', 'end', 'state'))"
                + ".by(__.in('ran').coalesce(values('name'), id()).fold())",
            false),
        lineage(first),
        lineage(second));
  }

  private Script lineage(String id) {
    return limited(
        ".call('graphmeta.lineage', ['id': "
            + Quoting.gremlin(id)
            + ", 'depth': "
            + depth
            + ", 'limit': "
            + limit
            + ", 'result': 'graph'");
  }

  /** A call, of which the list of parameters is still open. */
  private Script limited(String call) {
    return new Script(
        times.source() + call + "])",
        times.source() + call + Quoting.searchMillis(searchMillis) + "])",
        false);
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    List<Object> differences = new ArrayList<>();
    boolean partial = false;
    for (Map<String, Object> row : Members.rows(outcomes.get(0).results())) {
      differences.add(difference(row));
      partial |= Boolean.TRUE.equals(row.get("partial"));
    }
    Members answer = new Members();
    for (Map<String, Object> row : Members.rows(outcomes.get(1).results())) {
      answer.put(first.equals(row.get("id")) ? "a" : "b", run(row));
    }
    FoldedLineage folded =
        folding.fold(
            Overlay.of(
                AnsweredLineage.of(Members.rows(outcomes.get(2).results())),
                AnsweredLineage.of(Members.rows(outcomes.get(3).results())),
                false));
    Picture picture = LineagePicture.of(folded, caption(), true);
    Map<String, Object> drawn = new PictureJson(folded, picture).toMap();
    drawn.put(
        "presences",
        Map.of("kept", "of both", "gone", "of the first alone", "new", "of the second alone"));
    return answer
        .list("differences", differences)
        .put("differencesPartial", partial)
        .put("picture", drawn)
        .put("now", Stamp.format(Stamp.startOfMicros(Stamp.epochMicros(now))))
        .put("gremlin", scripts().stream().map(Script::gremlin).toList())
        .put(
            "command",
            "graphmeta diff"
                + times.options()
                + " "
                + Quoting.shell(first)
                + " "
                + Quoting.shell(second))
        .toMap();
  }

  private String caption() {
    return "What "
        + VisibleText.of(first)
        + " and "
        + VisibleText.of(second)
        + " rest on"
        + (times.asOf() == null ? "" : ", as of " + times.asOf());
  }

  private static Map<String, Object> run(Map<String, Object> row) {
    Values values = new Values(row.get("properties"));
    String line = values.text("commandLine");
    return new Members()
        .put("id", String.valueOf(row.get("id")))
        .put("text", VisibleText.of(String.valueOf(row.get("id"))))
        .put("label", Members.shown(row.get("label")))
        .put("name", VisibleText.of(line.isEmpty() ? values.text("name") : line))
        .put("users", Members.shown(row.get("users")))
        .put("state", VisibleText.of(values.text("state")))
        .put("startMicros", values.micros("start"))
        .put("endMicros", values.micros("end"))
        .toMap();
  }

  private static Map<String, Object> difference(Map<String, Object> row) {
    String id = AnswerRow.text(row, "id");
    return new Members()
        .put("aspect", AnswerRow.text(row, "aspect"))
        .put("change", AnswerRow.text(row, "change"))
        .put("id", id)
        .put("text", VisibleText.of(id.replaceFirst("^exe:", "")))
        .put("key", VisibleText.of(AnswerRow.text(row, "key")))
        .put("before", side(row.get("before")))
        .put("after", side(row.get("after")))
        .put(
            "doubts", AnswerRow.doubts(row).stream().sorted().map(each -> each.sentence()).toList())
        .toMap();
  }

  /** A value as a text; of versions, each with its writer. */
  private static @Nullable Object side(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof List<?> versions) {
      return Members.shown(versions);
    }
    return VisibleText.of(value.toString());
  }
}
