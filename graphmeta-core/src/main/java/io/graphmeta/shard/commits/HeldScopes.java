package io.graphmeta.shard.commits;

/**
 * How many open intents change a scope: edges of one vertex are added by many at once. An open hash
 * table; to let a scope go takes no memory. Guarded by the lock of its {@link CommitPipeline}.
 */
final class HeldScopes {
  private static final int LEAST_ROOM = 64;

  private long[] scopes = new long[LEAST_ROOM];
  private int[] counts = new int[LEAST_ROOM];
  private int size;

  /** How many hold a scope. */
  int count(long scope) {
    return size == 0 ? 0 : counts[slot(scopes, counts, scope)];
  }

  /** Holds scopes, all of them or, if there is no memory for it, none. */
  void hold(long[] more) {
    reserve(more.length);
    for (long scope : more) {
      int slot = slot(scopes, counts, scope);
      scopes[slot] = scope;
      size += counts[slot]++ == 0 ? 1 : 0;
    }
  }

  /** Lets scopes go that were held. */
  void release(long[] held) {
    for (long scope : held) {
      int slot = slot(scopes, counts, scope);
      if (counts[slot] > 0 && --counts[slot] == 0) {
        size--;
        closeGap(slot);
      }
    }
  }

  void clear() {
    scopes = new long[LEAST_ROOM];
    counts = new int[LEAST_ROOM];
    size = 0;
  }

  /** At least half of the slots stay empty. */
  private void reserve(int more) {
    long wanted = 2L * Math.addExact(size, more);
    if (wanted > scopes.length) {
      int room = (int) Math.min(1 << 30, Long.highestOneBit(wanted - 1) << 1);
      long[] newScopes = new long[room];
      int[] newCounts = new int[room];
      for (int i = 0; i < scopes.length; i++) {
        if (counts[i] > 0) {
          int slot = slot(newScopes, newCounts, scopes[i]);
          newScopes[slot] = scopes[i];
          newCounts[slot] = counts[i];
        }
      }
      scopes = newScopes;
      counts = newCounts;
    }
  }

  private static int slot(long[] scopes, int[] counts, long scope) {
    int mask = scopes.length - 1;
    int at = home(scope, mask);
    while (counts[at] > 0 && scopes[at] != scope) {
      at = at + 1 & mask;
    }
    return at;
  }

  private static int home(long scope, int mask) {
    return (int) (scope ^ scope >>> 32) & mask;
  }

  /** Moves up what would not be found behind a slot that is empty now (Knuth, vol. 3, 6.4 R). */
  private void closeGap(int empty) {
    int mask = scopes.length - 1;
    int gap = empty;
    for (int at = gap + 1 & mask; counts[at] > 0; at = at + 1 & mask) {
      if ((at - home(scopes[at], mask) & mask) >= (at - gap & mask)) {
        scopes[gap] = scopes[at];
        counts[gap] = counts[at];
        counts[at] = 0;
        gap = at;
      }
    }
  }
}
