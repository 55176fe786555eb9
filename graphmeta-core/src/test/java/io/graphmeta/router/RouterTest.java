package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What one client keeps between its requests: stamps it has seen, names, splits, numbers. */
class RouterTest {
  private static final int SHARDS = 4;
  private static final long[] NOTHING = {};
  private static final long NOW_MICROS = 1_700_000_000_000_000L;
  private static final long NOW = Stamp.startOfMicros(NOW_MICROS);

  private final VirtualNodeMap map = VirtualNodeMap.roundRobin(1, 16, SHARDS);
  private final EntryPlaces places = new EntryPlaces(map, Placements.GIGA);

  /** The names that the first shard keeps. */
  private final List<SchemaName> defined = new ArrayList<>();

  /** What the homes of vertices know. */
  private final Map<Long, SplitState> splits = new HashMap<>();

  private final List<Request> requests = new ArrayList<>();
  private final List<Integer> shards = new ArrayList<>();
  private final long[] nextNumber = new long[SHARDS];

  /** Run when the schema has been read and before it is answered. */
  private Runnable meanwhile = () -> {};

  private final Router router = router(1);

  private Router router(long client) {
    Transport transport =
        new Transport() {
          @Override
          public CompletableFuture<Response> send(int shard, Call call) {
            requests.add(call.request());
            shards.add(shard);
            return CompletableFuture.completedFuture(answer(shard, call.request()));
          }
        };
    HybridClock clock =
        new HybridClock(() -> Instant.EPOCH.plusNanos(NOW_MICROS * 1000), 0, 500_000);
    return new Router(transport, map, Placements.GIGA, clock, 1000, client);
  }

  private Response answer(int shard, Request request) {
    if (request instanceof Request.ReadSchema) {
      assertThat(shard).isZero();
      Response read = new Response.Schema(SchemaImage.of(defined));
      Runnable once = meanwhile;
      meanwhile = () -> {};
      once.run();
      return read;
    } else if (request instanceof Request.Define define) {
      assertThat(shard).isZero();
      define.names().entries().stream().filter(name -> !isDefined(name)).forEach(defined::add);
      return new Response.Schema(SchemaImage.of(defined));
    } else if (request instanceof Request.Snapshot snapshot) {
      return new Response.Stamped(Math.max(NOW, snapshot.seen()) + shard);
    } else if (request instanceof Request.Commit commit) {
      return new Response.Stamped(Math.max(NOW, commit.seen()) + 1000);
    } else if (request instanceof Request.Clear) {
      defined.clear();
      return new Response.Stamped(NOW + 5000 + shard);
    } else if (request instanceof Request.Lease lease) {
      long first = Math.max(nextNumber[shard], lease.atLeast());
      nextNumber[shard] = first + lease.count();
      return new Response.Leased(first);
    }
    Request.ReadSplits read = (Request.ReadSplits) request;
    List<SplitState> states = new ArrayList<>();
    for (long vertex : read.vertices()) {
      assertThat(map.shard(VertexKeys.virtualNode(vertex))).isEqualTo(shard);
      states.add(read.outgoing() ? splits.get(vertex) : SplitState.WHOLE);
    }
    return new Response.Splits(states);
  }

  private boolean isDefined(SchemaName name) {
    return defined.stream().anyMatch(other -> other.name().equals(name.name()));
  }

  private static SchemaName label(int id, String name) {
    return new SchemaName(NameKind.VERTEX_LABEL, id, name, false);
  }

  private List<String> labels() {
    return router.schema().names(NameKind.VERTEX_LABEL).stream().map(SchemaName::name).toList();
  }

  private int reads() {
    return (int) requests.stream().filter(Request.ReadSchema.class::isInstance).count();
  }

  // Stamps

  @Test
  void aClientReadsWhatItHasWrittenAndSeen() {
    assertThat(router.snapshot()).isEqualTo(NOW);
    for (int i = 1; i <= 3; i++) {
      CommitPart part = new CommitPart(i, new StagedRows(16), NOTHING, NOTHING);
      CommitResult result = router.commit(List.of(part), NOW);
      assertThat(result).isEqualTo(new CommitResult.Committed(NOW + 1000L * i));
      assertThat(router.snapshot()).isEqualTo(NOW + 1000L * i);
      assertThat(router.snapshotNotBelow(NOW)).isEqualTo(NOW + 1000L * i);
    }
    router.saw(NOW + 4000);
    assertThat(router.snapshot()).isEqualTo(NOW + 4000);
    assertThat(router.snapshotNotBelow(NOW + 4500)).isEqualTo(NOW + 4500);
    assertThat(router.snapshot()).isEqualTo(NOW + 4000); // what was asked for has not been seen
  }

  // Names

  @Test
  void namesThatCommitsAtASnapshotUseAreKnownThere() {
    int before = reads();
    defined.add(label(1, "file"));
    assertThat(labels()).isEmpty();
    assertThat(router.schemaAt(NOW).id(NameKind.VERTEX_LABEL, "file")).isEqualTo(1);
    assertThat(labels()).containsExactly("file");
    defined.add(label(2, "job"));
    assertThat(router.schemaAt(NOW).id(NameKind.VERTEX_LABEL, "file")).isEqualTo(1);
    assertThat(router.schemaAt(NOW - 1).id(NameKind.VERTEX_LABEL, "file")).isEqualTo(1);
    assertThat(reads() - before).isEqualTo(1);
    assertThat(router.schemaAt(NOW + 1).id(NameKind.VERTEX_LABEL, "job")).isEqualTo(2);
    router.schemaAt(NOW);
    assertThat(reads() - before).isEqualTo(2);
  }

  @Test
  void anIdThatIsNotKnownIsAskedForAndAnotherNot() {
    int before = reads();
    defined.add(label(1, "file"));
    assertThat(router.schemaWith(NameKind.VERTEX_LABEL, 1).name(NameKind.VERTEX_LABEL, 1))
        .isEqualTo("file");
    assertThat(router.schemaWith(NameKind.VERTEX_LABEL, 1).name(NameKind.VERTEX_LABEL, 1))
        .isEqualTo("file");
    assertThat(reads() - before).isEqualTo(1);
  }

  @Test
  void anAnswerThatComesBehindANewerOneChangesNothing() {
    meanwhile =
        () -> {
          defined.add(label(1, "file"));
          router.schemaAt(NOW);
        };
    router.schemaAt(NOW);
    assertThat(labels()).containsExactly("file");
  }

  @Test
  void anAnswerFromBeforeARemovalChangesNothing() {
    defined.add(label(1, "file"));
    meanwhile = router::clear;
    router.schemaAt(NOW);
    assertThat(labels()).isEmpty();
    defined.add(label(1, "job"));
    router.schemaAt(NOW + 1);
    assertThat(labels()).containsExactly("job");
  }

  @Test
  void aNewNameKeepsItsIdAndIsDefinedWithIt() {
    assertThat(router.newNameId(NameKind.VERTEX_LABEL, "file")).isEqualTo(1);
    assertThat(router.newNameId(NameKind.VERTEX_LABEL, "job")).isEqualTo(2);
    router.define(SchemaImage.of(List.of(label(2, "job"))));
    assertThat(labels()).containsExactly("job");
    assertThat(router.newNameId(NameKind.VERTEX_LABEL, "job")).isEqualTo(2);
    assertThat(router.newNameId(NameKind.VERTEX_LABEL, "user")).isEqualTo(3);
  }

  @Test
  void aNameDefinedWithAnotherIdIsAnError() {
    defined.add(label(1, "file"));
    assertThatThrownBy(() -> router.define(SchemaImage.of(List.of(label(2, "file")))))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
        .hasMessageContaining("'file'");
  }

  @Test
  void clearingRemovesFromAllShardsAndForgets() {
    long vertex = VertexKeys.pack(1, 5, 2);
    splits.put(vertex, split(3, 100));
    router.learnSplits(List.of(vertex), true);
    router.newNameId(NameKind.VERTEX_LABEL, "file");
    defined.add(label(3, "user"));
    router.schemaAt(NOW);
    requests.clear();
    shards.clear();
    router.clear();
    assertThat(shards).containsExactly(0, 1, 2, 3, 0);
    assertThat(requests).startsWith(new Request.Clear(), new Request.Clear());
    assertThat(router.splits(vertex, true)).isEqualTo(SplitState.WHOLE);
    assertThat(labels()).isEmpty();
    assertThat(router.newNameId(NameKind.VERTEX_LABEL, "job")).isEqualTo(1);
    assertThat(router.snapshot()).isEqualTo(NOW + 5000 + 3);
  }

  // Splits

  private static SplitState split(int times, long since) {
    SplitState state = SplitState.WHOLE;
    for (int i = 0; i < times; i++) {
      int next = Placements.GIGA.next(0, state, SHARDS);
      state = next < 0 ? state : state.with(next, since + i);
    }
    return state;
  }

  @Test
  void whatTheHomesTellIsWhereEntriesAreLookedFor() {
    long seed = Long.getLong("graphmeta.seed", 11);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 300; i++) {
      long vertex = VertexKeys.pack(1, i + 1, random.nextInt(16));
      splits.put(vertex, split(random.nextInt(3), 100 + random.nextInt(900)));
    }
    requests.clear();
    router.learnSplits(splits.keySet(), true);
    router.learnSplits(List.of(splits.keySet().iterator().next()), false);
    assertThat(requests).hasSize(SHARDS + 1); // one for each home
    int elsewhere = 0;
    for (Map.Entry<Long, SplitState> known : splits.entrySet()) {
      long vertex = known.getKey();
      SplitState state = known.getValue();
      assertThat(router.splits(vertex, true)).isEqualTo(state);
      assertThat(router.splits(vertex, false)).isEqualTo(SplitState.WHOLE);
      long other = VertexKeys.pack(1, random.nextInt(1 << 20), random.nextInt(16));
      long snapshot = random.nextInt(1200);
      String what = "entry of " + vertex + " to " + other + ", seed " + seed;
      int shard = places.shard(state, vertex, other);
      assertThat(router.entryShard(vertex, true, other)).as(what).isEqualTo(shard);
      assertThat(router.entryShard(vertex, true, other, snapshot))
          .as(what)
          .isEqualTo(places.shard(state.at(snapshot), vertex, other));
      assertThat(router.entryShard(vertex, false, other)).isEqualTo(router.home(vertex));
      long since = router.entrySince(vertex, true, other);
      assertThat(since).as(what).isEqualTo(state.sinceOf(places.partition(state, vertex, other)));
      elsewhere += since > 0 && shard != router.home(vertex) ? 1 : 0;
    }
    assertThat(elsewhere).isPositive();
  }

  // Numbers

  @Test
  void newVerticesLieWhereTheirKeysSayAndSpread() {
    SplittableRandom random = new SplittableRandom(5);
    Set<Long> keys = new HashSet<>();
    Set<Integer> homes = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String id = Long.toString(random.nextLong(), 36);
      long named = router.newVertexKey(7, id);
      assertThat(router.home(named)).isEqualTo(router.home(id));
      assertThat(VertexKeys.virtualNode(named)).isEqualTo(map.virtualNode(id));
      long unnamed = router.newVertexKey(8);
      homes.add(router.home(unnamed));
      assertThat(VertexKeys.labelId(named)).isEqualTo(7);
      assertThat(VertexKeys.labelId(unnamed)).isEqualTo(8);
      keys.addAll(Arrays.asList(named, unnamed));
    }
    assertThat(keys).hasSize(2000);
    assertThat(homes).hasSize(SHARDS);
  }

  /** A sequence is leased from the home of the vertex: there no other client gets it. */
  @Test
  void clientsShareNoNumberOfAVertex() {
    List<Router> clients = List.of(router, router(2), router(3));
    SplittableRandom random = new SplittableRandom(6);
    Map<Long, Set<Long>> used = new HashMap<>();
    for (int i = 0; i < 30_000; i++) {
      long vertex = VertexKeys.pack(1, 1 + random.nextInt(3), random.nextInt(16));
      long number = clients.get(random.nextInt(3)).newSequence(vertex);
      assertThat(used.computeIfAbsent(vertex, any -> new HashSet<>()).add(number)).isTrue();
    }
  }

  @Test
  void clientsShareNoAttemptAndNoTraversal() {
    Set<Object> used = new HashSet<>();
    List<Long> ids = List.of(0L, 1L, 2L, 3L, -1L, 1L << 40, Long.MIN_VALUE);
    for (long client : ids) {
      Router other = router(client);
      for (int i = 0; i < 1000; i++) {
        used.add(other.newAttempt());
        used.add(other.newTraversal());
      }
    }
    assertThat(used.size()).isEqualTo(2000 * ids.size());
  }
}
