package io.graphmeta.server.layout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Gives each box a layer, so that links go from a layer to a later one. A link that leads back to a
 * box from which it can be reached is turned round. Boxes with more links out than in are moved
 * right, next to where the links go. Used by one thread.
 */
final class Layers {
  private final int[][] out;
  private final LayoutGraph graph;

  /** Whether each link is turned round. */
  final boolean[] turned;

  /** The layer of each box, from 0. */
  final int[] layer;

  Layers(LayoutGraph graph) {
    this.graph = graph;
    int boxes = graph.boxes().size();
    this.turned = new boolean[graph.links().size()];
    this.layer = new int[boxes];
    this.out = linksByBox(boxes, false);
    turnBackLinks(boxes);
    int[] order = topologicalOrder(boxes);
    for (int box : order) {
      for (int other : followers(box)) {
        layer[other] = Math.max(layer[other], layer[box] + 1);
      }
    }
    pullRight(boxes, order);
    closeGaps();
  }

  private int[][] linksByBox(int boxes, boolean byEnd) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < boxes; i++) {
      lists.add(new ArrayList<>());
    }
    for (int i = 0; i < turned.length; i++) {
      LayoutGraph.Link link = graph.links().get(i);
      if (link.from() != link.to()) {
        lists.get(byEnd ? link.to() : link.from()).add(i);
      }
    }
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** In depth, from boxes that no link leads to, then from those that are left. */
  private void turnBackLinks(int boxes) {
    int[][] in = linksByBox(boxes, true);
    int[] state = new int[boxes];
    for (int box = 0; box < boxes; box++) {
      if (in[box].length == 0) {
        search(box, state);
      }
    }
    for (int box = 0; box < boxes; box++) {
      search(box, state);
    }
  }

  /** States: 0 not met, 1 on the way that leads here, 2 done. */
  private void search(int start, int[] state) {
    if (state[start] != 0) {
      return;
    }
    int[] nextLink = new int[state.length];
    Deque<Integer> way = new ArrayDeque<>();
    way.push(start);
    state[start] = 1;
    while (!way.isEmpty()) {
      int box = way.peek();
      if (nextLink[box] == out[box].length) {
        state[box] = 2;
        way.pop();
        continue;
      }
      int link = out[box][nextLink[box]++];
      int to = graph.links().get(link).to();
      if (state[to] == 1) {
        turned[link] = true;
      } else if (state[to] == 0) {
        state[to] = 1;
        way.push(to);
      }
    }
  }

  private int start(int link) {
    return turned[link] ? graph.links().get(link).to() : graph.links().get(link).from();
  }

  private int end(int link) {
    return turned[link] ? graph.links().get(link).from() : graph.links().get(link).to();
  }

  private int[][] followers = {};

  private int[] followers(int box) {
    return followers[box];
  }

  private int[] topologicalOrder(int boxes) {
    int[] open = new int[boxes];
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < boxes; i++) {
      lists.add(new ArrayList<>());
    }
    for (int link = 0; link < turned.length; link++) {
      if (start(link) != end(link)) {
        lists.get(start(link)).add(end(link));
        open[end(link)]++;
      }
    }
    followers =
        lists.stream()
            .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
    Deque<Integer> ready = new ArrayDeque<>();
    for (int box = 0; box < boxes; box++) {
      if (open[box] == 0) {
        ready.add(box);
      }
    }
    int[] order = new int[boxes];
    int done = 0;
    while (!ready.isEmpty()) {
      int box = ready.remove();
      order[done++] = box;
      for (int other : followers[box]) {
        if (--open[other] == 0) {
          ready.add(other);
        }
      }
    }
    if (done != boxes) {
      throw new IllegalStateException("Links still close a circle");
    }
    return order;
  }

  private void pullRight(int boxes, int[] order) {
    int[] into = new int[boxes];
    for (int[] each : followers) {
      for (int other : each) {
        into[other]++;
      }
    }
    for (int i = order.length - 1; i >= 0; i--) {
      int box = order[i];
      int nearest = Arrays.stream(followers[box]).map(other -> layer[other]).min().orElse(-1);
      if (followers[box].length > into[box] && nearest > layer[box] + 1) {
        layer[box] = nearest - 1;
      }
    }
  }

  /** Layers that nothing is left in are taken out. */
  private void closeGaps() {
    int[] used = Arrays.stream(layer).sorted().distinct().toArray();
    for (int box = 0; box < layer.length; box++) {
      layer[box] = Arrays.binarySearch(used, layer[box]);
    }
  }
}
