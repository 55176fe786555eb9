package io.graphmeta.bench.peers.runner;

import java.util.Locale;

/**
 * A question to every subject.
 *
 * @param kind what is asked
 * @param steps how many steps away from the start
 */
public record Query(Kind kind, int steps) {
  /** Lower bound of the weight in queries that filter edges; a half of the edges pass. */
  public static final int MIN_WEIGHT = 50;

  /** Results after which a search of paths may stop. */
  public static final int PATH_LIMIT = 1_000;

  /** What is asked, with the Gremlin that asks it. */
  public enum Kind {
    /** Distinct vertices after some steps. */
    DISTINCT("V(id) (.out().dedup()){k} .count()"),
    /** The same, as it is written with repeat. */
    DISTINCT_REPEAT("V(id).repeat(out()).times(k).dedup().count()"),
    /** The number of paths. */
    PATHS("V(id) (.out()){k} .count()"),
    /** Steps over edges of some weight. */
    WEIGHTED("V(id) (.outE().has('weight', gt(50)).inV().dedup()){k} .count()"),
    /** Paths that meet no vertex twice. */
    SIMPLE_PATHS("V(id).repeat(out().simplePath()).times(k).count()"),
    /** Some such paths themselves. */
    LINEAGE("V(id).repeat(out().simplePath()).times(k).path().limit(1000)"),
    /** Counts by a property of the vertices that are reached. */
    GROUPS("V(id) (.out()){k} .groupCount().by('owner')"),
    /** The sum of a property of the distinct vertices that are reached. */
    SUM("V(id) (.out().dedup()){k} .values('size').sum()"),
    /** The number of neighbours of many vertices. */
    SCAN_COUNT("V(ids).out().count()"),
    /** Their ids. */
    SCAN_IDS("V(ids).out().id()"),
    /** The number of neighbours over some labels of edges. */
    SCAN_EDGE_LABELS("V(ids).out('wrote', 'started').count()"),
    /** The number of neighbours with a label. */
    SCAN_VERTEX_LABEL("V(ids).out().hasLabel('file').count()"),
    /** The number of edges of some weight. */
    SCAN_WEIGHTED("V(ids).outE().has('weight', gt(50)).count()"),
    /** The weights of edges. */
    SCAN_VALUES("V(ids).outE().values('weight')");

    private final String gremlin;

    Kind(String gremlin) {
      this.gremlin = gremlin;
    }

    /** The Gremlin that asks it, where {@code {k}} repeats what is in parentheses before it. */
    public String gremlin() {
      return gremlin;
    }
  }

  /** A query as {@link #toString} writes it. */
  public static Query parse(String text) {
    int space = text.indexOf(' ');
    String kind = space < 0 ? text : text.substring(0, space);
    return new Query(
        Kind.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_')),
        space < 0 ? 1 : Integer.parseInt(text.substring(space + 1)));
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + " " + steps;
  }
}
