package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of sets are there once: whoever adds them, however often, and at whichever time. */
class SetPropertiesTest {
  private static final long SEED = Long.getLong("graphmeta.seed", 5);

  private final GraphDatabase database =
      GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, 2));
  private long vertex;
  private long begin;

  @BeforeEach
  void addVertex() {
    try (GraphTransaction tx = database.begin()) {
      begin = tx.snapshot().validAt() - Stamp.plusMicros(0, 3_600_000_000L);
      vertex = tx.addVertex("v", "file", Map.of(), begin);
      tx.commit();
    }
  }

  @AfterEach
  void checkAndClose() {
    try (database) {
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
  }

  private PropertyRecord add(GraphTransaction tx, Object value, long valid) {
    return tx.setVertexProperty(vertex, "tag", value, Cardinality.SET, Map.of(), null, valid);
  }

  private long at(int minutes) {
    return Stamp.plusMicros(begin, minutes * 60_000_000L);
  }

  private List<Object> values(long valid) {
    try (GraphTransaction tx = database.begin()) {
      return tx.vertices(new long[] {vertex}, tx.view(valid, null)).get(0).properties().stream()
          .filter(property -> property.key().equals("tag"))
          .map(PropertyRecord::value)
          .toList();
    }
  }

  private static void assertConflict(GraphTransaction tx, String words) {
    assertThatThrownBy(tx::commit)
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT))
        .hasMessageContaining(words);
  }

  @Test
  void ofTwoWhoAddAnEqualValueTheFirstWins() {
    Map<String, Object> one = new LinkedHashMap<>(Map.of("a", 1));
    one.put("b", 2);
    Map<String, Object> same = new LinkedHashMap<>(Map.of("b", 2));
    same.put("a", 1);
    for (Object[] pair :
        new Object[][] {
          {"x", "x"},
          {1L, 1L},
          {Double.NaN, Double.NaN},
          {List.of(1, "x"), List.of(1, "x")},
          {Set.of(1, 2, 3), new HashSet<>(List.of(3, 2, 1))},
          {one, same},
          {ByteBuffer.wrap(new byte[] {1, 2}), ByteBuffer.wrap(new byte[] {0, 1, 2}, 1, 2)}
        }) {
      try (GraphTransaction first = database.begin();
          GraphTransaction second = database.begin()) {
        add(first, pair[0], Stamp.AT_COMMIT);
        add(second, pair[1], Stamp.AT_COMMIT);
        first.commit();
        assertConflict(second, "a value of the set 'tag' of vertex 'v'");
      }
    }
    assertThat(values(Stamp.MAX - 1)).hasSize(7);
  }

  @Test
  void othersDoNotMeet() {
    try (GraphTransaction first = database.begin();
        GraphTransaction second = database.begin()) {
      add(first, 1, Stamp.AT_COMMIT);
      add(second, 1L, Stamp.AT_COMMIT); // another value, as for TinkerPop
      add(second, "1", Stamp.AT_COMMIT);
      first.commit();
      second.commit();
    }
    assertThat(values(Stamp.MAX - 1)).containsExactlyInAnyOrder(1, 1L, "1");
  }

  @Test
  void valuesOfAListMayBeEqual() {
    try (GraphTransaction first = database.begin();
        GraphTransaction second = database.begin()) {
      for (GraphTransaction tx : List.of(first, second)) {
        tx.setVertexProperty(vertex, "tag", "x", Cardinality.LIST, Map.of(), null, Stamp.AT_COMMIT);
        tx.commit();
      }
    }
    assertThat(values(Stamp.MAX - 1)).containsExactly("x", "x");
  }

  @Test
  void ofTwoWhoFirstSetASinglePropertyTheFirstWins() {
    try (GraphTransaction first = database.begin();
        GraphTransaction second = database.begin();
        GraphTransaction third = database.begin()) {
      for (GraphTransaction tx : List.of(first, second)) {
        tx.setVertexProperty(
            vertex, "tag", "x", Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      }
      add(third, "y", Stamp.AT_COMMIT);
      first.commit();
      assertConflict(second, "property 'tag' of vertex 'v'");
      assertConflict(third, "property 'tag' of vertex 'v'");
    }
    assertThat(values(Stamp.MAX - 1)).containsExactly("x");
  }

  @Test
  void aValueIsRemovedAndAddedAgain() {
    long valueId;
    try (GraphTransaction tx = database.begin()) {
      valueId = add(tx, "x", Stamp.AT_COMMIT).valueId();
      tx.removeVertexProperty(vertex, "tag", valueId, Stamp.AT_COMMIT);
      assertThat(add(tx, "x", Stamp.AT_COMMIT).valueId()).isNotEqualTo(0);
      tx.commit();
    }
    assertThat(values(Stamp.MAX - 1)).containsExactly("x");
    valueId = idOf("x");
    try (GraphTransaction stale = database.begin();
        GraphTransaction remove = database.begin()) {
      remove.removeVertexProperty(vertex, "tag", valueId, Stamp.AT_COMMIT);
      add(stale, "x", Stamp.AT_COMMIT);
      remove.commit();
      assertConflict(stale, "'tag' of vertex 'v'");
    }
    try (GraphTransaction first = database.begin();
        GraphTransaction second = database.begin()) {
      add(first, "x", Stamp.AT_COMMIT);
      add(second, "x", Stamp.AT_COMMIT);
      second.commit();
      assertConflict(first, "'tag' of vertex 'v'");
    }
    assertThat(values(Stamp.MAX - 1)).containsExactly("x");
  }

  private long idOf(Object value) {
    try (GraphTransaction tx = database.begin()) {
      return tx.vertices(new long[] {vertex}, tx.snapshot()).get(0).properties().stream()
          .filter(property -> property.value().equals(value))
          .findFirst()
          .orElseThrow()
          .valueId();
    }
  }

  /** Whether in one transaction or in two, a value learned of later begins earlier. */
  @ParameterizedTest
  @EnumSource
  void aBackfilledValueIsThatOfLater(Boundary boundary) {
    PropertyRecord later;
    PropertyRecord earlier;
    try (GraphTransaction tx = database.begin()) {
      later = add(tx, "x", at(30));
      if (boundary == Boundary.OTHER_TRANSACTION) {
        tx.commit();
        try (GraphTransaction other = database.begin()) {
          earlier = add(other, "x", at(10));
          other.commit();
        }
      } else {
        earlier = add(tx, "x", at(10));
        tx.commit();
      }
    }
    assertThat(earlier.valueId()).isEqualTo(later.valueId());
    assertThat(values(at(5))).isEmpty();
    for (int minutes : new int[] {10, 20, 30, 40}) {
      assertThat(values(at(minutes))).containsExactly("x");
    }
  }

  @Test
  void aValueThatIsAddedNowAndBackfilledIsOne() {
    try (GraphTransaction tx = database.begin()) {
      PropertyRecord now = add(tx, "x", Stamp.AT_COMMIT);
      assertThat(add(tx, "x", at(10)).valueId()).isEqualTo(now.valueId());
      assertThat(add(tx, "x", Stamp.AT_COMMIT).valueId()).isEqualTo(now.valueId());
      tx.commit();
    }
    assertThat(values(at(10))).containsExactly("x");
    assertThat(values(Stamp.MAX - 1)).containsExactly("x");
  }

  private enum Boundary {
    SAME_TRANSACTION,
    OTHER_TRANSACTION
  }

  @Test
  void ofTwoWhoBackfillAnEqualValueTheFirstWins() {
    try (GraphTransaction first = database.begin();
        GraphTransaction second = database.begin()) {
      add(first, "x", at(10));
      add(second, "x", at(30));
      first.commit();
      assertConflict(second, "a value of the set 'tag'");
    }
  }

  /** Random additions and removals at all times, in transactions of several, against sets. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5})
  void randomChangesAtRandomTimes(long more) {
    Random random = new Random(SEED + more);
    Map<Object, Map<Integer, Boolean>> changes = new HashMap<>();
    for (int round = 0; round < 120; round++) {
      String seed = "seed " + (SEED + more) + ", round " + round;
      try (GraphTransaction tx = database.begin()) {
        Map<Object, Map<Integer, Boolean>> tried = copy(changes);
        for (int i = random.nextInt(4); i >= 0; i--) {
          int minutes = 1 + random.nextInt(50);
          Object value = random.nextInt(5);
          boolean there = isThere(tried, value, minutes);
          if (random.nextInt(3) > 0) {
            add(tx, value, at(minutes));
            tried.computeIfAbsent(value, v -> new TreeMap<>()).put(minutes, true);
          } else if (there && isThere(changes, value, minutes)) {
            PropertyRecord held = add(tx, value, at(minutes));
            tx.removeVertexProperty(vertex, "tag", held.valueId(), at(minutes));
            tried.computeIfAbsent(value, v -> new TreeMap<>()).put(minutes, false);
          }
        }
        if (random.nextInt(5) > 0) {
          tx.commit();
          changes = tried;
        }
      }
      for (int minutes = 1; minutes <= 50; minutes += 7) {
        List<Object> expected = new ArrayList<>();
        for (Object value : changes.keySet()) {
          if (isThere(changes, value, minutes)) {
            expected.add(value);
          }
        }
        assertThat(values(at(minutes))).as(seed).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  private static boolean isThere(
      Map<Object, Map<Integer, Boolean>> changes, Object value, int minutes) {
    TreeMap<Integer, Boolean> ofValue = new TreeMap<>(changes.getOrDefault(value, Map.of()));
    Map.Entry<Integer, Boolean> last = ofValue.floorEntry(minutes);
    return last != null && last.getValue();
  }

  private static Map<Object, Map<Integer, Boolean>> copy(
      Map<Object, Map<Integer, Boolean>> changes) {
    Map<Object, Map<Integer, Boolean>> copy = new HashMap<>();
    changes.forEach((value, ofValue) -> copy.put(value, new TreeMap<>(ofValue)));
    return copy;
  }
}
