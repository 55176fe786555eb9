package io.graphmeta.shard.commits;

import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.TransactionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The outcomes that a shard has found by asking, or by being asked, and not heard from the client:
 * which may be about to ask, and should not be told that all have forgotten. They are kept for a
 * time, in memory; a commit by its intent, which is not forgotten before. Safe for use by many
 * threads.
 */
final class FoundOutcomes {
  /** More are not kept; clients of the others may be told that the outcome is not known. */
  private static final int MOST = 100_000;

  private final long keptMillis;
  private final Map<TransactionId, Long> committed = new ConcurrentHashMap<>();
  private final Map<TransactionId, Long> aborted = new ConcurrentHashMap<>();

  /**
   * None yet.
   *
   * @param keptMillis how long one is kept; 0 if no client outlives the shard
   */
  FoundOutcomes(long keptMillis) {
    this.keptMillis = keptMillis;
  }

  /** The shard has found the outcome of a part that it holds. */
  void found(TransactionId id, boolean isCommitted, long nowMillis) {
    keep(isCommitted ? committed : aborted, id, nowMillis);
  }

  private void keep(Map<TransactionId, Long> outcomes, TransactionId id, long nowMillis) {
    if (keptMillis > 0 && outcomes.size() < MOST) {
      outcomes.put(id, nowMillis);
    }
  }

  /** Whether a commit that was found must not be forgotten yet. */
  boolean keeps(TransactionId id) {
    return committed.containsKey(id);
  }

  /** The states that are told, by those that the intents and the watermark make. */
  List<PartState> told(List<TransactionId> ids, List<PartState> states, long nowMillis) {
    if (keptMillis == 0) {
      return states;
    }
    List<PartState> told = new ArrayList<>(states);
    for (int i = 0; i < told.size(); i++) {
      TransactionId id = ids.get(i);
      if (told.get(i) == PartState.ABSENT) {
        keep(aborted, id, nowMillis);
      } else if (told.get(i) == PartState.COVERED && aborted.containsKey(id)) {
        told.set(i, PartState.ABSENT);
      }
    }
    return told;
  }

  /** Forgets those whose time is over. */
  void forget(long nowMillis) {
    committed.values().removeIf(found -> nowMillis - found >= keptMillis);
    aborted.values().removeIf(found -> nowMillis - found >= keptMillis);
  }
}
