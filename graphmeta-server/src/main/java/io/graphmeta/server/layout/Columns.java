package io.graphmeta.server.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The graph in columns: boxes, and bends where links go past a column. Every line leads from a
 * column to the next one. The links of a box that have the same bundle can share bends and lines.
 * Used by one thread.
 */
final class Columns {
  /** In place of the box that a link leads to. */
  private static final int ANY = -1;

  /** Of each link: its boxes and bends from left to right. */
  final int[][] ways;

  /** Points, which are boxes and, behind them, bends: the column of each. */
  final int[] columnOf;

  final int boxes;
  final int count;

  /** Neighbours of each point in the column before, and in the one behind it. */
  final int[][] before;

  final int[][] behind;

  /**
   * @param shared whether links of the same box and bundle share bends; else only those between the
   *     same two boxes do
   */
  Columns(LayoutGraph graph, Layers layers, boolean shared) {
    this.boxes = graph.boxes().size();
    this.ways = new int[graph.links().size()][];
    List<Integer> columns = new ArrayList<>();
    for (int layer : layers.layer) {
      columns.add(layer);
    }
    record Shared(int from, int to, int bundle, boolean turned, int column) {}
    Map<Shared, Integer> bends = new HashMap<>();
    List<int[]> lines = new ArrayList<>();
    Set<Long> known = new HashSet<>();
    for (int i = 0; i < ways.length; i++) {
      LayoutGraph.Link link = graph.links().get(i);
      int from = layers.turned[i] ? link.to() : link.from();
      int to = layers.turned[i] ? link.from() : link.to();
      if (from == to) {
        ways[i] = new int[0];
        continue;
      }
      int first = layers.layer[from];
      int[] way = new int[layers.layer[to] - first + 1];
      way[0] = from;
      way[way.length - 1] = to;
      for (int step = 1; step < way.length - 1; step++) {
        Shared which =
            new Shared(from, shared ? ANY : to, link.bundle(), layers.turned[i], first + step);
        Integer bend = bends.get(which);
        if (bend == null) {
          bend = columns.size();
          columns.add(first + step);
          bends.put(which, bend);
        }
        way[step] = bend;
      }
      for (int step = 1; step < way.length; step++) {
        if (known.add((long) way[step - 1] << Integer.SIZE | way[step])) {
          lines.add(new int[] {way[step - 1], way[step]});
        }
      }
      ways[i] = way;
    }
    this.columnOf = columns.stream().mapToInt(Integer::intValue).toArray();
    this.count = Arrays.stream(columnOf).max().orElse(-1) + 1;
    this.before = neighbours(lines, 1, 0);
    this.behind = neighbours(lines, 0, 1);
  }

  private int[][] neighbours(List<int[]> lines, int of, int other) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < columnOf.length; i++) {
      lists.add(new ArrayList<>());
    }
    lines.forEach(line -> lists.get(line[of]).add(line[other]));
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  boolean isBend(int point) {
    return point >= boxes;
  }
}
