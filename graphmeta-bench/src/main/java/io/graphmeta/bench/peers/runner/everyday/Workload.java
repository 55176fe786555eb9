package io.graphmeta.bench.peers.runner.everyday;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What is done again and again.
 *
 * @param kind the operation
 * @param parameter of distinct steps their number, of all else the threads that do it
 */
public record Workload(Kind kind, int parameter) {
  /** Inserts of one commit where many share it. */
  static final int SHARED_COMMIT = 100;

  /** Edges of one commit of a load. */
  static final int LOAD_COMMIT = 1_000;

  /** Paths after which a search may stop. */
  static final int PATH_LIMIT = 10_000;

  /** Steps of the paths. */
  static final int PATH_STEPS = 3;

  /** An insert takes the place of one in so many reads of the mixture. */
  static final int INSERT_SHARE = 10;

  /** What the graph has before a round. */
  enum Contents {
    /** One vertex, which is all the edges' source. */
    SOURCE,
    /** All vertices of the graph file. */
    VERTICES,
    /** All vertices and edges of the graph file. */
    ALL
  }

  /** An operation. */
  public enum Kind {
    /** A vertex and an edge to it from a hot vertex, committed one by one. */
    HOT("insert", Contents.SOURCE, true, 1, 8),
    /** The same, a hundred to a commit. */
    HOT100("insert", Contents.SOURCE, true, 1, 8),
    /** The edges of the graph file, a thousand to a commit. */
    LOAD("edge", Contents.VERTICES, true, 1),
    /** {@code g.V(id).values('payload')}. */
    READ("read", Contents.ALL, false, 1, 2),
    /** {@code g.V(id).out('link').count()}, by edges. */
    HOP("edge", Contents.ALL, false, 1),
    /** {@code g.V(id).outE('link').valueMap()}, by edges. */
    MAPS("edge", Contents.ALL, false, 1),
    /** {@code g.V(id).repeat(out('link').simplePath()).times(3).path().limit(10000)}. */
    PATHS("search", Contents.ALL, false, 1),
    /** A file with eight attributes and the edge to it from its directory, committed one by one. */
    CREATE("file", Contents.SOURCE, true, 8),
    /** Nine times {@code g.V(id).out('link').count()}, then an insert with its commit. */
    MIXED("operation", Contents.ALL, true, 2),
    /** {@code g.V(id).repeat(out().dedup()).times(k).count()}. */
    DISTINCT("query", Contents.ALL, false, 2, 3, 4);

    private final String unit;
    private final Contents contents;
    private final boolean writes;
    private final List<Integer> parameters;

    Kind(String unit, Contents contents, boolean writes, Integer... parameters) {
      this.unit = unit;
      this.contents = contents;
      this.writes = writes;
      this.parameters = List.of(parameters);
    }

    /** What is counted. */
    public String unit() {
      return unit;
    }

    /** Whether it changes the graph, so that it matters when that is durable. */
    public boolean writes() {
      return writes;
    }

    /** Whether it begins with all of the graph file. */
    public boolean isFilled() {
      return contents == Contents.ALL;
    }

    /** Whether the time of one is told; if not, how many there are in a second. */
    public boolean isTimed() {
      return this == PATHS || this == DISTINCT;
    }

    Contents contents() {
      return contents;
    }

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** All workloads. */
  public static List<Workload> all() {
    return Arrays.stream(Kind.values())
        .flatMap(kind -> kind.parameters.stream().map(parameter -> new Workload(kind, parameter)))
        .toList();
  }

  /** The workloads of a name: all of a kind, or one as {@link #toString} writes it. */
  public static List<Workload> named(String name) {
    List<Workload> named =
        Stream.concat(
                all().stream().filter(workload -> workload.kind.text().equals(name)),
                all().stream().filter(workload -> workload.toString().equals(name)))
            .toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "Workload '" + name + "' is unknown; expected a kind, or one of " + all());
    }
    return named;
  }

  /** Threads that do it at the same time. */
  int threads() {
    return kind == Kind.DISTINCT ? 1 : parameter;
  }

  @Override
  public String toString() {
    return kind.text() + "-" + parameter;
  }
}
