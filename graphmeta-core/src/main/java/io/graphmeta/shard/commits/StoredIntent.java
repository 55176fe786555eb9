package io.graphmeta.shard.commits;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.List;

/**
 * An intent as it lies in META, for code that verifies a store: the layout is that of {@link
 * Intent}. Immutable.
 *
 * @param id the transaction
 * @param participants the shards that have a part of it
 * @param rows the rows of this part
 */
public record StoredIntent(TransactionId id, List<Integer> participants, List<Row> rows) {
  /** A row that the part has put. */
  public record Row(Family family, byte[] key) {}

  /** True for the key of an intent among those of META. */
  public static boolean isKey(byte[] key) {
    return key.length > 0 && key[0] == Intent.KEY_PREFIX;
  }

  /**
   * Reads an intent.
   *
   * @throws GraphMetaException {@code CORRUPTION} if it is none
   */
  public static StoredIntent read(byte[] key, byte[] value) {
    try {
      Intent intent = Intent.read(key, key.length, value, value.length);
      List<Integer> participants = new ArrayList<>();
      for (int participant : intent.participants) {
        participants.add(participant);
      }
      List<Row> rows = new ArrayList<>();
      intent.forEachRow((family, rowKey, before) -> rows.add(new Row(family, rowKey)));
      return new StoredIntent(intent.id, participants, rows);
    } catch (IndexOutOfBoundsException | NegativeArraySizeException e) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "An intent of " + value.length + " bytes ends too early", e);
    }
  }
}
