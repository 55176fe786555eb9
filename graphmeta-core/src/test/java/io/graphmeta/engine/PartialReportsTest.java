package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.CountingTransport;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Reports on a whole graph while shards are away, or go away in the midst of them: they say which,
 * and tell of the others what they tell of all. The seed is in the message of a failure; {@code
 * -Dgraphmeta.seed=N} replays it.
 */
final class PartialReportsTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int SHARDS = 4;
  private static final int VERTICES = 60;
  private static final int HOTTEST = 5;

  private final GraphMetaConfig config =
      GraphMetaConfig.inMemory()
          .with(Setting.SHARDS, SHARDS)
          .with(Setting.SPLIT_THRESHOLD, 4)
          .with(Setting.VIRTUAL_NODES, 16)
          .with(Setting.PAGE_BYTES, 1024);
  private final Random random = new Random(SEED);
  private HostedShards shards;
  private AwayShards transport;
  private RoutedDatabase database;

  private RoutedDatabase open(List<HostedShard> hosted) {
    return new RoutedDatabase(config, new CountingTransport(transport), InstantSource.system()) {
      @Override
      public List<PeerStatus> peers() {
        return List.of();
      }

      @Override
      public int splitNow() {
        return hosted.stream().mapToInt(HostedShard::splitNow).sum();
      }

      @Override
      public BackupSummary backup(Path target, long bytesPerSecond, LongConsumer progress) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void clear() {
        throw new UnsupportedOperationException();
      }

      @Override
      BackedUpDatabase databaseAt(long stamp) {
        throw new UnsupportedOperationException();
      }

      @Override
      void closeParts() {
        hosted.forEach(HostedShard::leave);
        transport.close();
        shards.close();
      }
    };
  }

  @BeforeEach
  void fill() {
    shards = HostedShards.open(config, InstantSource.system());
    List<HostedShard> hosted = shards.all();
    transport =
        new AwayShards(new LocalTransport(hosted, new LocalTransport.Options(1, 100, true)));
    hosted.forEach(shard -> shard.join(transport));
    database = open(hosted);
    List<Long> vertices = new ArrayList<>();
    List<EdgeKey> ended = new ArrayList<>();
    for (int i = 0; i < VERTICES; i++) {
      try (GraphTransaction tx = database.begin()) {
        vertices.add(tx.addVertex("v" + i, "file", Map.of("n", i), Stamp.AT_COMMIT));
        tx.commit();
      }
    }
    for (int i = 0; i < 6 * VERTICES; i++) {
      try (GraphTransaction tx = database.begin()) {
        long hub = vertices.get(random.nextInt(1 + random.nextInt(VERTICES)));
        long other = vertices.get(random.nextInt(VERTICES));
        boolean out = random.nextBoolean();
        EdgeKey edge =
            tx.addEdge(
                random.nextBoolean() ? "e" + i : null,
                out ? hub : other,
                "reads",
                out ? other : hub,
                Map.of("n", i),
                Stamp.AT_COMMIT);
        tx.commit();
        if (random.nextInt(8) == 0) {
          ended.add(edge);
        }
      }
      if (i % 50 == 0) {
        database.splitNow();
      }
    }
    int splits = 1;
    while (splits > 0) {
      splits = database.splitNow();
    }
    try (GraphTransaction tx = database.begin()) {
      ended.forEach(edge -> tx.removeEdge(edge, Stamp.AT_COMMIT));
      tx.commit();
    }
  }

  @AfterEach
  void close() {
    transport.takeAway(Set.of(), 0);
    database.close();
  }

  private static Set<Integer> shardsOf(int mask) {
    return IntStream.range(0, SHARDS)
        .filter(shard -> (mask >> shard & 1) != 0)
        .boxed()
        .collect(Collectors.toSet());
  }

  @Test
  void aCheckFindsNoFaultsInWhatItCannotSee() {
    transport.takeAway(Set.of(), 0);
    CheckReport whole = database.check(rows -> {});
    assertThat(whole.examples()).as("seed %d", SEED).isEmpty();
    assertThat(whole.isClean()).isTrue();
    int calls = transport.calls();
    for (int mask = 1; mask < (1 << SHARDS) - 1; mask++) {
      for (int after : new int[] {0, random.nextInt(calls), random.nextInt(calls)}) {
        String what = "seed " + SEED + ", shards " + shardsOf(mask) + " away after " + after;
        transport.takeAway(shardsOf(mask), after);
        CheckReport part = database.check(rows -> {});
        assertThat(part.examples()).as(what).isEmpty();
        assertThat(edgeRows(part)).as(what).isBetween(1L, edgeRows(whole));
        if (after == 0) {
          assertThat(part.isClean()).as(what).isFalse();
          assertThat(part.away()).as(what).hasSize(Integer.bitCount(mask));
          for (int shard : shardsOf(mask)) {
            assertThat(part.away())
                .as(what)
                .contains("shard " + shard + ": Shard " + shard + " of n is away");
          }
        }
      }
    }
    transport.takeAway(Set.of(), 0);
    assertThat(database.check(rows -> {}).isClean()).as("seed %d, all back", SEED).isTrue();
  }

  private static long edgeRows(CheckReport report) {
    return report.outEntries() + report.inEntries() + report.keptRows();
  }

  @Test
  void placementIsCountedOnTheOthers() {
    ReadView view;
    try (GraphTransaction tx = database.begin()) {
      view = tx.snapshot();
    }
    PlacementReport whole = database.placementReport(VERTICES, view, rows -> {});
    assertThat(whole.hottest()).hasSizeGreaterThan(VERTICES / 2);
    for (int mask = 1; mask < (1 << SHARDS) - 1; mask++) {
      Set<Integer> away = shardsOf(mask);
      String what = "seed " + SEED + ", shards " + away + " away";
      transport.takeAway(away, 0);
      PlacementReport part = database.placementReport(HOTTEST, view, rows -> {});
      for (int shard = 0; shard < SHARDS; shard++) {
        PlacementReport.Shard told = part.shards().get(shard);
        if (away.contains(shard)) {
          assertThat(told.away()).as(what).isEqualTo("Shard " + shard + " of n is away");
          assertThat(told.sizes()).as(what).isEqualTo(StoredSizes.NONE);
        } else {
          assertThat(told).as(what).isEqualTo(whole.shards().get(shard));
        }
      }
      long seen = whole.hottest().stream().filter(vertex -> isSeen(vertex, away)).count();
      assertThat(part.hottest())
          .as(what)
          .hasSize((int) Math.min(HOTTEST, seen))
          .allSatisfy(
              vertex -> {
                assertThat(away).doesNotContain(vertex.home());
                assertThat(vertex.out()).noneMatch(p -> away.contains(p.shard()));
                assertThat(vertex.in()).noneMatch(p -> away.contains(p.shard()));
              });
    }
  }

  /** Whether a vertex is at home on a shard that answers, and some edge of it lies on one. */
  private static boolean isSeen(VertexPlacement vertex, Set<Integer> away) {
    return !away.contains(vertex.home())
        && Stream.of(vertex.out(), vertex.in())
            .flatMap(List::stream)
            .anyMatch(part -> part.entries() > 0 && !away.contains(part.shard()));
  }
}
