package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A part of a transaction over several shards whose rows are written, from then until every
 * participant knows the outcome for good. Stored as a row of META:
 *
 * <pre>
 * key    | 'i' | stamp 8 | client 8 | number 8 |
 * value  | count: varint | participants: varints | rows to undo until the end |
 * row    | family 1 | key length: varint | key | 0, or 1 + the length of the value before: varint | value |
 * </pre>
 *
 * Guarded by the lock of its {@link CommitPipeline}.
 */
final class Intent {
  static final byte KEY_PREFIX = 'i';
  private static final int KEY_BYTES = 25;
  private static final long[] NO_MARKS = {};

  final TransactionId id;
  final int[] participants;

  /** The scopes that the transaction changes here; none after a restart. */
  final long[] marks;

  /** Completes when the part is durable, after the lock is free. */
  final CompletableFuture<Void> durable;

  /** When it came, by the clock of the ticks. */
  final long arrivedMillis;

  private final byte[] undo;

  /** The group that it is in, until it is durable. */
  private @Nullable CommitGroup group;

  /** The part whose place it takes, until it is durable. */
  private @Nullable Intent replaced;

  /** Whether another takes its place; its rows are there until that one is durable. */
  private boolean isReplaced;

  private Intent(
      TransactionId id,
      int[] participants,
      long[] marks,
      CompletableFuture<Void> durable,
      long arrivedMillis,
      byte[] undo) {
    this.id = id;
    this.participants = participants;
    this.marks = marks;
    this.durable = durable;
    this.arrivedMillis = arrivedMillis;
    this.undo = undo;
  }

  /** Collects what undoes the rows of a part. */
  static final class Builder {
    private final TransactionId id;
    private final int[] participants;
    private final long[] marks;
    private final ByteWriter value = new ByteWriter(128);
    private final int undoAt;

    Builder(TransactionId id, int[] participants, long[] marks) {
      this.id = id;
      this.participants = participants;
      this.marks = marks;
      value.putVarInt(participants.length);
      for (int participant : participants) {
        value.putVarInt(participant);
      }
      undoAt = value.size();
    }

    /** A row that was put; {@code before} is what it replaced. */
    void put(Family family, byte[] key, int keyLength, byte @Nullable [] before) {
      value.putByte(family.ordinal()).putVarInt(keyLength).putBytes(key, 0, keyLength);
      value.putVarInt(before == null ? 0 : before.length + 1);
      if (before != null) {
        value.putBytes(before, 0, before.length);
      }
    }

    /** Adds the row of the intent to the entry that holds its part. */
    Intent build(RowBatch entry, CommitGroup group, long nowMillis) {
      entry.put(Family.META, key(id), value.toArray());
      byte[] undo = Arrays.copyOfRange(value.array(), undoAt, value.size());
      Intent built = new Intent(id, participants, marks, group.whenDurable(), nowMillis, undo);
      built.group = group;
      return built;
    }
  }

  /** Reads the row of an intent. */
  static Intent read(byte[] key, int keyLength, byte[] value, int valueLength) {
    if (keyLength != KEY_BYTES) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "The key of an intent has " + keyLength + " bytes; expected " + KEY_BYTES);
    }
    TransactionId id =
        new TransactionId(
            BigEndian.getLong(key, 1), BigEndian.getLong(key, 9), BigEndian.getLong(key, 17));
    ByteReader in = new ByteReader(value, 0, valueLength);
    int[] participants = new int[in.getVarInt()];
    for (int i = 0; i < participants.length; i++) {
      participants[i] = in.getVarInt();
    }
    byte[] undo = Arrays.copyOfRange(value, valueLength - in.remaining(), valueLength);
    return new Intent(
        id, participants, NO_MARKS, CompletableFuture.completedFuture(null), Long.MIN_VALUE, undo);
  }

  /** Receives the rows of a part, each with the value that it replaced, or null. */
  @FunctionalInterface
  interface RowVisitor {
    void row(Family family, byte[] key, byte @Nullable [] before);
  }

  /** Calls the visitor for each row of the part. */
  void forEachRow(RowVisitor visitor) {
    ByteReader in = new ByteReader(undo, 0, undo.length);
    Family[] families = Family.values();
    while (in.remaining() > 0) {
      Family family = families[in.getByte()];
      byte[] key = in.getBytes(in.getVarInt());
      int before = in.getVarInt();
      visitor.row(family, key, before == 0 ? null : in.getBytes(before - 1));
    }
  }

  /** Adds to an entry what takes the part back, and the intent with it. */
  void undo(RowBatch entry) {
    forEachRow(
        (family, key, before) -> {
          if (before == null) {
            entry.delete(family, key);
          } else {
            entry.put(family, key, before);
          }
        });
    forget(entry);
  }

  /** Adds to an entry the deletion of the intent. */
  void forget(RowBatch entry) {
    entry.delete(Family.META, key(id));
  }

  /** Whether it was read when the shard was opened. */
  boolean isFromBefore() {
    return arrivedMillis == Long.MIN_VALUE;
  }

  boolean isDurable() {
    return group == null;
  }

  /** The group that it is in; null when it is durable. */
  @Nullable CommitGroup group() {
    return group;
  }

  void becomeDurable() {
    group = null;
  }

  /** The part whose place it takes; null if there was none, or it is gone. */
  @Nullable Intent replaced() {
    return replaced;
  }

  /** Takes the place of another part. */
  void replace(Intent other) {
    replaced = other;
    other.isReplaced = true;
  }

  /** The part whose place it takes is gone, or, if this one is not to be, stays. */
  void leaveReplaced() {
    if (replaced != null) {
      replaced.isReplaced = false;
      replaced = null;
    }
  }

  /** Whether another takes its place. */
  boolean isReplaced() {
    return isReplaced;
  }

  private static byte[] key(TransactionId id) {
    byte[] key = new byte[KEY_BYTES];
    key[0] = KEY_PREFIX;
    BigEndian.putLong(key, 1, id.stamp());
    BigEndian.putLong(key, 9, id.client());
    BigEndian.putLong(key, 17, id.number());
    return key;
  }
}
