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
 * change them; nor those of intents that are being undone, until they are. Guarded by the lock of
 * its {@link CommitPipeline}.
 */
final class IntentTable {
  private final TreeMap<TransactionId, Intent> open = new TreeMap<>();
  private final TreeMap<TransactionId, Intent> decided = new TreeMap<>();

  /** Number of all intents but those that are replaced. Read without the lock too. */
  private volatile int size;

  private final HeldScopes held = new HeldScopes();

  /** The scopes among those held that intents hold which are being undone. */
  private final HeldScopes undoing = new HeldScopes();

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

  /** How often a scope is held. */
  int holders(long scope) {
    return held.count(scope);
  }

  /** How often a scope is held by those that are being undone, and will let go of it. */
  int holdersBeingUndone(long scope) {
    return undoing.count(scope);
  }

  /** Safe without the lock: false if there is certainly none. */
  boolean mayHoldAny() {
    return size > 0;
  }

  /**
   * Takes an intent in, as a whole or, if there is no memory for it, not at all.
   *
   * @param replaced the one whose place it takes when it is durable; until then nobody finds that
   *     one, but snapshots stay below it
   */
  void add(Intent intent, @Nullable Intent replaced) {
    held.hold(intent.marks);
    boolean done = false;
    try {
      if (replaced != null) {
        undoing.hold(replaced.marks);
      }
      open.put(intent.id, intent);
      done = true;
    } finally {
      if (!done) {
        held.release(intent.marks);
        if (replaced != null) {
          undoing.release(replaced.marks);
        }
      }
    }
    if (replaced == null) {
      size++;
    } else {
      intent.replace(replaced);
    }
  }

  @Nullable Intent open(TransactionId id) {
    Intent intent = open.get(id);
    return intent == null || intent.isReplaced() ? null : intent;
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
    undoing.hold(intent.marks);
    boolean done = false;
    try {
      CompletableFuture<Void> undone = log.appendUnawaited(entry);
      done = true;
      if (open.remove(intent.id) != null) {
        size--;
      }
      return undone;
    } finally {
      if (!done) {
        undoing.release(intent.marks);
      }
    }
  }

  /** The rows of an intent are undone, and before them those of the one whose place it took. */
  void undone(Intent intent) {
    removeReplaced(intent);
    held.release(intent.marks);
    undoing.release(intent.marks);
  }

  /** The rows of the one whose place another took are gone. */
  private void removeReplaced(Intent by) {
    Intent replaced = by.replaced();
    if (replaced != null) {
      removeReplaced(replaced);
      open.remove(replaced.id);
      held.release(replaced.marks);
      undoing.release(replaced.marks);
      by.leaveReplaced();
    }
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
      if (intent.replaced() != null) {
        undoing.release(intent.replaced().marks);
        intent.leaveReplaced();
        size++;
      }
    }
  }

  /**
   * Notes that an open intent is durable if it is of a group that is.
   *
   * @return true if one is gone whose place it took
   */
  boolean becomeDurable(TransactionId id, CommitGroup durable) {
    Intent intent = open.get(id);
    if (intent == null || intent.group() != durable) {
      return false;
    }
    intent.becomeDurable();
    boolean replaces = intent.replaced() != null;
    removeReplaced(intent);
    return replaces;
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

  /** Number of all but those that are replaced. */
  int size() {
    return size;
  }

  /** Open and durable intents that came at or before a time, oldest stamp first. */
  List<Intent> openSince(long millis, int atMost) {
    List<Intent> old = new ArrayList<>();
    for (Intent intent : open.values()) {
      if (intent.arrivedMillis <= millis && intent.isDurable() && !intent.isReplaced()) {
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
    undoing.clear();
    size = 0;
  }
}
