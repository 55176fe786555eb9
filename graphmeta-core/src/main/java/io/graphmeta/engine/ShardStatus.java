package io.graphmeta.engine;

import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageStatistics;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How one shard of a database is doing.
 *
 * @param shard its number, from 0
 * @param bytesOnDisk size of its files; 0 in memory
 * @param rows rows of each family of its store by name, estimated
 * @param resolvedStamp the stamp at and below which the outcome of all its commits is known:
 *     snapshots reach no further
 * @param behindMillis how far that lies behind now, in milliseconds
 * @param openIntents parts of transactions over several shards whose outcome it does not know
 * @param oldestOpenMillis age of the oldest of them, in milliseconds; 0 if there is none
 * @param decidedIntents parts whose outcome it knows, but which not every participant has noted
 *     durably
 * @param syncs how often it brought writes to disk since the database was opened
 * @param fault why it takes no commits, in words; empty if it does
 * @param adjacency its cache of neighbours and rows
 * @param away why it did not answer, in words, and all else is not known; empty if it did
 */
public record ShardStatus(
    int shard,
    long bytesOnDisk,
    Map<String, Long> rows,
    long resolvedStamp,
    long behindMillis,
    int openIntents,
    long oldestOpenMillis,
    int decidedIntents,
    long syncs,
    String fault,
    CacheStatus adjacency,
    String away) {
  /**
   * What a shard answered.
   *
   * @param nowMicros the time, in microseconds since 1970
   */
  public static ShardStatus of(int shard, Response.Status answer, long nowMicros) {
    return new ShardStatus(
        shard,
        answer.bytesOnDisk(),
        byName(answer.rows()),
        answer.resolvedStamp(),
        Math.max(0, (nowMicros - Stamp.micros(answer.resolvedStamp())) / 1000),
        answer.openIntents(),
        answer.openIntents() == 0 ? 0 : answer.oldestOpenMillis(),
        answer.decidedIntents(),
        answer.syncs(),
        answer.fault(),
        CacheStatus.of(answer.adjacency()),
        "");
  }

  private static Map<String, Long> byName(Map<Family, Long> rows) {
    Map<String, Long> named = new LinkedHashMap<>();
    rows.forEach((family, count) -> named.put(family.name().toLowerCase(Locale.ROOT), count));
    return named;
  }

  /** A replica that follows another, of which no more is known than what its store has. */
  public static ShardStatus ofReplica(int shard, StorageStatistics store) {
    return new ShardStatus(
        shard,
        store.bytesOnDisk(),
        byName(store.estimatedRows()),
        0,
        0,
        0,
        0,
        0,
        store.syncs(),
        store.fault() == null ? "" : "The store takes no writes: " + store.fault(),
        CacheStatus.NONE,
        "");
  }

  /** One that did not answer, and why. */
  public static ShardStatus away(int shard, String why) {
    return new ShardStatus(shard, 0, Map.of(), 0, 0, 0, 0, 0, 0, "", CacheStatus.NONE, why);
  }

  /** Whether it answered. */
  public boolean answers() {
    return away.isEmpty();
  }
}
