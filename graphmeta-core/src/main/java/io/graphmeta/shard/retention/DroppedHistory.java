package io.graphmeta.shard.retention;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What was dropped of a store: the row of META {@code "dropped-history"}, with the archives that
 * hold it and how far each of them went. It is on disk, in the stores of all shards, before the
 * first row is dropped, and names an archive until all of its rows are back. Immutable.
 *
 * @param runs oldest first
 */
public record DroppedHistory(List<Run> runs) {
  private static final byte[] KEY = "dropped-history".getBytes(StandardCharsets.US_ASCII);
  private static final DroppedHistory NOTHING = new DroppedHistory(List.of());

  /** Copies what is given. */
  public DroppedHistory {
    runs = List.copyOf(runs);
  }

  /**
   * What went at one time.
   *
   * @param archive the name of the archive that has it
   * @param horizons of the labels of which something went
   */
  public record Run(String archive, Horizons horizons) {}

  /** That of a store. */
  public static DroppedHistory of(StorageEngine storage) {
    byte[] stored = storage.get(Family.META, KEY);
    return stored == null ? NOTHING : read(stored);
  }

  /** Whether a key of META is that of the row. */
  static boolean isKey(byte[] bytes, int at, int length) {
    return Arrays.equals(bytes, at, at + length, KEY, 0, KEY.length);
  }

  /** The key of the row. */
  public static byte[] key() {
    return KEY.clone();
  }

  /** What the row says; an empty one stands for none. */
  public static DroppedHistory read(byte[] stored) {
    if (stored.length == 0) {
      return NOTHING;
    }
    ByteReader in = new ByteReader(stored, 0, stored.length);
    List<Run> runs = new ArrayList<>();
    for (int count = in.getVarInt(); count > 0; count--) {
      runs.add(new Run(in.getText(), Horizons.readFrom(in)));
    }
    return new DroppedHistory(runs);
  }

  /** Whether an archive holds what is missing. */
  public boolean names(String archive) {
    return runs.stream().anyMatch(run -> run.archive.equals(archive));
  }

  /** With one more. */
  public DroppedHistory with(Run run) {
    List<Run> all = new ArrayList<>(runs);
    all.add(run);
    return new DroppedHistory(all);
  }

  /** Without what an archive holds. */
  public DroppedHistory without(String archive) {
    return new DroppedHistory(runs.stream().filter(run -> !run.archive.equals(archive)).toList());
  }

  /** For each label the stamp from which on all is there. */
  public Horizons watermarks() {
    Horizons all = new Horizons(Map.of(), Map.of());
    for (Run run : runs) {
      all = all.later(run.horizons);
    }
    return all;
  }

  /** Adds the row to a batch. */
  public void put(RowBatch batch) {
    if (runs.isEmpty()) {
      batch.delete(Family.META, KEY);
      return;
    }
    ByteWriter value = new ByteWriter(64).putVarInt(runs.size());
    for (Run run : runs) {
      value.putText(run.archive);
      run.horizons.writeTo(value);
    }
    batch.put(Family.META, KEY, value.toArray());
  }
}
