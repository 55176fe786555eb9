package io.graphmeta.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random operations on an engine and on sorted maps, compared at each step. The seed of a failure
 * is in its message; {@code -Dgraphmeta.seed=N} replays it. The build runs the same seeds each
 * time; {@code -Dgraphmeta.first-seed=N -Dgraphmeta.sequences=N} runs others.
 */
@Timeout(3600)
public abstract class StorageEngineModelContractTest {
  private static final int SEQUENCES = Integer.getInteger("graphmeta.sequences", 30);
  private static final long FIRST_SEED = Long.getLong("graphmeta.first-seed", 1);
  private static final int STEPS = 400;

  /** A new, empty store. */
  protected abstract StorageEngine open() throws Exception;

  /** The same store closed and opened again, or the store itself if its rows do not outlive it. */
  protected abstract StorageEngine reopen(StorageEngine store) throws Exception;

  /** Moves rows from buffers to files, if the engine has files. */
  protected abstract void disturb(StorageEngine store) throws Exception;

  @Test
  void behavesLikeSortedMaps() throws Exception {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? FIRST_SEED : only;
    for (long seed = first; seed < first + (only == null ? SEQUENCES : 1); seed++) {
      StorageEngine store = open();
      try {
        store = new Sequence(store, seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("Failed with seed; replay with -Dgraphmeta.seed=" + seed, e);
      } finally {
        store.close();
      }
    }
  }

  private final class Sequence {
    private final Random random;
    private StorageEngine store;
    private Map<Family, TreeMap<byte[], byte[]>> model = emptyModel();
    private final List<OpenCursor> cursors = new ArrayList<>();

    Sequence(StorageEngine store, long seed) {
      this.store = store;
      random = new Random(seed);
    }

    StorageEngine run() throws Exception {
      for (int step = 0; step < STEPS; step++) {
        int choice = random.nextInt(100);
        if (choice < 35) {
          write();
        } else if (choice < 50) {
          pointReads();
        } else if (choice < 65) {
          openCursor();
        } else if (choice < 90) {
          useCursor();
        } else if (choice < 95) {
          closeCursor();
        } else if (choice < 97) {
          disturb(store);
        } else if (choice < 98) {
          store.clear();
          model = emptyModel();
        } else if (choice < 99) {
          cursors.forEach(open -> open.cursor.close());
          cursors.clear();
          store = reopen(store);
        } else {
          store.sync();
        }
      }
      cursors.forEach(open -> open.cursor.close());
      return store;
    }

    private void write() {
      RowBatch batch = new RowBatch(64);
      int rows = random.nextInt(30);
      Map<Family, TreeMap<byte[], byte[]>> next = copy(model);
      for (int i = 0; i < rows; i++) {
        Family family = family();
        byte[] key = key(family);
        if (random.nextInt(5) == 0) {
          batch.delete(family, key);
          tableOf(next, family).remove(key);
          continue;
        }
        byte[] value = new byte[random.nextInt(4) == 0 ? random.nextInt(2000) : random.nextInt(20)];
        random.nextBytes(value);
        batch.put(family, key, value);
        tableOf(next, family).put(key, value);
      }
      store.write(batch, random.nextInt(10) == 0 ? Durability.SYNC : Durability.BACKGROUND);
      model = next;
    }

    private void pointReads() {
      Family family = family();
      byte[][] keys = new byte[random.nextInt(10)][];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = key(family);
        assertThat(store.get(family, keys[i])).isEqualTo(tableOf(model, family).get(keys[i]));
      }
      byte[] @Nullable [] values = store.multiGet(family, keys);
      assertThat(values).hasNumberOfRows(keys.length);
      for (int i = 0; i < keys.length; i++) {
        assertThat(values[i]).isEqualTo(tableOf(model, family).get(keys[i]));
      }
    }

    private void openCursor() {
      Family family = family();
      Scope scope = family.byVertex() && random.nextBoolean() ? Scope.VERTEX : Scope.FAMILY;
      cursors.add(
          new OpenCursor(store.cursor(family, scope), scope, family, tableOf(model, family)));
    }

    private void useCursor() {
      if (cursors.isEmpty()) {
        return;
      }
      OpenCursor open = cursors.get(random.nextInt(cursors.size()));
      byte[] target = key(open.family);
      byte[] longer = Arrays.copyOf(target, target.length + random.nextInt(3));
      NavigableMap<byte[], byte[]> expected = open.rows.tailMap(target, true);
      int steps = random.nextInt(50);
      boolean found = open.cursor.seek(longer, target.length);
      for (Map.Entry<byte[], byte[]> row : expected.entrySet()) {
        boolean inScope =
            open.scope == Scope.FAMILY || Arrays.equals(row.getKey(), 0, 8, target, 0, 8);
        if (!inScope || steps-- == 0) {
          assertThat(found).isEqualTo(inScope);
          return;
        }
        assertThat(found).isTrue();
        assertThat(Arrays.copyOf(open.cursor.key(), open.cursor.keyLength()))
            .isEqualTo(row.getKey());
        if (random.nextBoolean()) {
          byte[] value = open.cursor.value();
          assertThat(Arrays.copyOf(value, open.cursor.valueLength())).isEqualTo(row.getValue());
        }
        found = open.cursor.next();
      }
      assertThat(found).isFalse();
    }

    private void closeCursor() {
      if (!cursors.isEmpty()) {
        cursors.remove(random.nextInt(cursors.size())).cursor.close();
      }
    }

    private Family family() {
      return Family.values()[random.nextInt(Family.values().length)];
    }

    /** Few distinct keys, many of them at the borders of prefixes. */
    private byte[] key(Family family) {
      byte[] alphabet = {0, 1, (byte) 0x7f, (byte) 0x80, (byte) 0xff};
      byte[] key = new byte[(family.byVertex() ? 8 : 0) + random.nextInt(4)];
      for (int i = Math.max(0, family.byVertex() ? 6 : 0); i < key.length; i++) {
        key[i] = alphabet[random.nextInt(alphabet.length)];
      }
      return key;
    }
  }

  private record OpenCursor(
      RowCursor cursor, Scope scope, Family family, TreeMap<byte[], byte[]> rows) {
    OpenCursor {
      TreeMap<byte[], byte[]> ordered = new TreeMap<>(Arrays::compareUnsigned);
      ordered.putAll(rows);
      rows = ordered;
    }
  }

  private static Map<Family, TreeMap<byte[], byte[]>> emptyModel() {
    Map<Family, TreeMap<byte[], byte[]>> empty = new EnumMap<>(Family.class);
    for (Family family : Family.values()) {
      empty.put(family, new TreeMap<>(Arrays::compareUnsigned));
    }
    return empty;
  }

  private static Map<Family, TreeMap<byte[], byte[]>> copy(
      Map<Family, TreeMap<byte[], byte[]>> model) {
    Map<Family, TreeMap<byte[], byte[]>> copied = emptyModel();
    model.forEach((family, table) -> tableOf(copied, family).putAll(table));
    return copied;
  }

  private static TreeMap<byte[], byte[]> tableOf(
      Map<Family, TreeMap<byte[], byte[]>> model, Family family) {
    return java.util.Objects.requireNonNull(model.get(family));
  }
}
