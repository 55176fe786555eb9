package io.graphmeta.reads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ElementLookupTest {
  private static final int SHARDS = 3;
  private static final int PAGE = 1000;
  private static final ReadView VIEW = ReadView.at(100);

  private final Shards shards = new Shards();
  private final StoredElements stored =
      StoredElements.of(
          new Router(
              shards,
              VirtualNodeMap.roundRobin(1, 16, SHARDS),
              Placements.DIDO,
              new HybridClock(InstantSource.system(), 0, 1_000_000),
              1000,
              1));

  /** Shards that have every element that belongs to them, and rows of ids. */
  private static final class Shards implements Transport {
    private final Map<String, long[]> ids = new HashMap<>();
    private final int[] longest = new int[SHARDS];
    private int refusals;
    private int splitsAsked;

    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      try {
        return CompletableFuture.completedFuture(answer(shard, call.request()));
      } catch (GraphMetaException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private Response answer(int shard, Request request) {
      if (request instanceof Request.ReadSchema) {
        return new Response.Schema(SchemaImage.EMPTY);
      } else if (request instanceof Request.ReadVertices read) {
        longest[shard] = Math.max(longest[shard], read.keys().length);
        ElementPage.Builder page = new ElementPage.Builder(PAGE, false);
        int to = Math.min(read.keys().length, read.fromIndex() + PAGE);
        for (int i = read.fromIndex(); i < to; i++) {
          assertThat(VertexKeys.virtualNode(read.keys()[i])).isEqualTo(shard);
          page.beginVertex(i, read.keys()[i]);
          page.addRow(0, 0, 1, 1, new byte[1], 1);
        }
        return new Response.Elements(page.build(next(to, read.keys().length)));
      } else if (request instanceof Request.ReadEdges read) {
        if (refusals > 0) {
          refusals--;
          throw new GraphMetaException(ErrorCode.MISPLACED, "Entries were moved");
        }
        ElementPage.Builder page = new ElementPage.Builder(PAGE, true);
        for (int i = 0; i < read.keys().size(); i++) {
          EdgeKey key = read.keys().get(i);
          page.beginEdge(i, key.out(), key.labelId(), key.in(), key.sequence());
          page.addRow(0, 0, 1, 1, new byte[1], 1);
        }
        return new Response.Elements(page.build(null));
      } else if (request instanceof Request.ReadSplits read) {
        splitsAsked++;
        List<SplitState> states = new ArrayList<>();
        Arrays.stream(read.vertices()).forEach(vertex -> states.add(SplitState.WHOLE));
        return new Response.Splits(states);
      }
      Request.Incarnations asked = (Request.Incarnations) request;
      int to = Math.min(asked.ids().size(), asked.fromIndex() + 3);
      List<byte[]> rows = new ArrayList<>();
      for (String id : asked.ids().subList(asked.fromIndex(), to)) {
        ByteWriter row = new ByteWriter(16);
        Arrays.stream(ids.getOrDefault(id, new long[0])).forEach(row::putLong);
        rows.add(row.toArray());
      }
      return new Response.Rows(
          new byte[rows.size()][], rows.toArray(new byte[0][]), next(to, asked.ids().size()));
    }

    private static Position next(int to, int size) {
      return to == size ? null : new Position(to, new byte[0]);
    }
  }

  @Test
  void everyKeyIsVisitedWithItsPosition() {
    int count = 2 * KeyBatches.MAX_KEYS * SHARDS + 5;
    long[] keys = new SplittableRandom(3).longs(count, 1, 1000).toArray();
    Arrays.setAll(keys, i -> VertexKeys.pack(1, keys[i], i % SHARDS));
    int[] visits = new int[count];
    stored
        .lookup()
        .vertices(
            keys,
            VIEW,
            Detail.KEYS,
            (page, e, position) -> {
              assertThat(page.owner(e)).isEqualTo(keys[position]);
              visits[position]++;
            });
    assertThat(visits).containsOnly(1);
    assertThat(Arrays.stream(shards.longest).boxed())
        .allMatch(length -> length <= KeyBatches.MAX_KEYS);
  }

  @Test
  void edgesThatWereMovedAreLookedForAgain() {
    List<EdgeKey> keys = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      keys.add(new EdgeKey(VertexKeys.pack(1, i, i % SHARDS), 1, 7, i));
    }
    shards.refusals = 4;
    int[] visits = new int[keys.size()];
    stored
        .lookup()
        .edges(
            keys,
            VIEW,
            Detail.KEYS,
            (page, e, position) -> {
              assertThat(page.sequence(e)).isEqualTo(position);
              visits[position]++;
            });
    assertThat(visits).containsOnly(1);
    // All shards refuse, and the first once more: their sources are asked for, twice.
    assertThat(shards.splitsAsked).isEqualTo(SHARDS + 1);
  }

  @Test
  void edgesThatAreNotFoundInTheEndAreAnError() {
    shards.refusals = Integer.MAX_VALUE;
    List<EdgeKey> keys = List.of(new EdgeKey(VertexKeys.pack(1, 1, 1), 1, 7, 1));
    assertThatThrownBy(
            () -> stored.lookup().edges(keys, VIEW, Detail.KEYS, (page, e, position) -> {}))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISPLACED));
    assertThat(shards.splitsAsked).isEqualTo(4);
  }

  @Test
  void idsLeadToAllVerticesThatTheyWereGivenTo() {
    long seed = Long.getLong("graphmeta.seed", 11);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 50; i++) {
      shards.ids.put("id" + i, random.longs(random.nextInt(4), 1, 1000).toArray());
    }
    for (int round = 0; round < 200; round++) {
      List<String> ids = new ArrayList<>();
      List<Long> expected = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        int which = random.nextInt(60);
        switch (random.nextInt(5)) {
          case 0 -> {
            ids.add(GeneratedIds.ofVertex(which + 1));
            expected.add(which + 1L);
          }
          case 1 -> ids.add(GeneratedIds.PREFIX + "no key");
          default -> {
            ids.add("id" + which);
            long[] given = shards.ids.getOrDefault("id" + which, new long[0]);
            Arrays.stream(given).forEach(expected::add);
          }
        }
      }
      assertThat(stored.ids().vertices(ids))
          .as("round %s, seed %s", round, seed)
          .containsExactly(expected.stream().mapToLong(Long::longValue).toArray());
    }
    assertThat(stored.ids().vertices("id0")).containsExactly(shards.ids.get("id0"));
    assertThat(stored.ids().vertices("absent")).isEmpty();
  }
}
