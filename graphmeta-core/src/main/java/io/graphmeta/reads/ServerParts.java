package io.graphmeta.reads;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which server answers which position of a batch. A batch that lies with one server, as every batch
 * does when there is only one, is not cut and costs no copy. Immutable.
 */
final class ServerParts {
  private static final int[] NONE = {};
  private static final ServerParts WHOLE_AT_FIRST = new ServerParts(0, new int[0][]);

  private final int only;
  private final int[][] positions;

  private ServerParts(int only, int[][] positions) {
    this.only = only;
    this.positions = positions;
  }

  /**
   * Cuts a batch.
   *
   * @param home the server of a position
   */
  static ServerParts of(int servers, int size, IntUnaryOperator home) {
    if (servers == 1 || size == 0) {
      return WHOLE_AT_FIRST;
    }
    if (size == 1) {
      return new ServerParts(home.applyAsInt(0), new int[0][]);
    }
    // Asked once: another thread may learn meanwhile that entries were moved.
    int[] homes = new int[size];
    Arrays.setAll(homes, home);
    int[] counts = new int[servers];
    for (int server : homes) {
      counts[server]++;
    }
    if (counts[homes[0]] == size) {
      return new ServerParts(homes[0], new int[0][]);
    }
    int[][] positions = new int[servers][];
    Arrays.setAll(positions, server -> counts[server] == 0 ? NONE : new int[counts[server]]);
    Arrays.fill(counts, 0);
    for (int position = 0; position < size; position++) {
      int server = homes[position];
      positions[server][counts[server]++] = position;
    }
    return new ServerParts(-1, positions);
  }

  /** Receives a part of a batch. */
  @FunctionalInterface
  interface PartReader {
    /**
     * Reads what one server answers.
     *
     * @param positions of the part in the batch, in rising order; null if the part is the batch
     */
    void read(int server, int @Nullable [] positions);
  }

  /** Calls the reader for each server that answers a part, in the order of their numbers. */
  void forEach(PartReader reader) {
    if (only >= 0) {
      reader.read(only, null);
      return;
    }
    for (int server = 0; server < positions.length; server++) {
      if (positions[server].length > 0) {
        reader.read(server, positions[server]);
      }
    }
  }

  /** The server that answers the whole batch, or -1 if there are several. */
  int only() {
    return only;
  }

  /** The positions that a server answers, in rising order; only for a batch that is cut. */
  int[] positions(int server) {
    return positions[server];
  }

  /** The part of a batch that a server answers; only for a batch that is cut. */
  long[] part(long[] batch, int server) {
    long[] part = new long[positions[server].length];
    Arrays.setAll(part, i -> batch[positions[server][i]]);
    return part;
  }

  /** The part of a batch that a server answers; only for a batch that is cut. */
  <T> List<T> part(List<T> batch, int server) {
    List<T> part = new ArrayList<>(positions[server].length);
    for (int position : positions[server]) {
      part.add(batch.get(position));
    }
    return part;
  }
}
