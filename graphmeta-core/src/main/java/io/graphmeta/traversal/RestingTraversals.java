package io.graphmeta.traversal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.router.TraversalShards;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The traversals of one process that rest: the shards hold results or elements of them, and nobody
 * is asking for these. Who took one result and left may never come back nor close anything, so only
 * so many rest at a time: the one that has rested longest is ended at the shards. One that a shard
 * is working for does not rest, and is never ended by this. Safe for use by many threads.
 */
final class RestingTraversals {
  private final int most;

  /** With the shards that hold them, in the order in which they went to rest. */
  @GuardedBy("this")
  private final Map<TraversalId, TraversalShards> resting = new LinkedHashMap<>();

  RestingTraversals(int most) {
    this.most = most;
  }

  /** Lets a traversal rest; ends another if there are too many. */
  void rest(TraversalId id, TraversalShards shards) {
    Map.Entry<TraversalId, TraversalShards> tooMany = null;
    synchronized (this) {
      resting.put(id, shards);
      if (resting.size() > most) {
        Iterator<Map.Entry<TraversalId, TraversalShards>> eldest = resting.entrySet().iterator();
        tooMany = eldest.next();
        eldest.remove();
      }
    }
    if (tooMany != null) {
      tooMany.getValue().end(tooMany.getKey());
    }
  }

  /**
   * Wakes a traversal, which is about to be asked.
   *
   * @throws GraphMetaException {@code CANCELLED} if it was ended meanwhile
   */
  void wake(TraversalId id) {
    if (!remove(id)) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED,
          "The traversal was left with results to come while "
              + most
              + " others were left so later, and was ended; expected traversals to be iterated to"
              + " their end or closed (close those of which you need no more, or raise"
              + " graphmeta.open-traversals)");
    }
  }

  /** Forgets a traversal, which its owner ends; false if it does not rest. */
  synchronized boolean remove(TraversalId id) {
    return resting.remove(id) != null;
  }
}
