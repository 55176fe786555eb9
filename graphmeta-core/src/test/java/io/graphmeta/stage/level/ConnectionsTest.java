package io.graphmeta.stage.level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.Direction;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.program.Criterion;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a shard asks others about edges of vertices, and when it knows enough. */
class ConnectionsTest {
  private static final int SHARDS = 3;
  private static final ReadView VIEW = ReadView.at(10);

  private static Connections connections(String placement, int maxVertices) {
    VirtualNodeMap map = VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, 8, SHARDS);
    EntryPlaces places = new EntryPlaces(map, Placements.named(placement));
    return new Connections(new SplitTable(0, places, new MemoryStorage()), VIEW, maxVertices);
  }

  private static long vertex(int number) {
    return VertexKeys.pack(1, number + 1, 0);
  }

  private static ElementPage told(Connections.Question question, Set<Long> connected) {
    long[] asked = question.request().vertices();
    ElementPage.Builder page = new ElementPage.Builder(asked.length, false);
    for (int i = 0; i < asked.length; i++) {
      if (connected.contains(asked[i])) {
        page.beginVertex(i, asked[i]);
      }
    }
    return page.build(null);
  }

  @Test
  void verticesAreDecidedWhenEnoughShardsHaveTold() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      Connections connections = connections("vertex-cut", 100);
      Criterion.Connected criterion = new Criterion.Connected(Direction.OUT, new int[0]);
      Map<Integer, Set<Long>> connectedOn = new HashMap<>();
      for (int shard = 0; shard < SHARDS; shard++) {
        connectedOn.put(shard, new HashSet<>());
      }
      long[] keys = new long[1 + random.nextInt(6)];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = vertex(i);
        for (Set<Long> connected : connectedOn.values()) {
          if (random.nextInt(3) == 0) {
            connected.add(keys[i]);
          }
        }
      }
      VertexBatch batch = VertexBatch.of(keys);
      Connections.Here here =
          (asked, of) -> {
            BitSet found = new BitSet();
            for (int i = 0; i < of.size(); i++) {
              long key = of.keys()[i];
              found.set(i, connectedOn.get(0).contains(key) || connections.isConnected(asked, key));
            }
            return found;
          };
      BitSet first = connections.decidable(List.of(criterion), batch, here);
      for (int i = 0; i < keys.length; i++) {
        assertThat(first.get(i))
            .as("seed %d", seed)
            .isEqualTo(connectedOn.get(0).contains(keys[i]));
      }
      List<Connections.Question> questions = new ArrayList<>(connections.take());
      assertThat(connections.take()).isEmpty();
      assertThat(connections.isWaiting()).isEqualTo(!questions.isEmpty());
      connections.decidable(List.of(criterion), batch, here);
      assertThat(connections.take()).as("seed %d: asked once", seed).isEmpty();
      Collections.shuffle(questions, random);
      Set<Integer> have = new HashSet<>(Set.of(0));
      for (Connections.Question question : questions) {
        connections.answered(question, told(question, connectedOn.get(question.shard())));
        have.add(question.shard());
        BitSet decidable = connections.decidable(List.of(criterion), batch, here);
        for (int i = 0; i < keys.length; i++) {
          long key = keys[i];
          boolean found = have.stream().anyMatch(shard -> connectedOn.get(shard).contains(key));
          assertThat(decidable.get(i))
              .as("seed %d: vertex %d after %s", seed, i, have)
              .isEqualTo(found || have.size() == SHARDS);
          assertThat(connections.isConnected(criterion, key) || connectedOn.get(0).contains(key))
              .isEqualTo(found);
        }
      }
      assertThat(connections.isWaiting()).as("seed %d", seed).isFalse();
    }
  }

  @Test
  void nobodyIsAskedWhereAllEntriesAreHere() {
    Connections connections = connections("dido", 100);
    Criterion.Connected criterion = new Criterion.Connected(Direction.BOTH, new int[0]);
    BitSet decidable =
        connections.decidable(
            List.of(criterion), VertexBatch.of(vertex(1), vertex(2)), (any, of) -> new BitSet());
    assertThat(decidable.cardinality()).isEqualTo(2);
    assertThat(connections.take()).isEmpty();
  }

  @Test
  void moreVerticesThanMayBeRememberedAreRefused() {
    Connections connections = connections("vertex-cut", 2);
    Criterion.Connected criterion = new Criterion.Connected(Direction.OUT, new int[0]);
    VertexBatch three = VertexBatch.of(vertex(1), vertex(2), vertex(3));
    assertThatThrownBy(
            () -> connections.decidable(List.of(criterion), three, (any, of) -> new BitSet()))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
  }
}
