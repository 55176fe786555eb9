package io.graphmeta.shard.retention;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/*
 * Why nobody is answered wrongly
 *
 * An archive has rows that no view at or above some horizons sees, and never will: what is committed later
 * hides nothing less. Before the first of them is removed the shard notes the horizons, in its log, and
 * refuses what lies below from then on: it does so before the note is ordered, and a shard that is opened
 * over the note does so from its beginning.
 *
 * A question that was let through before the note may be at work, and read where rows are removed already.
 * So each answer is held against the bound once more when it is there (HistoryBound.confirmed): if anything was
 * removed before it was read, the bound was raised before. The later messages of a traversal, and their
 * answers, are held against the bound as its first was.
 *
 * Rows are removed by entries of the log, as they are on all replicas. If the process ends, or ceases to lead,
 * some of them are there yet: who removes them asks again.
 */

/**
 * Removes rows of an open shard that an archive has. Safe for use by many threads; waits for
 * nothing.
 */
public final class DroppedRows {
  private static final int PAGE_BYTES = 1 << 20;
  private static final int ROWS_LOOKED_AT = 200_000;
  private static final int MAX_NAME_LENGTH = 100;

  private final StorageEngine storage;
  private final ReplicationLog log;
  private final HistoryBound kept;
  private final LongSupplier resolved;

  /** With what was ordered and is not applied. */
  @GuardedBy("this")
  private DroppedHistory history;

  /**
   * Of a shard that is opened.
   *
   * @param kept what the shard refuses
   * @param resolved the stamp at and below which everything is there and decided
   */
  public DroppedRows(
      StorageEngine storage, ReplicationLog log, HistoryBound kept, LongSupplier resolved) {
    this.storage = storage;
    this.log = log;
    this.kept = kept;
    this.resolved = resolved;
    this.history = DroppedHistory.of(storage);
  }

  /**
   * Rows that no view at or above horizons sees, which the shard has {@linkplain #requireResolved
   * come up to}.
   */
  public Response expired(Request.ReadExpired read) {
    requireFamily(read.family());
    requireResolved(read.horizons());
    byte[] from = read.from().key();
    if (from.length > 0 && !ExpiredRows.isKey(read.family(), from)) {
      throw GraphMetaException.invalid(
          "A page of rows of family "
              + read.family()
              + " was to begin at a key of "
              + from.length
              + " bytes; expected one that an answer had");
    }
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    byte[] next =
        new ExpiredRows(read.horizons())
            .forEach(
                storage,
                read.family(),
                from,
                PAGE_BYTES,
                ROWS_LOOKED_AT,
                (key, keyLength, value, valueLength) -> {
                  keys.add(Arrays.copyOf(key, keyLength));
                  values.add(Arrays.copyOf(value, valueLength));
                });
    return new Response.Rows(
        keys.toArray(new byte[0][]),
        values.toArray(new byte[0][]),
        next == null ? null : new Position(0, next));
  }

  private void requireResolved(Horizons horizons) {
    long newest = horizons.newest();
    if (newest > resolved.getAsLong()) {
      throw GraphMetaException.invalid(
          "A horizon lies at "
              + Stamp.format(newest)
              + ", above what this shard has resolved; expected an earlier one");
    }
  }

  /** Refuses what lies below horizons from now on; completes when that is on disk. */
  public synchronized CompletableFuture<Response> note(Request.NoteDropped note) {
    requireResolved(note.horizons());
    if (note.archive().isEmpty() || note.archive().length() > MAX_NAME_LENGTH) {
      throw GraphMetaException.invalid(
          "'" + note.archive() + "' is no name of an archive; expected 1 to 100 characters");
    }
    if (history.names(note.archive())) {
      return log.applied().thenApply(applied -> new Response.Done());
    }
    kept.raise(note.horizons());
    DroppedHistory with = history.with(new DroppedHistory.Run(note.archive(), note.horizons()));
    RowBatch batch = new RowBatch(256);
    with.put(batch);
    CompletableFuture<Void> noted = log.append(batch, Durability.SYNC);
    history = with;
    return noted.thenApply(applied -> new Response.Done());
  }

  /** Removes rows that an archive has; completes when they are gone. */
  public CompletableFuture<Response> drop(Request.DropRows drop) {
    requireFamily(drop.family());
    Horizons horizons = noted(drop.archive());
    RowBatch batch = new RowBatch(drop.keys().length * 48 + 16);
    for (byte[] key : drop.keys()) {
      if (!ExpiredRows.isKey(drop.family(), key)
          || ExpiredRows.horizon(horizons, drop.family(), key) == 0) {
        throw GraphMetaException.invalid(
            "A row of family "
                + drop.family()
                + " was to be removed of which archive "
                + drop.archive()
                + " has none; nothing was done");
      }
      batch.delete(drop.family(), key);
    }
    return batch.count() == 0
        ? CompletableFuture.completedFuture(new Response.Done())
        : log.append(batch, Durability.BACKGROUND).thenApply(applied -> new Response.Done());
  }

  private synchronized Horizons noted(String archive) {
    return history.runs().stream()
        .filter(run -> run.archive().equals(archive))
        .findAny()
        .orElseThrow(() -> notNoted(archive))
        .horizons();
  }

  private static GraphMetaException notNoted(String archive) {
    return GraphMetaException.invalid(
        "The shard misses nothing of archive "
            + archive
            + "; expected one that it has noted before rows are removed");
  }

  /** Notes that all rows are removed which an archive has, so that their room is given back. */
  public CompletableFuture<Response> end(Request.EndDropping end) {
    noted(end.archive());
    RowBatch batch = new RowBatch(64);
    RemovedRow.put(end.archive(), batch);
    return log.append(batch, Durability.SYNC).thenApply(applied -> new Response.Done());
  }

  private static void requireFamily(Family family) {
    if (!family.byVertex()) {
      throw GraphMetaException.invalid(
          "Rows of family " + family + " are never dropped; expected those of vertices or edges");
    }
  }

  /** Forgets what was dropped, after all rows were removed from the store. */
  public synchronized void clear() {
    history = DroppedHistory.of(storage);
  }
}
