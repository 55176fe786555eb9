package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.gremlin.rules.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;

/**
 * A query that the user has written, with times, or what it takes. It may only read, as all that a
 * page asks. Of many results the first are told.
 */
final class GremlinQuestion implements ViewQuestion {
  private static final Set<String> NAMES = Set.of("gremlin", "asOf", "knownAt", "limit", "profile");
  private static final int DEFAULT_LIMIT = 500;
  private static final int MAX_LIMIT = 10_000;
  private static final Pattern SOURCE = Pattern.compile("g\\s*\\.");

  /** What ends a script and says how many of its results are to be sent. */
  private static final Pattern TERMINAL =
      Pattern.compile("\\.\\s*(?:toList|toSet|next|iterate)\\s*\\(\\s*\\)\\s*$");

  /** Texts and comments, in which a semicolon ends nothing. */
  private static final Pattern NO_END =
      Pattern.compile(
          "'[^'\\\\]*+(?:\\\\.[^'\\\\]*+)*+'|\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\""
              + "|//[^\\n]*|/\\*.*?\\*/",
          Pattern.DOTALL);

  private final String query;
  private final TimesAsked times;
  private final int limit;
  private final boolean profile;

  GremlinQuestion(String body) {
    Asked asked = Asked.of(body, NAMES);
    this.query = asked.needed("gremlin").strip();
    this.times = TimesAsked.of(asked);
    this.limit = asked.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    this.profile = asked.choice("profile", "no", "yes").equals("yes");
    if (!SOURCE.matcher(query).lookingAt()) {
      throw Refusal.invalid(
          "The query does not begin with the graph; expected one such as"
              + " g.V().hasLabel('job').limit(10)");
    }
    if (isSeveral(query)) {
      throw Refusal.invalid(
          "The query has a semicolon, as several queries have; expected one query");
    }
  }

  /** Whether there is a semicolon outside of texts and comments. */
  private static boolean isSeveral(String query) {
    return NO_END.matcher(query).replaceAll("").contains(";");
  }

  /** The query with its times, as it can be asked elsewhere. */
  private String asked() {
    return times.source() + query.substring(1);
  }

  @Override
  public List<Script> scripts() {
    Matcher terminal = TERMINAL.matcher(asked());
    String steps = terminal.find() ? asked().substring(0, terminal.start()) : asked();
    // What follows a comment to the end of a line would belong to it.
    return List.of(
        new Script(steps + (profile ? "\n.profile()" : "\n.limit(" + (limit + 1) + ")"), false));
  }

  @Override
  public Map<String, Object> answer(List<Outcome> outcomes) {
    List<Object> results = outcomes.get(0).results();
    Members answer = new Members();
    if (profile) {
      if (results.isEmpty() || !(results.get(0) instanceof TraversalMetrics metrics)) {
        throw Refusal.invalid("The query has no profile; expected steps alone");
      }
      answer.put("profile", ProfileJson.of(metrics));
    } else {
      List<Object> told = results.subList(0, Math.min(limit, results.size()));
      List<Object> shown = new ArrayList<>();
      told.forEach(each -> shown.add(ResultJson.of(each)));
      answer
          .list("results", shown)
          .put("partial", results.size() > limit)
          .put("picture", new ResultGraph(told).toMap());
    }
    return answer
        .put("gremlin", List.of(asked()))
        .put(
            "command",
            "graphmeta query"
                + times.options()
                + (profile ? " --profile " : " ")
                + Quoting.shell(query))
        .toMap();
  }
}
