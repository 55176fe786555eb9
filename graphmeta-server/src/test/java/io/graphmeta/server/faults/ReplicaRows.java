package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The rows of a replica whose node has ended. Replicas that have applied the same entries have the
 * same rows, byte by byte.
 */
final class ReplicaRows {
  private static final byte[] APPLIED = "replicated".getBytes(StandardCharsets.US_ASCII);

  private static final int MOST_DIFFERENCES = 20;

  private final String name;
  private final Map<Family, Map<String, String>> rows;

  /** The index of the last entry that it has applied. */
  private final long applied;

  private ReplicaRows(String name, Map<Family, Map<String, String>> rows, long applied) {
    this.name = name;
    this.rows = rows;
    this.applied = applied;
  }

  /** Reads a store. */
  static ReplicaRows of(String name, Path store) {
    RocksDbSettings settings = RocksDbSettings.defaults().withCreateIfMissing(false).withLog(false);
    try (StorageEngine opened = RocksDbStorage.open(store, settings)) {
      Map<Family, Map<String, String>> rows = new EnumMap<>(Family.class);
      for (Family family : Family.values()) {
        rows.put(family, rows(opened, family));
      }
      byte[] place = opened.get(Family.META, APPLIED);
      assertThat(place).as("how far %s is", name).isNotNull();
      return new ReplicaRows(name, rows, ByteBuffer.wrap(place).getLong(Long.BYTES));
    }
  }

  private static Map<String, String> rows(StorageEngine store, Family family) {
    Map<String, String> rows = new TreeMap<>();
    HexFormat hex = HexFormat.of();
    try (RowCursor cursor = store.cursor(family, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
        rows.put(
            hex.formatHex(cursor.key(), 0, cursor.keyLength()),
            hex.formatHex(Arrays.copyOf(cursor.value(), cursor.valueLength())));
      }
    }
    return rows;
  }

  /** The first rows that one of them alone has. */
  private static List<String> differences(Map<String, String> one, Map<String, String> other) {
    if (one.equals(other)) { // without the hash of each large value
      return List.of();
    }
    Set<Map.Entry<String, String>> ofBoth = new HashSet<>(one.entrySet());
    ofBoth.retainAll(other.entrySet());
    return Stream.concat(
            one.entrySet().stream().filter(row -> !ofBoth.contains(row)).map(row -> "- " + row),
            other.entrySet().stream().filter(row -> !ofBoth.contains(row)).map(row -> "+ " + row))
        .limit(MOST_DIFFERENCES)
        .toList();
  }

  /**
   * Fails if replicas of a shard that have applied the same entries do not have the same rows.
   *
   * @return the most replicas that have applied the same
   */
  static int assertAgree(List<ReplicaRows> replicas) {
    int most = 0;
    for (ReplicaRows first : replicas) {
      int same = 0;
      for (ReplicaRows other : replicas) {
        if (first.applied == other.applied) {
          same++;
          for (Family family : Family.values()) {
            assertThat(differences(first.rows.get(family), other.rows.get(family)))
                .as("%s of %s and of %s at %d", family, first.name, other.name, first.applied)
                .isEmpty();
          }
        }
      }
      most = Math.max(most, same);
    }
    return most;
  }

  /** How many rows it has. */
  long count() {
    return rows.values().stream().mapToLong(Map::size).sum();
  }
}
