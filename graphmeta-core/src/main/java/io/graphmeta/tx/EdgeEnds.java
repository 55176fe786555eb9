package io.graphmeta.tx;

import io.graphmeta.time.Stamp;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether the ends of new edges exist. Of an end that the transaction knows nothing of it is not
 * asked at once: {@link #settle} asks for many at a time, before anything is read in which an edge
 * without an end could be seen, and before the commit. An end that is not there is an error then,
 * and again each time, so that such a transaction never commits. Belongs to the thread of its
 * transaction.
 */
final class EdgeEnds {
  /** How many ends are asked for at once. */
  private static final int MAX_UNASKED = 1 << 12;

  private static final long[] NONE = {};

  private final WriteBuffer writes;
  private final Lifetimes lifetimes;
  private final LifetimeRules rules;

  /** Ends that are to be asked for; one can be there several times. */
  private long[] unasked = NONE;

  private int count;
  private boolean takenBack;

  EdgeEnds(WriteBuffer writes, Lifetimes lifetimes, LifetimeRules rules) {
    this.writes = writes;
    this.lifetimes = lifetimes;
    this.rules = rules;
  }

  /** Whether it can be asked later if an end exists: now, and nothing is known of it yet. */
  boolean canAskLater(long vertex, long valid) {
    return valid == Stamp.AT_COMMIT && !lifetimes.knows(vertex);
  }

  /** Notes that it was not asked whether an end of an edge that was added exists. */
  void askLater(long vertex) {
    if (count > 0 && unasked[count - 1] == vertex || count > 1 && unasked[count - 2] == vertex) {
      return;
    }
    if (count == unasked.length) {
      unasked = Arrays.copyOf(unasked, Math.max(2, 2 * count));
    }
    unasked[count++] = vertex;
    if (count == MAX_UNASKED) {
      settle();
    }
  }

  /** Edges that were added, and may have ends that were not asked for, were taken back. */
  void takenBack() {
    takenBack = count > 0;
  }

  /**
   * Asks for all ends that were not asked for yet.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code NOT_FOUND} if one of them does not exist
   */
  void settle() {
    if (count == 0) {
      return;
    }
    long[] asked = Arrays.copyOf(unasked, count);
    if (takenBack) {
      Set<Long> needed = new HashSet<>();
      writes
          .edges()
          .forEach(
              (key, edge) -> {
                if (edge.isCreated() && edge.isNeverSeen(Stamp.AT_COMMIT)) {
                  needed.add(key.out());
                  needed.add(key.in());
                }
              });
      asked = Arrays.stream(asked).filter(needed::contains).toArray();
    }
    lifetimes.readVertices(asked);
    for (long vertex : asked) {
      rules.requireVertexBefore(vertex);
    }
    count = 0;
    takenBack = false;
  }
}
