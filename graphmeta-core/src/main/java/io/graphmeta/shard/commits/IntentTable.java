package io.graphmeta.shard.commits;

import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The intents of a shard: <i>open</i> while their outcome is not known here, <i>decided</i> from
 * then on until they are forgotten. The scopes of open intents are held: no other transaction may
 * change them. Guarded by the lock of its {@link CommitPipeline}.
 */
final class IntentTable {
  private final TreeMap<TransactionId, Intent> open = new TreeMap<>();
  private final TreeMap<TransactionId, Intent> decided = new TreeMap<>();

  /** Number of all intents. Read without the lock too. */
  private volatile int size;

  private final HeldScopes held = new HeldScopes();

  /**
   * Reads the intents that a store holds. Intents up to the watermark are committed, since a part
   * is undone before the watermark passes it; they are kept, because other participants may have
   * forgotten theirs and this shard is asked. The outcomes of intents above it are not known here.
   */
  void load(StorageEngine storage, long watermark) {
    byte[] prefix = {Intent.KEY_PREFIX};
    try (RowCursor cursor = storage.cursor(Family.META, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(prefix, 1);
          more && cursor.key()[0] == Intent.KEY_PREFIX;
          more = cursor.next()) {
        byte[] value = cursor.value();
        Intent intent = Intent.read(cursor.key(), cursor.keyLength(), value, cursor.valueLength());
        (intent.id.stamp() <= watermark ? decided : open).put(intent.id, intent);
        size++;
      }
    }
  }

  /** The stamp of the first open intent, or {@link Long#MAX_VALUE}. */
  long leastOpen() {
    return open.isEmpty() ? Long.MAX_VALUE : open.firstKey().stamp();
  }

  /** The stamp of the last open intent, or 0. */
  long greatestOpen() {
    return open.isEmpty() ? 0 : open.lastKey().stamp();
  }

  /** True if one has this stamp. */
  boolean hasStamp(long stamp) {
    return size > 0 && (hasStamp(open, stamp) || hasStamp(decided, stamp));
  }

  private static boolean hasStamp(TreeMap<TransactionId, Intent> intents, long stamp) {
    TransactionId least = new TransactionId(stamp, Long.MIN_VALUE, Long.MIN_VALUE);
    TransactionId found = intents.ceilingKey(least);
    return found != null && found.stamp() == stamp;
  }

  /** True if an open one has this stamp. */
  boolean hasOpenStamp(long stamp) {
    return !open.isEmpty() && hasStamp(open, stamp);
  }

  /** Number of open intents with a row of which a test is true. */
  int openWith(BiPredicate<Family, byte[]> test) {
    int found = 0;
    for (Intent intent : open.values()) {
      boolean[] has = {false};
      intent.forEachRow((family, key, before) -> has[0] |= test.test(family, key));
      found += has[0] ? 1 : 0;
    }
    return found;
  }

  boolean holds(long scope) {
    return held.contains(scope);
  }

  /** Safe without the lock: false if there is certainly none. */
  boolean mayHoldAny() {
    return size > 0;
  }

  /** Takes an intent in, as a whole or, if there is no memory for it, not at all. */
  void add(Intent intent) {
    held.hold(intent.marks);
    boolean done = false;
    try {
      open.put(intent.id, intent);
      done = true;
    } finally {
      if (!done) {
        held.release(intent.marks);
      }
    }
    size++;
  }

  @Nullable Intent open(TransactionId id) {
    return open.get(id);
  }

  @Nullable Intent decided(TransactionId id) {
    return decided.get(id);
  }

  /**
   * Orders that the rows of an open intent are undone, and takes it out. Its scopes are held until
   * that is applied and {@link #undone} called: who wrote the same rows before would find those of
   * the intent under its own, and bring them back.
   */
  CompletableFuture<Void> undo(Intent intent, CoveredLog log) {
    RowBatch entry = new RowBatch(256);
    intent.undo(entry);
    CompletableFuture<Void> undone = log.appendUnawaited(entry);
    if (open.remove(intent.id) != null) {
      size--;
    }
    return undone;
  }

  /** The rows of an intent are undone. */
  void undone(Intent intent) {
    held.release(intent.marks);
  }

  /** Takes an open intent out; its scopes are held no longer. */
  void removeOpen(Intent intent) {
    if (open.remove(intent.id) == null) {
      return;
    }
    size--;
    held.release(intent.marks);
  }

  /** Takes an open intent out if it is of a group that the log has refused. */
  void removeOpen(TransactionId id, CommitGroup refused) {
    Intent intent = open.get(id);
    if (intent != null && intent.group() == refused) {
      removeOpen(intent);
    }
  }

  /** Notes that an open intent is durable if it is of a group that is. */
  void becomeDurable(TransactionId id, CommitGroup durable) {
    Intent intent = open.get(id);
    if (intent != null && intent.group() == durable) {
      intent.becomeDurable();
    }
  }

  /** Notes that an open intent is committed; if there is no memory for it, it stays open. */
  void decide(Intent intent) {
    decided.put(intent.id, intent);
    size++;
    removeOpen(intent);
  }

  void removeDecided(Intent intent) {
    decided.remove(intent.id);
    size--;
  }

  int openCount() {
    return open.size();
  }

  int decidedCount() {
    return decided.size();
  }

  /** Number of all. */
  int size() {
    return size;
  }

  /** Open and durable intents that came at or before a time, oldest stamp first. */
  List<Intent> openSince(long millis, int atMost) {
    List<Intent> old = new ArrayList<>();
    for (Intent intent : open.values()) {
      if (intent.arrivedMillis <= millis && intent.isDurable()) {
        old.add(intent);
        if (old.size() == atMost) {
          break;
        }
      }
    }
    return old;
  }

  /** When the oldest of the open intents came, by the clock of the ticks. */
  long firstArrivedMillis() {
    return open.values().stream().mapToLong(intent -> intent.arrivedMillis).min().orElse(0);
  }

  /** Decided intents up to a stamp, oldest first. */
  List<Intent> decidedUpTo(long stamp, int atMost) {
    List<Intent> settled = new ArrayList<>();
    for (Intent intent : decided.values()) {
      if (intent.id.stamp() > stamp || settled.size() == atMost) {
        break;
      }
      settled.add(intent);
    }
    return settled;
  }

  void clear() {
    open.clear();
    decided.clear();
    held.clear();
    size = 0;
  }
}
