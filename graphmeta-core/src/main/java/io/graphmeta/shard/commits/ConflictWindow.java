package io.graphmeta.shard.commits;

import io.graphmeta.protocol.Response;
import org.jspecify.annotations.Nullable;

/**
 * The stamps of the latest changes of scopes, in memory: enough to tell whether a transaction comes
 * second without reading the store (as the resolvers of FoundationDB do).
 *
 * <p>A scope is a 64-bit hash of what can be changed by one transaction only (an id, a property,
 * the edges of a vertex). Two generations of an open hash table are kept; when the younger is full
 * it becomes the older, and the stamp of the newest change that was dropped with the former older
 * one becomes the <i>floor</i>: for a snapshot below it nothing can be told any more. Two scopes of
 * the same hash, at odds of about 1 in 10^13 for a full window, cost a transaction a needless
 * retry, never a missed conflict.
 *
 * <p>Guarded by the lock of its {@link CommitPipeline}.
 */
final class ConflictWindow {
  /** In the place of a stamp: from here on, what was refused. Below all stamps, and not 0. */
  private static final long REFUSED = 1;

  /** The greatest in the place of a stamp. */
  private static final long MAX_REFUSED = 1L << 32;

  private final int limit;
  private long floor;
  private long tokenFloor;
  private Generation young;
  private Generation old;

  /**
   * An empty window.
   *
   * @param scopes how many scopes a generation holds; a power of two
   * @param floor the stamp before which nothing is known
   */
  ConflictWindow(int scopes, long floor) {
    this.limit = scopes;
    this.floor = floor;
    this.tokenFloor = floor;
    this.young = new Generation(scopes);
    this.old = new Generation(1);
  }

  /** True if changes after the snapshot can all be told. */
  boolean covers(long snapshot) {
    return snapshot >= floor;
  }

  /** True if the scope was changed after the snapshot. */
  boolean changedAfter(long snapshot, long scope) {
    return lastChange(scope) > snapshot;
  }

  private long lastChange(long scope) {
    return Math.max(young.get(scope), old.get(scope));
  }

  /**
   * What became of the commit with a token, so that a copy of its message is answered alike: its
   * answer, or null if it is not known to have come.
   */
  @Nullable Response outcome(long token) {
    long last = young.get(token);
    last = last != 0 ? last : old.get(token);
    if (last == 0) {
      return null;
    }
    return last <= MAX_REFUSED
        ? new Response.Conflicted((int) (last - REFUSED) + Response.Conflicted.TOO_OLD)
        : new Response.Stamped(last);
  }

  /**
   * Notes from which snapshot on the tokens of all commits are known; they were marked.
   *
   * @param snapshot not above the floor with which the window was made
   */
  void knowsTokensFrom(long snapshot) {
    tokenFloor = snapshot;
  }

  /** True if a commit of a snapshot was done only if its token is known here. */
  boolean tellsTokens(long snapshot) {
    return snapshot >= tokenFloor;
  }

  /**
   * Makes room, so that so many scopes more can be marked without memory: what is in the store must
   * be marked, whatever happens.
   */
  void reserve(int more) {
    if (young.size > 0 && (long) young.size + more > limit) {
      Generation next = new Generation(limit);
      floor = Math.max(floor, old.newest);
      tokenFloor = Math.max(tokenFloor, old.newest);
      old = young;
      young = next;
    }
    young.reserve(more);
  }

  /** True if it is known what became of the commit with a token. */
  boolean knows(long token) {
    return young.get(token) != 0 || old.get(token) != 0;
  }

  /**
   * Notes that a commit was refused for a check, or for what {@link Response.Conflicted} has in its
   * place. There must be room.
   */
  void refuse(long token, int check) {
    mark(token, REFUSED + check - Response.Conflicted.TOO_OLD);
  }

  /** Records a change. There must be room. */
  void mark(long scope, long stamp) {
    young.put(scope, stamp);
  }

  /** Forgets everything up to a stamp. */
  void reset(long newFloor) {
    floor = newFloor;
    tokenFloor = newFloor;
    young = new Generation(limit);
    old = new Generation(1);
  }

  private static final class Generation {
    private long[] scopes;
    private long[] stamps;
    private int size;
    private long newest;

    Generation(int expected) {
      int room = Math.min(1024, Math.max(2, expected * 2));
      scopes = new long[room];
      stamps = new long[room];
    }

    long get(long scope) {
      int mask = scopes.length - 1;
      for (int at = (int) scope & mask; stamps[at] != 0; at = at + 1 & mask) {
        if (scopes[at] == scope) {
          return stamps[at];
        }
      }
      return 0;
    }

    /** At least half of the slots stay empty. */
    void reserve(int more) {
      long wanted = 2L * Math.addExact(size, more);
      if (wanted > scopes.length) {
        int room = (int) Math.min(1 << 30, Long.highestOneBit(wanted - 1) << 1);
        long[] newScopes = new long[room];
        long[] newStamps = new long[room];
        for (int i = 0; i < scopes.length; i++) {
          if (stamps[i] != 0) {
            insert(newScopes, newStamps, scopes[i], stamps[i]);
          }
        }
        scopes = newScopes;
        stamps = newStamps;
      }
    }

    void put(long scope, long stamp) {
      newest = Math.max(newest, stamp);
      size += insert(scopes, stamps, scope, stamp) ? 1 : 0;
    }

    private static boolean insert(long[] scopes, long[] stamps, long scope, long stamp) {
      int mask = scopes.length - 1;
      int at = (int) scope & mask;
      while (stamps[at] != 0) {
        if (scopes[at] == scope) {
          stamps[at] = stamp <= MAX_REFUSED ? stamp : Math.max(stamp, stamps[at]);
          return false;
        }
        at = at + 1 & mask;
      }
      scopes[at] = scope;
      stamps[at] = stamp;
      return true;
    }
  }
}
