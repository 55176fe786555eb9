package io.graphmeta.engine;

import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.DatabaseDirectory;
import io.graphmeta.node.RestoredDatabase;
import io.graphmeta.node.RestoredNodes;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Opens databases: in this process, or those of clusters. Safe for use by many threads. */
public final class GraphDatabases {
  private GraphDatabases() {}

  /**
   * Opens a database, and creates it if the configuration allows and it is not there.
   *
   * <p>With {@link io.graphmeta.config.Setting#READ_ONLY} it is read as it is now, while another
   * process may write it; transactions that write fail with {@code READ_ONLY_DATABASE}.
   *
   * <p>A database of an older format is upgraded first, for which no older build opens it again.
   *
   * <p>With {@link io.graphmeta.config.Setting#CLUSTER} it is that of a cluster, which is there
   * already.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN}, {@code NOT_A_DATABASE}, {@code NEWER_FORMAT},
   *     {@code OLDER_FORMAT}, {@code MISMATCHED_SETTINGS}, {@code CORRUPTION} or {@code
   *     STORAGE_FAILURE}; nothing is changed then, but by an upgrade, which goes on when the
   *     database is opened again; of a cluster {@code UNAVAILABLE}, {@code UNREACHABLE} or {@code
   *     NOT_FOUND}
   */
  public static GraphDatabase open(GraphMetaConfig config) {
    return open(config, InstantSource.system());
  }

  /** As {@link #open(GraphMetaConfig)}, with stamps that follow a given clock. */
  public static GraphDatabase open(GraphMetaConfig config, InstantSource clock) {
    return config.inCluster()
        ? ClusterDatabase.open(config, clock)
        : EmbeddedDatabase.open(config, clock);
  }

  /**
   * Makes a database of a backup, in a directory that is not there or empty. It is what the one
   * that was backed up was at the stamp of the backup, history included, with another identity.
   *
   * @param target a directory of backups
   * @param name of the backup; null for the newest
   * @param progress is told the number of bytes that are done
   * @return what was restored
   * @throws GraphMetaException {@code NOT_A_DATABASE} if the directory is not empty, {@code
   *     CORRUPTION} that names the file if one of the backup is damaged, {@code NOT_FOUND} if there
   *     is no such backup, {@code NEWER_FORMAT}, {@code ALREADY_OPEN} or {@code STORAGE_FAILURE};
   *     there is nothing under the name of the directory then
   */
  public static BackupSummary restore(
      Path target, @Nullable String name, Path directory, LongConsumer progress) {
    FileOperations operations = FileOperations.ON_DISK;
    BackupReader reader = new BackupReader(target, operations);
    return RestoredDatabase.restore(reader, name, directory, null, operations, progress);
  }

  /**
   * As {@link #restore}, for the nodes of a cluster that has not begun: makes a directory that has
   * a directory for each of them.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the cluster was made otherwise than the
   *     database
   */
  public static BackupSummary restoreNodes(
      Path target,
      @Nullable String name,
      Path directory,
      RestoredNodes nodes,
      LongConsumer progress) {
    FileOperations operations = FileOperations.ON_DISK;
    BackupReader reader = new BackupReader(target, operations);
    return RestoredDatabase.restore(reader, name, directory, nodes, operations, progress);
  }

  /**
   * A configuration with the settings that were fixed when the database in its directory was
   * created; the same configuration if there is none.
   */
  public static GraphMetaConfig asCreated(GraphMetaConfig config) {
    return DatabaseDirectory.asCreated(config);
  }
}
