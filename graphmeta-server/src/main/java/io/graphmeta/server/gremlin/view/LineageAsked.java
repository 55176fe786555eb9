package io.graphmeta.server.gremlin.view;

import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.answers.AnsweredLineage;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.view.ViewQuestion.Outcome;
import io.graphmeta.server.gremlin.view.ViewQuestion.Script;
import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which lineage a question is about, of one time or of two, and how it is folded. As for the
 * command {@code lineage}, a time tells of what rests on a file which version is meant, and all
 * that has rested on it up to now is told. Immutable.
 */
final class LineageAsked {
  /** Names of members of a question. */
  static final Set<String> NAMES =
      Set.of("id", "direction", "depth", "limit", "budget", "open", "asOf", "knownAt", "against");

  /** In place of milliseconds: a search takes as long as it needs. */
  static final int NO_LIMIT = 0;

  private static final int DEFAULT_LIMIT = 5_000;
  private static final int MAX_OPEN = 100;

  private final String id;
  private final boolean forward;
  private final boolean impact;
  private final int depth;
  private final int limit;
  private final int searchMillis;
  private final Folding folding;
  private final TimesAsked times;
  private final @Nullable String against;

  /** The names of a question that has more members than these. */
  static Set<String> namesAnd(String... more) {
    Set<String> names = new HashSet<>(NAMES);
    names.addAll(List.of(more));
    return Set.copyOf(names);
  }

  /**
   * What is asked for.
   *
   * @param impact whether it is the impact of a version, which is asked of a service of its own
   * @param searchMillis how long the searches may take together, or {@link #NO_LIMIT}
   */
  LineageAsked(Asked asked, boolean impact, int searchMillis) {
    this.id = asked.needed("id");
    this.impact = impact;
    this.searchMillis = searchMillis;
    this.forward = asked.choice("direction", "backward", "forward").equals("forward") || impact;
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

  String id() {
    return id;
  }

  boolean forward() {
    return forward;
  }

  boolean compared() {
    return against != null;
  }

  List<Script> scripts() {
    List<Script> scripts = new ArrayList<>();
    if (against == null) {
      scripts.add(script(times.asOf(), searchMillis));
    } else {
      int half = searchMillis == NO_LIMIT ? NO_LIMIT : Math.max(1, searchMillis / 2);
      scripts.add(script(against, half));
      scripts.add(script(times.asOf(), half));
    }
    return scripts;
  }

  private Script script(@Nullable String time, int millis) {
    return new Script(gremlin(time, NO_LIMIT), gremlin(time, millis), false);
  }

  private String gremlin(@Nullable String time, int millis) {
    boolean isWhole = depth == LineageLimits.DEFAULT.maxDepth();
    return times.source(forward ? null : time)
        + (impact ? ".call('graphmeta.impact', ['id': " : ".call('graphmeta.lineage', ['id': ")
        + Quoting.gremlin(id)
        + (forward && !impact ? ", 'direction': 'forward'" : "")
        + (forward && time != null ? ", 'at': " + Quoting.gremlin(time) : "")
        + (isWhole ? "" : ", 'depth': " + depth)
        + ", 'limit': "
        + limit
        + ", 'result': 'graph'"
        + Quoting.searchMillis(millis)
        + "])";
  }

  /** The same question as a command. */
  String command() {
    String asOf = times.asOf();
    String when =
        impact
            ? (asOf == null ? "" : " --at " + asOf)
                + new TimesAsked(null, times.knownAt()).options()
            : times.options();
    return (impact ? "graphmeta impact" : "graphmeta lineage" + (forward ? " --forward" : ""))
        + when
        + (depth == LineageLimits.DEFAULT.maxDepth() ? "" : " --depth " + depth)
        + " --limit "
        + limit
        + " "
        + Quoting.shell(id);
  }

  /** What came of the scripts, as one graph. */
  Overlay overlay(List<Outcome> outcomes) {
    List<Lineage> lineages = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      lineages.add(AnsweredLineage.of(Members.rows(outcome.results())));
    }
    return lineages.size() == 1
        ? Overlay.of(lineages.get(0), forward)
        : Overlay.of(lineages.get(0), lineages.get(1), forward);
  }

  FoldedLineage fold(Overlay overlay) {
    return folding.fold(overlay);
  }

  /** What is asked, in words. */
  String caption() {
    String shown = VisibleText.of(id);
    String what =
        impact
            ? "What is affected by " + shown
            : forward ? "What rests on " + shown : "What " + shown + " rests on";
    String when =
        times.asOf() == null ? "" : forward ? " of " + times.asOf() : ", as of " + times.asOf();
    return what + when + (against == null ? "" : ", compared with " + against);
  }
}
