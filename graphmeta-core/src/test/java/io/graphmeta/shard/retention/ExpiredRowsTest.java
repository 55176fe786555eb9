package io.graphmeta.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Rows that go are found page by page as they are found at once, wherever a page ends; over random
 * rows of vertices and of edges. {@code -Dgraphmeta.seed=N} draws one again.
 */
class ExpiredRowsTest {
  private static final int SEEDS = 200;
  private static final int LABELS = 4;
  private static final long HORIZON = 50;
  private static final byte[] TOMBSTONE = {1};
  private static final byte[] VALUE = {0, 1, 2};

  private final Horizons horizons =
      new Horizons(Map.of(1, HORIZON, 3, HORIZON), Map.of(1, HORIZON, 2, HORIZON));

  @Test
  void pagesHaveWhatIsFoundAtOnce() {
    Long given = Long.getLong("graphmeta.seed");
    long found = 0;
    for (long seed = given == null ? 1 : given; seed <= (given == null ? SEEDS : given); seed++) {
      Random random = new Random(seed);
      StorageEngine store = store(random);
      for (Family family : List.of(Family.ATTRIBUTES, Family.OUT)) {
        List<String> atOnce = new ArrayList<>();
        new ExpiredRows(horizons)
            .forEach(store, family, (key, k, value, v) -> atOnce.add(text(key, k, value, v)));
        for (int mostBytes : new int[] {1, 100, 1000}) {
          for (int mostRows : new int[] {1, 7, 1000}) {
            assertThat(paged(store, family, mostBytes, mostRows))
                .as("seed %d, %s, %d bytes, %d rows", seed, family, mostBytes, mostRows)
                .isEqualTo(atOnce);
          }
        }
        found += atOnce.size();
      }
      store.close();
    }
    assertThat(found).isPositive();
  }

  private List<String> paged(StorageEngine store, Family family, int mostBytes, int mostRows) {
    List<String> all = new ArrayList<>();
    byte[] from = {};
    while (from != null) {
      byte[] begun = from;
      from =
          new ExpiredRows(horizons)
              .forEach(
                  store,
                  family,
                  from,
                  mostBytes,
                  mostRows,
                  (key, k, value, v) -> all.add(text(key, k, value, v)));
      assertThat(from == null || Arrays.compareUnsigned(begun, from) < 0).as("it goes on").isTrue();
    }
    return all;
  }

  private static String text(byte[] key, int keyLength, byte[] value, int valueLength) {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(key, 0, keyLength) + "=" + hex.formatHex(value, 0, valueLength);
  }

  /** Elements with some bodies, properties, and many versions of a few of these. */
  private static StorageEngine store(Random random) {
    StorageEngine store = new MemoryStorage();
    RowBatch batch = new RowBatch(1 << 12);
    for (int label = 1; label < LABELS; label++) {
      for (int i = random.nextInt(5); i > 0; i--) {
        long vertex = VertexKeys.firstOfLabel(label) + i;
        byte[] slot = new byte[15];
        BigEndian.putLong(slot, 0, vertex);
        element(random, batch, Family.ATTRIBUTES, slot, 8);
      }
      byte[] slot = new byte[25];
      BigEndian.putLong(slot, 0, random.nextInt(5));
      BigEndian.putShort(slot, 8, label);
      BigEndian.putLong(slot, 10, random.nextInt(5));
      element(random, batch, Family.OUT, slot, 23);
    }
    store.write(batch, Durability.BACKGROUND);
    return store;
  }

  private static void element(
      Random random, RowBatch batch, Family family, byte[] slot, int propertyAt) {
    BigEndian.putShort(slot, propertyAt, RowKeys.BODY);
    for (int bodies = 1 + random.nextInt(3); bodies > 0; bodies--) {
      row(random, batch, family, slot, random.nextInt(3) == 0 ? TOMBSTONE : VALUE);
    }
    for (int property = random.nextInt(4); property > 0; property--) {
      BigEndian.putShort(slot, propertyAt, property);
      for (int versions = random.nextInt(8); versions > 0; versions--) {
        row(random, batch, family, slot, random.nextInt(5) == 0 ? TOMBSTONE : VALUE);
      }
    }
  }

  private static void row(Random random, RowBatch batch, Family family, byte[] slot, byte[] value) {
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    long committed = 1 + random.nextInt(70);
    long valid = random.nextInt(3) == 0 ? 1 + random.nextInt((int) committed) : committed;
    int length = RowKeys.appendStamps(key, slot.length, valid, committed);
    batch.put(family, Arrays.copyOf(key, length), value);
  }
}
