package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is told of placement beside counts of the edges that were added and ended. The seed is in
 * the message of a failure; {@code -Dgraphmeta.seed=N} replays it.
 */
class PlacementReportTest {
  private static final long SEED = Long.getLong("graphmeta.seed", 5);

  private final List<Long> vertices = new ArrayList<>();
  private final List<EdgeKey> edges = new ArrayList<>();

  /** Pages of few rows, so that vertices and elements are cut by their ends. */
  @ParameterizedTest
  @CsvSource({
    "dido, 4, 8, 1024",
    "dido, 5, 2, 1056",
    "dido, 1, 8, 1024",
    "giga, 4, 8, 1500",
    "vertex-cut, 3, 8, 1024",
    "edge-cut, 4, 8, 1024"
  })
  void everythingIsCountedOnceWhereItLies(
      String placement, int shards, int threshold, int pageBytes) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.PLACEMENT, placement)
            .with(Setting.SPLIT_THRESHOLD, threshold)
            .with(Setting.VIRTUAL_NODES, 16)
            .with(Setting.PAGE_BYTES, pageBytes);
    Random random = new Random(SEED);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      create(database, random);
      changeOften(database);
      ReadView before = null;
      List<EdgeKey> edgesBefore = List.of();
      for (int i = 0; i < 60; i++) {
        change(database, random);
        if (i == 30) {
          before = view(database);
          edgesBefore = List.copyOf(edges);
        }
        if (i % 20 == 0) {
          database.splitNow();
        }
      }
      database.splitNow();
      EntryPlaces places =
          new EntryPlaces(
              VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, 16, shards),
              Placements.named(placement));
      long kept = compare(database, places, view(database), edges);
      boolean moves = shards > 1 && (placement.equals("dido") || placement.equals("giga"));
      assertThat(kept > 0).as("rows kept where they were").isEqualTo(moves);
      assertThat(before).isNotNull();
      compare(database, places, before, edgesBefore);
    }
  }

  private static ReadView view(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      return tx.snapshot();
    }
  }

  private void create(GraphDatabase database, Random random) {
    try (GraphTransaction tx = database.begin()) {
      for (int i = 0; i < 40; i++) {
        vertices.add(
            tx.addVertex(
                "v" + i,
                random.nextBoolean() ? "directory" : "file",
                Map.of("n", i),
                Stamp.AT_COMMIT));
      }
      tx.commit();
    }
  }

  /** An edge and a vertex with more versions than a page has rows. */
  private void changeOften(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      edges.add(
          tx.addEdge(
              null, vertices.get(0), "contains", vertices.get(1), Map.of(), Stamp.AT_COMMIT));
      tx.commit();
    }
    for (int i = 0; i < 70; i++) {
      try (GraphTransaction tx = database.begin()) {
        tx.setEdgeProperty(edges.get(0), "n", i, Stamp.AT_COMMIT);
        tx.setVertexProperty(
            vertices.get(2), "n", i, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
        tx.commit();
      }
    }
  }

  private void change(GraphDatabase database, Random random) {
    try (GraphTransaction tx = database.begin()) {
      List<EdgeKey> added = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        // Of the first vertices more than of the others.
        long source = vertices.get(random.nextInt(1 + random.nextInt(vertices.size())));
        long target = vertices.get(random.nextInt(vertices.size()));
        added.add(
            tx.addEdge(
                random.nextInt(4) == 0 ? "e" + random.nextLong() : null,
                random.nextInt(4) == 0 ? target : source,
                "contains",
                random.nextInt(4) == 0 ? source : target,
                Map.of("n", i),
                Stamp.AT_COMMIT));
      }
      List<EdgeKey> ended = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0 && !edges.isEmpty(); i--) {
        EdgeKey edge = edges.get(random.nextInt(edges.size()));
        if (!edge.equals(edges.get(0)) && !ended.contains(edge)) {
          if (random.nextBoolean()) {
            tx.removeEdge(edge, Stamp.AT_COMMIT);
            ended.add(edge);
          } else {
            tx.setEdgeProperty(edge, "n", random.nextInt(), Stamp.AT_COMMIT);
          }
        }
      }
      tx.commit();
      edges.addAll(added);
      edges.removeAll(ended);
    } catch (GraphMetaException e) {
      // An edge was moved since the transaction began: another one goes on.
      assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD);
    }
  }

  private long compare(
      GraphDatabase database, EntryPlaces places, ReadView view, List<EdgeKey> expected) {
    String seed = "seed " + SEED + ", " + view;
    List<Long> told = new ArrayList<>();
    PlacementReport report = database.placementReport(7, view, told::add);
    assertThat(told).as(seed).isSorted().isNotEmpty();
    Map<Long, VertexPlacement> placed = new HashMap<>();
    database.placement(vertices, view).forEach(each -> placed.put(each.vertex(), each));
    compareDegrees(placed, expected, seed);
    compareHottest(report, placed, seed);

    int shards = report.shards().size();
    long[][] byShard = new long[shards][3];
    long[][] byNode = new long[report.virtualNodes().size()][3];
    for (long vertex : vertices) {
      byShard[places.home(vertex)][0]++;
      byNode[VertexKeys.virtualNode(vertex)][0]++;
    }
    for (EdgeKey edge : expected) {
      byShard[shard(places, placed, edge.out(), true, edge.in())][1]++;
      byNode[VertexKeys.virtualNode(edge.out())][1]++;
      byShard[shard(places, placed, edge.in(), false, edge.out())][2]++;
      byNode[VertexKeys.virtualNode(edge.in())][2]++;
    }
    long kept = 0;
    StoredSizes all = StoredSizes.NONE;
    for (PlacementReport.Shard each : report.shards()) {
      assertThat(counts(each.sizes())).as(seed).isEqualTo(byShard[each.shard()]);
      assertThat(each.keptBytes() > 0).as(seed).isEqualTo(each.keptRows() > 0);
      kept += each.keptRows();
      all = all.plus(each.sizes());
    }
    StoredSizes again = StoredSizes.NONE;
    for (PlacementReport.VirtualNode each : report.virtualNodes()) {
      assertThat(counts(each.sizes())).as(seed).isEqualTo(byNode[each.number()]);
      assertThat(each.shard()).isEqualTo(each.number() % shards);
      again = again.plus(each.sizes());
    }
    assertThat(again).as(seed).isEqualTo(all);
    assertThat(all.rows() + kept).as(seed).isEqualTo(told.get(told.size() - 1));
    assertThat(all.rows()).as(seed).isGreaterThanOrEqualTo(all.vertices() + all.entries());
    assertThat(all.bytes()).as(seed).isGreaterThan(all.rows() * 20);
    return kept;
  }

  private void compareDegrees(
      Map<Long, VertexPlacement> placed, List<EdgeKey> expected, String seed) {
    for (long vertex : vertices) {
      VertexPlacement each = placed.get(vertex);
      assertThat(each.outDegree())
          .as(seed)
          .isEqualTo(expected.stream().filter(edge -> edge.out() == vertex).count());
      assertThat(each.inDegree())
          .as(seed)
          .isEqualTo(expected.stream().filter(edge -> edge.in() == vertex).count());
    }
  }

  private static void compareHottest(
      PlacementReport report, Map<Long, VertexPlacement> placed, String seed) {
    Comparator<VertexPlacement> hottestFirst =
        Comparator.comparingLong(
                (VertexPlacement each) -> Math.max(each.outDegree(), each.inDegree()))
            .reversed()
            .thenComparing(VertexPlacement::vertex, Long::compareUnsigned);
    TreeSet<VertexPlacement> all = new TreeSet<>(hottestFirst);
    all.addAll(placed.values());
    assertThat(report.hottest()).as(seed).isEqualTo(all.stream().limit(7).toList());
  }

  private static int shard(
      EntryPlaces places,
      Map<Long, VertexPlacement> placed,
      long owner,
      boolean outgoing,
      long other) {
    VertexPlacement vertex = placed.get(owner);
    SplitState state = places.initial();
    for (VertexPlacement.Partition each : outgoing ? vertex.out() : vertex.in()) {
      state = state.with(each.number(), each.sinceStamp());
      assertThat(each.shard()).isEqualTo(places.holder(owner, each.number()));
    }
    return places.shard(state, owner, other);
  }

  private static long[] counts(StoredSizes sizes) {
    return new long[] {sizes.vertices(), sizes.outEntries(), sizes.inEntries()};
  }

  @Test
  void imbalanceIsTheGreatestOverTheMean() {
    PlacementReport report =
        new PlacementReport(
            IntStream.of(6, 0, 3)
                .mapToObj(
                    n ->
                        new PlacementReport.Shard(n, new StoredSizes(1, n, 0, 9, 10 * n), 0, 0, ""))
                .toList(),
            List.of(),
            List.of());
    assertThat(report.imbalanceOfShards(StoredSizes::entries)).isEqualTo(2.0);
    assertThat(report.imbalanceOfShards(StoredSizes::vertices)).isEqualTo(1.0);
    assertThat(report.imbalanceOfShards(StoredSizes::inEntries)).isEqualTo(1.0);
    assertThat(report.imbalanceOfVirtualNodes(StoredSizes::bytes)).isEqualTo(1.0);
  }

  @Test
  void placementIsToldRightAfterASplit() {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory().with(Setting.SHARDS, 3).with(Setting.SPLIT_THRESHOLD, 4);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      create(database, new Random(SEED));
      long hub = vertices.get(0);
      for (int i = 1; i < vertices.size(); i++) {
        try (GraphTransaction tx = database.begin()) {
          tx.addEdge(null, hub, "contains", vertices.get(i), Map.of(), Stamp.AT_COMMIT);
          tx.commit();
        }
      }
      database.splitNow();
      VertexPlacement placed = database.placement(hub);
      assertThat(placed.out()).hasSize(3).allMatch(each -> each.entries() > 0);
      assertThat(placed.outDegree()).isEqualTo(vertices.size() - 1);
      assertThat(placed.in())
          .containsExactly(new VertexPlacement.Partition(0, placed.home(), 0, 0));
    }
  }

  @Test
  void aCancelledScanEnds() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      create(database, new Random(SEED));
      ReadView view = view(database);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> database.placementReport(1, view, rows -> {}))
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
