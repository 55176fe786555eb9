package io.graphmeta.shard;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Hands out ranges of numbers, each once. The end of what was handed out is in the log before a
 * range is given, and on disk too where clients can outlive the shard: they go on using the range.
 * Safe for use by many threads.
 */
final class SequenceLeases {
  private static final int MAX_LEASE = 1 << 20;

  /** More than clients lease while one replica is behind the others: 16,384 of their ranges. */
  private static final long PASSED_OVER = 1L << 30;

  private final ReplicationLog log;
  private final Durability durability;

  @GuardedBy("this")
  private final long[] next = new long[SequenceKind.values().length];

  SequenceLeases(StorageEngine storage, ReplicationLog log, Durability durability) {
    this.log = log;
    this.durability = durability;
    for (SequenceKind kind : SequenceKind.values()) {
      next[kind.ordinal()] = stored(storage, kind);
    }
  }

  synchronized CompletableFuture<Long> lease(SequenceKind kind, int count, long atLeast) {
    if (count < 1 || count > MAX_LEASE) {
      throw GraphMetaException.invalid(
          "A lease of " + count + " numbers; expected 1 to " + MAX_LEASE);
    }
    long first = Math.max(next[kind.ordinal()], atLeast);
    long max = max(kind);
    if (first > max - count + 1) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The numbers of kind " + kind + " are used up: " + max + " on this shard");
    }
    next[kind.ordinal()] = first + count;
    return store(kind).thenApply(durable -> first);
  }

  /**
   * Adds ends to a batch that pass over numbers which were handed out, and of which a store does
   * not know.
   */
  static void passOver(StorageEngine storage, RowBatch batch) {
    for (SequenceKind kind : SequenceKind.values()) {
      putEnd(kind, Math.min(max(kind), stored(storage, kind) + PASSED_OVER), batch);
    }
  }

  private static long stored(StorageEngine storage, SequenceKind kind) {
    byte[] stored = storage.get(Family.META, key(kind));
    return stored == null ? 1 : BigEndian.getLong(stored, 0);
  }

  private static long max(SequenceKind kind) {
    return kind == SequenceKind.VERTEX_COUNTER ? VertexKeys.MAX_COUNTER : RowKeys.MAX_SEQUENCE;
  }

  private static void putEnd(SequenceKind kind, long end, RowBatch batch) {
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, end);
    batch.put(Family.META, key(kind), value);
  }

  /** Stores the ends again, after the store was cleared. */
  synchronized void store() {
    for (SequenceKind kind : SequenceKind.values()) {
      store(kind);
    }
  }

  @GuardedBy("this")
  private CompletableFuture<Void> store(SequenceKind kind) {
    RowBatch batch = new RowBatch(64);
    putEnd(kind, next[kind.ordinal()], batch);
    return log.append(batch, durability);
  }

  private static byte[] key(SequenceKind kind) {
    return ("sequence-" + kind.ordinal()).getBytes(StandardCharsets.US_ASCII);
  }
}
