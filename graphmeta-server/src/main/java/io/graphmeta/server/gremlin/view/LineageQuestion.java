package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.answers.AnsweredLineage;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.picture.LineagePicture;
import io.graphmeta.server.picture.Picture;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lineage as a picture: of one time, or of two laid over each other. As for the command {@code
 * lineage}, a time tells of what rests on a file which version is meant, and all that has rested on
 * it up to now is told.
 */
final class LineageQuestion implements ViewQuestion {
  private static final Set<String> NAMES =
      Set.of("id", "direction", "depth", "limit", "budget", "open", "asOf", "knownAt", "against");
  private static final int DEFAULT_LIMIT = 5_000;
  private static final int MAX_OPEN = 100;

  private final Instant now;
  private final String id;
  private final boolean forward;
  private final int depth;
  private final int limit;
  private final Folding folding;
  private final TimesAsked times;
  private final @Nullable String against;

  LineageQuestion(String body, Instant now) {
    this.now = now;
    Asked asked = Asked.of(body, NAMES);
    this.id = asked.needed("id");
    this.forward = asked.choice("direction", "backward", "forward").equals("forward");
    int maxDepth = LineageLimits.DEFAULT.maxDepth();
    this.depth = asked.number("depth", maxDepth, 0, maxDepth);
    this.limit = asked.number("limit", DEFAULT_LIMIT, 1, LineageLimits.DEFAULT.maxElements());
    this.folding =
        new Folding(
            asked.number("budget", Folding.DEFAULT_BUDGET, Folding.MIN_BUDGET, Folding.MAX_BUDGET),
            Set.copyOf(asked.texts("open", MAX_OPEN)));
    this.times = TimesAsked.of(asked);
    this.against = asked.time("against");
    if (against != null && times.asOf() != null && against.compareTo(times.asOf()) >= 0) {
      throw Refusal.invalid(
          "The member 'against' is "
              + against
              + "; expected a time before that of 'asOf', "
              + times.asOf());
    }
  }

  @Override
  public List<Script> scripts() {
    List<Script> scripts = new ArrayList<>();
    if (against != null) {
      scripts.add(new Script(script(against), false));
    }
    scripts.add(new Script(script(times.asOf()), false));
    return scripts;
  }

  private String script(@Nullable String time) {
    boolean isWhole = depth == LineageLimits.DEFAULT.maxDepth();
    return times.source(forward ? null : time)
        + ".call('graphmeta.lineage', ['id': "
        + Quoting.gremlin(id)
        + (forward ? ", 'direction': 'forward'" : "")
        + (forward && time != null ? ", 'at': " + Quoting.gremlin(time) : "")
        + (isWhole ? "" : ", 'depth': " + depth)
        + ", 'limit': "
        + limit
        + ", 'result': 'graph'])";
  }

  private String command() {
    return "graphmeta lineage"
        + (forward ? " --forward" : "")
        + times.options()
        + (depth == LineageLimits.DEFAULT.maxDepth() ? "" : " --depth " + depth)
        + " --limit "
        + limit
        + " "
        + Quoting.shell(id);
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    List<Lineage> lineages = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      lineages.add(AnsweredLineage.of(Members.rows(outcome.results())));
    }
    Overlay overlay =
        lineages.size() == 1
            ? Overlay.of(lineages.get(0), forward)
            : Overlay.of(lineages.get(0), lineages.get(1), forward);
    FoldedLineage folded = folding.fold(overlay);
    Picture picture = LineagePicture.of(folded, caption(), against != null);
    Map<String, Object> answer = new PictureJson(folded, picture).toMap();
    answer.put("id", id);
    // What a link has to name to lead to the same answer when more has been written.
    answer.put("now", Stamp.format(Stamp.startOfMicros(Stamp.epochMicros(now))));
    answer.put("forward", forward);
    answer.put("gremlin", scripts().stream().map(Script::gremlin).toList());
    answer.put("command", command());
    return answer;
  }

  private String caption() {
    String what = forward ? "What rests on " + id : "What " + id + " rests on";
    String when =
        times.asOf() == null ? "" : forward ? " of " + times.asOf() : ", as of " + times.asOf();
    return what + when + (against == null ? "" : ", compared with " + against);
  }
}
