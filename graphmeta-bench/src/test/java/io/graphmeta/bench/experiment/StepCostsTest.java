package io.graphmeta.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bench.experiment.StepCosts.Cost;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the metrics count: by hand on a small graph, and beside plain counting on random ones. */
class StepCostsTest {
  private static final int VIRTUAL_NODES = 1 << 12;

  /** The edges 0 to 1, 2, 3 and 4; 1 to 2; 3 to 4 and 1. */
  private static final DirectedGraph GRAPH =
      DirectedGraph.of(5, new int[] {0, 0, 0, 0, 1, 3, 3}, new int[] {1, 2, 3, 4, 2, 4, 1});

  /** Vertices 0 and 1 on shard 0, then 2, 3 and 4 on shards 1, 2 and 3. */
  private static Layout onFour(Placement placement) {
    int[] homes = {0, 0, 1, 2, 3};
    VirtualNodeMap plain = VirtualNodeMap.roundRobin(1, VIRTUAL_NODES, 4);
    int[] shardOf = new int[VIRTUAL_NODES];
    for (int vertex = 0; vertex < homes.length; vertex++) {
      shardOf[plain.virtualNode(vertex + 1L)] = homes[vertex];
    }
    Layout layout =
        new Layout(placement.name(), placement, new VirtualNodeMap(1, 4, shardOf), false);
    for (int vertex = 0; vertex < homes.length; vertex++) {
      assertThat(layout.home(vertex)).isEqualTo(homes[vertex]);
    }
    return layout;
  }

  private static Cost cost(Placement placement, int threshold, int start, int steps) {
    PlacedGraph placed = PlacedGraph.place(GRAPH, onFour(placement), threshold);
    return new StepCosts(GRAPH, List.of(placed)).walk(start, steps)[steps - 1][0];
  }

  /** All four entries at home, three of them for vertices elsewhere; vertex 1 is read there too. */
  @Test
  void edgeCutReadsAllAtHome() {
    assertThat(cost(Placements.EDGE_CUT, 2, 0, 1)).isEqualTo(new Cost(3, 5));
  }

  /**
   * The second step reads the entry of 1 on shard 0 and two of 3 on shard 2, all for elsewhere;
   * with the vertices 1, 2 and 4 that is two reads on shard 0.
   */
  @Test
  void stepsAddUp() {
    assertThat(cost(Placements.EDGE_CUT, 2, 0, 2)).isEqualTo(new Cost(3 + 3, 5 + 2));
  }

  /**
   * The third entry splits: those for shards 1 and 3 go to shard 1. One message asks it, and two
   * entries are not where they end. Two entries and a vertex are read there, and as many at home.
   */
  @Test
  void didoSplitOnce() {
    assertThat(cost(Placements.DIDO, 2, 0, 1)).isEqualTo(new Cost(1 + 2, 3));
  }

  /** With an entry on each shard three are asked, and nothing else is sent. */
  @Test
  void didoSplitFully() {
    assertThat(cost(Placements.DIDO, 1, 0, 1)).isEqualTo(new Cost(3, 2));
  }

  @Test
  void vertexCutAsksAllShards() {
    Cost none = cost(Placements.VERTEX_CUT, 2, 2, 1);
    assertThat(none).as("of a vertex without edges").isEqualTo(new Cost(3, 0));
  }

  /** Messages and reads counted the long way: one entry after another. */
  private static Cost counted(
      DirectedGraph graph, Layout layout, int threshold, int start, int steps) {
    Set<Integer> from = new TreeSet<>(Set.of(start));
    long messages = 0;
    long most = 0;
    for (int step = 0; step < steps; step++) {
      long[] reads = new long[layout.shards()];
      Set<Integer> to = new TreeSet<>();
      for (int vertex : from) {
        List<Integer> others = new ArrayList<>();
        for (int entry = 0; entry < graph.degree(vertex); entry++) {
          others.add(graph.other(graph.firstEdge(vertex) + entry));
        }
        to.addAll(others);
        SplitState split = splitOf(layout, vertex, others, threshold);
        Set<Integer> asked = new TreeSet<>();
        for (int i = 0; i < split.size(); i++) {
          asked.add(layout.shard(vertex, split.partition(i)));
        }
        asked.remove(layout.home(vertex));
        messages += asked.size();
        for (int other : others) {
          int shard = layout.shard(vertex, layout.partition(split, vertex, other));
          reads[shard]++;
          messages += shard == layout.home(other) ? 0 : 1;
        }
      }
      to.forEach(vertex -> reads[layout.home(vertex)]++);
      most += java.util.Arrays.stream(reads).max().orElse(0);
      from = to;
    }
    return new Cost(messages, most);
  }

  private static SplitState splitOf(
      Layout layout, int vertex, List<Integer> others, int threshold) {
    SplitState split = layout.initial();
    for (int inserted = 1; inserted <= others.size(); inserted++) {
      List<Integer> soFar = others.subList(0, inserted);
      for (boolean again = true; again; ) {
        again = false;
        for (int i = 0; i < split.size() && !again; i++) {
          int partition = split.partition(i);
          SplitState now = split;
          long count =
              soFar.stream().filter(o -> layout.partition(now, vertex, o) == partition).count();
          int next = count > threshold ? layout.next(partition, split) : -1;
          if (next >= 0) {
            split = split.with(next, 1);
            again = true;
          }
        }
      }
    }
    return split;
  }

  /** What is counted is the arithmetic that shards place entries by. */
  @Test
  void entriesAreWhereShardsWouldPutThem() {
    for (Placement placement : Placements.all()) {
      Layout layout = Layout.overShards(placement, 1024, 11);
      EntryPlaces places = new EntryPlaces(layout.map(), placement);
      SplitState split = layout.initial();
      for (int next; (next = layout.next(0, split)) >= 0; ) {
        split = split.with(next, 1);
      }
      for (int vertex = 0; vertex < 100; vertex++) {
        for (int other = 0; other < 100; other++) {
          assertThat(layout.shard(vertex, layout.partition(split, vertex, other)))
              .isEqualTo(places.shard(split, layout.key(vertex), layout.key(other)));
        }
      }
    }
  }

  @Test
  void agreesWithPlainCounting() {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? 6 : 1); seed++) {
      Random random = new Random(seed);
      int vertices = 20 + random.nextInt(60);
      RMatGraph drawn =
          RMatGraph.ofVertices(
              vertices, 40 * vertices, RMatGraph.Quadrants.GRAPH500, random.nextLong());
      DirectedGraph graph = DirectedGraph.of(drawn);
      int shards = 2 + random.nextInt(9);
      int threshold = 1 + random.nextInt(20);
      List<Layout> layouts = new ArrayList<>();
      Placements.all().forEach(p -> layouts.add(Layout.overShards(p, 64, shards)));
      layouts.add(Layout.overShards(new LowBitsFirst(), 64, shards));
      layouts.add(Layout.overVirtualNodes("nodes", Placements.DIDO, 64, shards));
      layouts.add(Layout.overBlocks("blocks", Placements.GIGA, 64, shards));
      List<PlacedGraph> placed =
          layouts.stream().map(layout -> PlacedGraph.place(graph, layout, threshold)).toList();
      int start = random.nextInt(vertices);
      Cost[][] costs = new StepCosts(graph, placed).walk(start, 3);
      for (int layout = 0; layout < layouts.size(); layout++) {
        for (int steps = 1; steps <= 3; steps++) {
          assertThat(costs[steps - 1][layout])
              .as("%s, %d steps, -Dgraphmeta.seed=%d", layouts.get(layout).name(), steps, seed)
              .isEqualTo(counted(graph, layouts.get(layout), threshold, start, steps));
        }
      }
    }
  }
}
