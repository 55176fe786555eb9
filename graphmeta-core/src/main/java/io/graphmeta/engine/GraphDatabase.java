package io.graphmeta.engine;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * An open graph database, whose shards are reached through the transport: hosted by this process if
 * it is embedded, else by the nodes of a cluster. Safe for use by many threads; hands out one
 * transaction to each caller of {@link #begin}.
 */
public interface GraphDatabase extends AutoCloseable {
  /** The configuration it was opened with. */
  GraphMetaConfig config();

  /** A new transaction over a snapshot of now. */
  GraphTransaction begin();

  /**
   * The newest stamp that was committed through this client. With the snapshots of its transactions
   * it says what a session has seen.
   */
  long seen();

  /**
   * Goes on with a session that was begun at another client: no transaction that begins from here
   * on misses what was committed at or below a stamp.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a stamp that lies further in the future
   *     than clocks may differ
   */
  void resume(long stamp);

  /** Labels of vertices that were ever used, in the order of their first use. */
  List<String> vertexLabels();

  /** Labels of edges that were ever used, in the order of their first use. */
  List<String> edgeLabels();

  /** The indexes over properties of vertices. */
  Indexes indexes();

  /**
   * Verifies that stored rows agree with one another: every edge has its entry at both ends with
   * the same stamps, both ends exist while it does, ids lead to their elements and back, every
   * label and property key is defined, every value can be read, no set has a value twice, every row
   * lies with its shard, and no transaction is there in part. What commits meanwhile is left out.
   *
   * @param progress is told the number of rows read so far
   */
  CheckReport check(LongConsumer progress);

  /** Calls sent to the shards since the database was opened, by the kind of their request. */
  Map<String, Long> callsSent();

  /** How each shard is doing, in the order of their numbers. */
  List<ShardStatus> status();

  /**
   * How the nodes of the cluster are reached from here, with the offsets of their clocks; none if
   * the database is embedded.
   */
  List<PeerStatus> peers();

  /**
   * Where a vertex, by its key, and its edges lie now. Reads all entries of the vertex, on the
   * shards where they lie.
   */
  VertexPlacement placement(long vertex);

  /** As {@link #placement(long)}, of several vertices and the edges that a view sees. */
  List<VertexPlacement> placement(Collection<Long> vertices, ReadView view);

  /**
   * How what a view sees is spread over the shards and virtual nodes. Each shard reads all of its
   * rows once, in pages, which writers need not wait for.
   *
   * @param hottest the most vertices to be told one by one; at least 1
   * @param progress is told the number of rows read so far
   * @throws GraphMetaException {@code SNAPSHOT_TOO_OLD} if it takes longer than moved rows are kept
   *     and vertices were split meanwhile
   */
  PlacementReport placementReport(int hottest, ReadView view, LongConsumer progress);

  /**
   * Splits all vertices that have grown over the threshold, as the shards do by themselves a moment
   * later. For tests and tools.
   *
   * @return number of splits
   */
  int splitNow();

  /**
   * Adds a backup to a directory of backups, which is made if it is not there, while transactions
   * commit. In it is what was committed up to one moment of this call, with its history; files that
   * the directory has already are not copied again. Indexes are left out; they are built anew after
   * a restore ({@link GraphDatabases#restore}).
   *
   * @param target the directory, on the machine of this process
   * @param bytesPerSecond how fast files are copied at most; 0: as fast as may be
   * @param progress is told the number of bytes that are done
   * @throws io.graphmeta.error.GraphMetaException {@code ALREADY_OPEN} if another backup is being
   *     written there, or of this database; {@code NOT_A_DATABASE} if the directory holds something
   *     else; {@code STORAGE_FAILURE}; {@code INVALID_ARGUMENT} if the database has no files here
   */
  BackupSummary backup(Path target, long bytesPerSecond, LongConsumer progress);

  /** As above, as fast as may be. */
  default BackupSummary backup(Path target, LongConsumer progress) {
    return backup(target, 0, progress);
  }

  /**
   * Removes all elements and their history. For tests and tools of an embedded database:
   * transactions that are open can no longer commit, and over several shards no other thread may
   * commit meanwhile, since one is cleared after another.
   */
  void clear();

  /** Waits for commits under way and closes; open transactions are lost. Safe to call again. */
  @Override
  void close();
}
