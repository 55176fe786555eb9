package io.graphmeta.reads;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which shard answers which position of a batch. A batch that lies with one shard, as every batch
 * does when there is only one, is not cut and costs no copy. Immutable.
 */
final class ShardParts {
  private static final int[] NONE = {};
  private static final ShardParts WHOLE_AT_FIRST = new ShardParts(0, new int[0][]);

  private final int only;
  private final int[][] positions;

  private ShardParts(int only, int[][] positions) {
    this.only = only;
    this.positions = positions;
  }

  /**
   * Cuts a batch.
   *
   * @param home the shard of a position
   */
  static ShardParts of(int shards, int size, IntUnaryOperator home) {
    if (shards == 1 || size == 0) {
      return WHOLE_AT_FIRST;
    }
    if (size == 1) {
      return new ShardParts(home.applyAsInt(0), new int[0][]);
    }
    // Asked once: another thread may learn meanwhile that entries were moved.
    int[] homes = new int[size];
    Arrays.setAll(homes, home);
    int[] counts = new int[shards];
    for (int shard : homes) {
      counts[shard]++;
    }
    if (counts[homes[0]] == size) {
      return new ShardParts(homes[0], new int[0][]);
    }
    int[][] positions = new int[shards][];
    Arrays.setAll(positions, shard -> counts[shard] == 0 ? NONE : new int[counts[shard]]);
    Arrays.fill(counts, 0);
    for (int position = 0; position < size; position++) {
      int shard = homes[position];
      positions[shard][counts[shard]++] = position;
    }
    return new ShardParts(-1, positions);
  }

  /** Receives a part of a batch. */
  @FunctionalInterface
  interface PartReader {
    /**
     * Reads what one shard answers.
     *
     * @param positions of the part in the batch, in rising order; null if the part is the batch
     */
    void read(int shard, int @Nullable [] positions);
  }

  /** Calls the reader for each shard that answers a part, in the order of their numbers. */
  void forEach(PartReader reader) {
    if (only >= 0) {
      reader.read(only, null);
      return;
    }
    for (int shard = 0; shard < positions.length; shard++) {
      if (positions[shard].length > 0) {
        reader.read(shard, positions[shard]);
      }
    }
  }

  /** The shard that answers the whole batch, or -1 if there are several. */
  int only() {
    return only;
  }

  /** The positions that a shard answers, in rising order; only for a batch that is cut. */
  int[] positions(int shard) {
    return positions[shard];
  }

  /** The part of a batch that a shard answers; only for a batch that is cut. */
  long[] part(long[] batch, int shard) {
    long[] part = new long[positions[shard].length];
    Arrays.setAll(part, i -> batch[positions[shard][i]]);
    return part;
  }

  /** The part of a batch that a shard answers; only for a batch that is cut. */
  <T> List<T> part(List<T> batch, int shard) {
    List<T> part = new ArrayList<>(positions[shard].length);
    for (int position : positions[shard]) {
      part.add(batch.get(position));
    }
    return part;
  }
}
