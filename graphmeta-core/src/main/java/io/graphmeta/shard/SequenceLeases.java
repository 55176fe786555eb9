package io.graphmeta.shard;

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

/**
 * Hands out ranges of numbers, each once. The end of what was handed out is written before a range
 * is given; the log keeps order, so that it is on disk before any commit that uses the range. Safe
 * for use by many threads.
 */
final class SequenceLeases {
  private static final int MAX_LEASE = 1 << 20;

  private final ReplicationLog log;
  private final long[] next = new long[SequenceKind.values().length];

  SequenceLeases(StorageEngine storage, ReplicationLog log) {
    this.log = log;
    for (SequenceKind kind : SequenceKind.values()) {
      byte[] stored = storage.get(Family.META, key(kind));
      next[kind.ordinal()] = stored == null ? 1 : BigEndian.getLong(stored, 0);
    }
  }

  synchronized long lease(SequenceKind kind, int count, long atLeast) {
    if (count < 1 || count > MAX_LEASE) {
      throw GraphMetaException.invalid(
          "A lease of " + count + " numbers; expected 1 to " + MAX_LEASE);
    }
    long first = Math.max(next[kind.ordinal()], atLeast);
    long max = kind == SequenceKind.VERTEX_COUNTER ? VertexKeys.MAX_COUNTER : RowKeys.MAX_SEQUENCE;
    if (first > max - count + 1) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The numbers of kind " + kind + " are used up: " + max + " on this server");
    }
    next[kind.ordinal()] = first + count;
    store(kind);
    return first;
  }

  /** Stores the ends again, after the store was cleared. */
  synchronized void store() {
    for (SequenceKind kind : SequenceKind.values()) {
      store(kind);
    }
  }

  private void store(SequenceKind kind) {
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, next[kind.ordinal()]);
    RowBatch batch = new RowBatch(64);
    batch.put(Family.META, key(kind), value);
    log.append(batch, Durability.BACKGROUND);
  }

  private static byte[] key(SequenceKind kind) {
    return ("sequence-" + kind.ordinal()).getBytes(StandardCharsets.US_ASCII);
  }
}
