package io.graphmeta.shard.retention;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.nio.charset.StandardCharsets;

/**
 * The row of META that tells which archive's rows were removed last: {@code "removed-rows" ->
 * name}. Each replica finds it in its store when they are, and gives their room back.
 */
public final class RemovedRow {
  private static final byte[] KEY = "removed-rows".getBytes(StandardCharsets.US_ASCII);

  private RemovedRow() {}

  /** The name of the archive; empty if a store has none. */
  public static String of(StorageEngine storage) {
    byte[] stored = storage.get(Family.META, KEY);
    return stored == null ? "" : new String(stored, StandardCharsets.UTF_8);
  }

  /** Adds the row to a batch. */
  static void put(String archive, RowBatch batch) {
    batch.put(Family.META, KEY, archive.getBytes(StandardCharsets.UTF_8));
  }
}
