package io.graphmeta.bench.peers.mark;

import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.Query;
import io.graphmeta.bench.peers.runner.Subject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers by plain loops, level by level, over what {@link #expand} finds. */
abstract class LoopSubject implements Subject {
  /** The label before it is the other one that is asked for. */
  private static final byte WROTE = 1;

  private static final byte FILE = 1;

  /** Where the edges arrive that were found last; the first {@link #found} places hold. */
  protected long[] destinations = {};

  /** Their weights, if asked for. */
  protected int[] weights = {};

  /** Their labels. */
  protected byte[] labels = {};

  /** How many were found. */
  protected int found;

  private long start;
  private int[] scanned = {};

  /** Notes where queries begin. */
  protected final void begin(GraphFile graph) {
    start = graph.start();
    scanned = graph.scanned();
  }

  /** Finds the edges that leave a vertex. */
  protected abstract void expand(long vertex, boolean withWeights);

  /** The owner of a vertex. */
  protected abstract String owner(long vertex) throws IOException;

  /** The size of a vertex. */
  protected abstract int size(long vertex) throws IOException;

  /** The label of a vertex. */
  protected abstract byte label(long vertex) throws IOException;

  @Override
  public final Object answer(Query query) throws IOException {
    return switch (query.kind()) {
      case DISTINCT, DISTINCT_REPEAT -> distinct(query.steps(), -1).size();
      case WEIGHTED -> distinct(query.steps(), Query.MIN_WEIGHT).size();
      case PATHS -> total(paths(query.steps()));
      case SIMPLE_PATHS -> simplePaths(query.steps(), Long.MAX_VALUE, null);
      case LINEAGE -> {
        List<List<Long>> found = new ArrayList<>();
        simplePaths(query.steps(), Query.PATH_LIMIT, found);
        yield found;
      }
      case GROUPS -> groups(paths(query.steps()));
      case SUM -> sum(distinct(query.steps(), -1));
      case SCAN_COUNT -> {
        long count = 0;
        for (int vertex : scanned) {
          expand(vertex, false);
          count += found;
        }
        yield count;
      }
      case SCAN_IDS -> scanIds();
      case SCAN_EDGE_LABELS -> scanEdgeLabels();
      case SCAN_VERTEX_LABEL -> scanVertexLabel();
      case SCAN_WEIGHTED -> scanWeighted();
      case SCAN_VALUES -> scanValues();
    };
  }

  private LongSet distinct(int steps, int minWeight) {
    LongSet frontier = new LongSet();
    frontier.add(start);
    for (int step = 0; step < steps; step++) {
      LongSet next = new LongSet();
      for (int place = 0; place < frontier.size(); place++) {
        expand(frontier.member(place), minWeight >= 0);
        for (int i = 0; i < found; i++) {
          if (minWeight < 0 || weights[i] > minWeight) {
            next.add(destinations[i]);
          }
        }
      }
      frontier = next;
    }
    return frontier;
  }

  private LongCounts paths(int steps) {
    LongCounts frontier = new LongCounts();
    frontier.add(start, 1);
    for (int step = 0; step < steps; step++) {
      LongCounts next = new LongCounts();
      for (int slot = 0; slot < frontier.slotCount(); slot++) {
        if (frontier.isTaken(slot)) {
          expand(frontier.number(slot), false);
          for (int i = 0; i < found; i++) {
            next.add(destinations[i], frontier.count(slot));
          }
        }
      }
      frontier = next;
    }
    return frontier;
  }

  private static long total(LongCounts counts) {
    long total = 0;
    for (int slot = 0; slot < counts.slotCount(); slot++) {
      total += counts.isTaken(slot) ? counts.count(slot) : 0;
    }
    return total;
  }

  private Map<String, Long> groups(LongCounts counts) throws IOException {
    Map<String, Long> groups = new TreeMap<>();
    for (int slot = 0; slot < counts.slotCount(); slot++) {
      if (counts.isTaken(slot)) {
        groups.merge(owner(counts.number(slot)), counts.count(slot), Long::sum);
      }
    }
    return groups;
  }

  private long sum(LongSet vertices) throws IOException {
    long sum = 0;
    for (int place = 0; place < vertices.size(); place++) {
      sum += size(vertices.member(place));
    }
    return sum;
  }

  private long simplePaths(int steps, long limit, @Nullable List<List<Long>> collected) {
    long[] path = new long[steps + 1];
    path[0] = start;
    return simplePaths(path, 0, limit, collected);
  }

  private long simplePaths(
      long[] path, int length, long limit, @Nullable List<List<Long>> collected) {
    expand(path[length], false);
    long[] next = length + 2 < path.length ? Arrays.copyOf(destinations, found) : destinations;
    int nextCount = found;
    long count = 0;
    for (int i = 0; i < nextCount && count < limit; i++) {
      if (contains(path, length, next[i])) {
        continue;
      }
      path[length + 1] = next[i];
      if (length + 2 < path.length) {
        count += simplePaths(path, length + 1, limit - count, collected);
      } else {
        count++;
        if (collected != null) {
          collected.add(Arrays.stream(path).boxed().toList());
        }
      }
    }
    return count;
  }

  private static boolean contains(long[] path, int length, long vertex) {
    for (int i = 0; i <= length; i++) {
      if (path[i] == vertex) {
        return true;
      }
    }
    return false;
  }

  private List<Long> scanIds() {
    List<Long> ids = new ArrayList<>();
    for (int vertex : scanned) {
      expand(vertex, false);
      for (int i = 0; i < found; i++) {
        ids.add(destinations[i]);
      }
    }
    return ids;
  }

  private long scanEdgeLabels() {
    long count = 0;
    for (int vertex : scanned) {
      expand(vertex, false);
      for (int i = 0; i < found; i++) {
        count += labels[i] <= WROTE ? 1 : 0;
      }
    }
    return count;
  }

  private long scanVertexLabel() throws IOException {
    long count = 0;
    for (int vertex : scanned) {
      expand(vertex, false);
      for (int i = 0; i < found; i++) {
        count += label(destinations[i]) == FILE ? 1 : 0;
      }
    }
    return count;
  }

  private long scanWeighted() {
    long count = 0;
    for (int vertex : scanned) {
      expand(vertex, true);
      for (int i = 0; i < found; i++) {
        count += weights[i] > Query.MIN_WEIGHT ? 1 : 0;
      }
    }
    return count;
  }

  private List<Integer> scanValues() {
    List<Integer> values = new ArrayList<>();
    for (int vertex : scanned) {
      expand(vertex, true);
      for (int i = 0; i < found; i++) {
        values.add(weights[i]);
      }
    }
    return values;
  }
}
