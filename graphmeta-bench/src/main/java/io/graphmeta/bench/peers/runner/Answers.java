package io.graphmeta.bench.peers.runner;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes text of answers, the same for answers that are the same: a number, the size and the sum of
 * a list of numbers or vertices, the contents of a map. Of paths it tells how many there are, when
 * each is one, for which of them are found first is free.
 */
final class Answers {
  private final GraphFile graph;
  private final Subject subject;

  /** Pairs of vertices; filled when the first path is to be looked at. */
  private final Set<Long> edges = new HashSet<>();

  Answers(GraphFile graph, Subject subject) {
    this.graph = graph;
    this.subject = subject;
  }

  /** The text of an answer. */
  String text(Query query, Object answer) {
    if (answer instanceof Map<?, ?> map) {
      TreeMap<String, Long> sorted = new TreeMap<>();
      map.forEach((key, count) -> sorted.put(key.toString(), ((Number) count).longValue()));
      return sorted.size() + " groups, hash " + sorted.hashCode();
    }
    if (!(answer instanceof List<?> list)) {
      return Long.toString(((Number) answer).longValue());
    }
    if (query.kind() == Query.Kind.LINEAGE) {
      return paths(query, list);
    }
    long sum = 0;
    for (Object each : list) {
      sum +=
          query.kind() == Query.Kind.SCAN_IDS ? subject.number(each) : ((Number) each).intValue();
    }
    return list.size() + " values, sum " + sum;
  }

  private String paths(Query query, List<?> paths) {
    Set<List<Integer>> distinct = new HashSet<>();
    if (edges.isEmpty()) {
      for (int edge = 0; edge < graph.edgeCount(); edge++) {
        edges.add(pair(graph.sources()[edge], graph.destinations()[edge]));
      }
    }
    for (Object path : paths) {
      List<Integer> numbers = subject.vertices(path).stream().map(subject::number).toList();
      boolean isPath =
          numbers.size() == query.steps() + 1
              && numbers.get(0) == graph.start()
              && new HashSet<>(numbers).size() == numbers.size();
      for (int i = 1; isPath && i < numbers.size(); i++) {
        isPath = edges.contains(pair(numbers.get(i - 1), numbers.get(i)));
      }
      if (!isPath) {
        return "not a path: " + numbers;
      }
      distinct.add(numbers);
    }
    return distinct.size() + " paths" + (distinct.size() < paths.size() ? ", some twice" : "");
  }

  private static long pair(int source, int destination) {
    return (long) source << 32 | destination;
  }
}
