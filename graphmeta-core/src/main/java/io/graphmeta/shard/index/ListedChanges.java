package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/**
 * What the store notes of how far the index on disk is, and the deletion of the list behind it;
 * package {@code codec} has the layout. Belongs to the one thread that changes the index.
 */
final class ListedChanges {
  private static final byte[] KEY = "reached-by-index".getBytes(StandardCharsets.US_ASCII);
  private static final int DELETED_TOGETHER = 2_000;
  private static final int BATCH_BYTES_OF_A_ROW = 26;

  private final StorageEngine storage;
  private final ReplicationLog log;
  private long reached;
  private long listedFrom;

  /** The stamp at and below which this run has deleted all rows. */
  private long deletedTo;

  ListedChanges(StorageEngine storage, ReplicationLog log) {
    this.storage = storage;
    this.log = log;
  }

  /** Whether a key of META is that of the note. */
  static boolean isNote(byte[] key, int length) {
    return Arrays.equals(key, 0, length, KEY, 0, KEY.length);
  }

  /** Reads the note. */
  synchronized void load() {
    byte[] stored = storage.get(Family.META, KEY);
    reached = stored == null ? 0 : BigEndian.getLong(stored, 0);
    listedFrom = stored == null ? 0 : BigEndian.getLong(stored, 8);
    deletedTo = 0;
  }

  /** Whether an index that was committed with a stamp can go on with the list. */
  synchronized boolean isFollowable(long committedStamp) {
    return listedFrom <= committedStamp && !isBehind(committedStamp);
  }

  /** Whether the store is of an earlier state than an index that was committed with a stamp. */
  synchronized boolean isBehind(long committedStamp) {
    return reached < committedStamp;
  }

  /** Notes that the index is about to be committed with a stamp. Completes when it is applied. */
  synchronized CompletableFuture<Void> reach(long stamp) {
    RowBatch note = new RowBatch(64);
    putNote(note, stamp, listedFrom);
    CompletableFuture<Void> noted = log.append(note, Durability.BACKGROUND);
    reached = stamp;
    return noted;
  }

  /**
   * Notes that no index goes on with the list that was committed with an earlier stamp: rows were
   * removed of which the list tells nothing. By any thread.
   */
  synchronized void cut(long stamp) {
    listedFrom = Math.max(listedFrom, stamp);
    RowBatch note = new RowBatch(64);
    putNote(note, reached, listedFrom);
    log.append(note, Durability.BACKGROUND);
  }

  private static void putNote(RowBatch batch, long reached, long listedFrom) {
    byte[] value = new byte[16];
    BigEndian.putLong(value, 0, reached);
    BigEndian.putLong(value, 8, listedFrom);
    batch.put(Family.META, KEY, value);
  }

  /** Whether there are rows at or below a stamp that were not deleted. */
  boolean hasRows(long upTo) {
    try (ChangeCursor rows = new ChangeCursor(storage)) {
      return rows.seekAbove(deletedTo) && rows.stamp() <= upTo;
    }
  }

  /**
   * Deletes some of the rows at and below a stamp that the index is committed with.
   *
   * @return whether there are more
   */
  synchronized boolean delete(long upTo) {
    if (upTo <= deletedTo) {
      return false;
    }
    RowBatch batch = new RowBatch(DELETED_TOGETHER * BATCH_BYTES_OF_A_ROW);
    if (listedFrom < upTo) {
      putNote(batch, reached, upTo);
    }
    long last = deletedTo;
    boolean more;
    try (ChangeCursor rows = new ChangeCursor(storage)) {
      int count = 0;
      more = rows.seekAbove(deletedTo) && rows.stamp() <= upTo;
      while (more && count < DELETED_TOGETHER) {
        batch.delete(Family.CHANGED, rows.key());
        last = rows.stamp();
        count++;
        more = rows.next() && rows.stamp() <= upTo;
      }
      if (count > 0) {
        log.append(batch, Durability.BACKGROUND);
        listedFrom = Math.max(listedFrom, upTo);
      }
    }
    deletedTo = more ? last - 1 : upTo; // there may be more rows of the last stamp
    return more;
  }
}
