package io.graphmeta.engine;

import io.graphmeta.codec.ElementLayout;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.shard.retention.DroppedHistory;
import io.graphmeta.shard.retention.ExpiredRows;
import io.graphmeta.storage.Family;
import java.util.List;
import java.util.Map;

/**
 * Tells a check whether a row that is not where its like is may have gone with the versions that
 * were dropped: where vertices are split meanwhile, a copy that was moved is left for the next run.
 * Belongs to one thread.
 */
final class DroppedProbe {
  private final StoreProbe probe;
  private final int shards;
  private Horizons horizons = new Horizons(Map.of(), Map.of());

  DroppedProbe(StoreProbe probe, int shards) {
    this.probe = probe;
    this.shards = shards;
  }

  /** Whether the row of a key of edges may have been dropped by now. */
  boolean mayHave(Family family, byte[] key) {
    return isBelow(family, key) || learn() && isBelow(family, key);
  }

  /** As {@link #mayHave}, for a body: it goes with the edge that a tombstone above it ends. */
  boolean mayHaveEnded(Family family, byte[] body, byte[] tombstone) {
    return mayHave(family, body)
        && isBelow(family, tombstone)
        && ElementLayout.EDGE.valid(tombstone) <= ExpiredRows.horizon(horizons, family, tombstone);
  }

  private boolean isBelow(Family family, byte[] key) {
    return ElementLayout.EDGE.committed(key, key.length)
        <= ExpiredRows.horizon(horizons, family, key);
  }

  /** What was noted since; false if that is nothing. */
  private boolean learn() {
    Horizons before = horizons;
    for (int shard = 0; shard < shards; shard++) {
      byte[][] noted = probe.values(shard, Family.META, List.of(DroppedHistory.key()));
      if (noted != null) {
        horizons = horizons.later(DroppedHistory.read(noted[0]).watermarks());
      }
    }
    return !horizons.equals(before);
  }
}
