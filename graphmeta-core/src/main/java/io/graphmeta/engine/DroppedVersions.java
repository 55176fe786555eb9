package io.graphmeta.engine;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchivedVersion;
import io.graphmeta.archive.RetentionPolicy;
import io.graphmeta.archive.RetentionReport;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.ArchivedVersions;
import io.graphmeta.node.RestoredArchive;
import io.graphmeta.node.RetentionRun;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Drops what a policy does not keep of a database, into archives, and puts it back. An embedded
 * database is opened by nobody else meanwhile, unless this process has it open; a cluster goes on.
 * Safe for use by many threads; one run at a time.
 */
public final class DroppedVersions {
  private DroppedVersions() {}

  /**
   * Tells what a policy would drop at a moment.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN} if somebody has an embedded database open to
   *     write, {@code NOT_FOUND} if the policy names a label that is not there, and what {@link
   *     GraphDatabases#open} throws
   */
  public static RetentionReport look(GraphMetaConfig config, RetentionPolicy policy, Instant now) {
    if (config.inCluster()) {
      try (GraphDatabase database = GraphDatabases.open(config)) {
        return look(database, policy, now);
      }
    }
    settle(config);
    return RetentionRun.look(config, policy, now);
  }

  /** As above, for an open database. */
  public static RetentionReport look(GraphDatabase database, RetentionPolicy policy, Instant now) {
    return RetentionRun.look(((RoutedDatabase) database).retained(), policy, now);
  }

  /**
   * Archives and drops what a policy does not keep at a moment. Views below what the report tells
   * as watermark fail from then on, as writes for these times do, with {@code BELOW_WATERMARK}.
   * What is done when the process ends before is either nothing, or done by the next run.
   *
   * @param archives the directory of archives, which is made if it is not there
   * @param progress is told the number of rows dropped so far
   * @throws GraphMetaException as {@link #look} does; {@code STORAGE_FAILURE} or {@code CORRUPTION}
   *     if the archive cannot be written or read back, and nothing is dropped then
   */
  public static RetentionReport drop(
      GraphMetaConfig config,
      RetentionPolicy policy,
      Instant now,
      Path archives,
      LongConsumer progress) {
    if (config.inCluster()) {
      try (GraphDatabase database = GraphDatabases.open(config)) {
        return drop(database, policy, now, archives, progress);
      }
    }
    settle(config);
    return RetentionRun.run(config, policy, now, archives, FileOperations.ON_DISK, progress);
  }

  /**
   * As above, for an open database, which may be read and written meanwhile, by other processes
   * too. What was asked before, and is not answered when the watermark has passed it, fails with
   * {@code BELOW_WATERMARK}. Room is given back later, as files are compacted.
   */
  public static RetentionReport drop(
      GraphDatabase database,
      RetentionPolicy policy,
      Instant now,
      Path archives,
      LongConsumer progress) {
    return RetentionRun.run(
        ((RoutedDatabase) database).retained(),
        policy,
        now,
        archives,
        FileOperations.ON_DISK,
        progress);
  }

  /**
   * Puts what an archive holds back into the database that it was dropped from, or into one that
   * was restored from a later backup of it. Views that its watermark has kept out are answered
   * again.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such archive, {@code
   *     MISMATCHED_SETTINGS} if the database misses nothing of it, {@code CORRUPTION} that names a
   *     damaged file, {@code ALREADY_OPEN}
   */
  public static Archive restore(GraphMetaConfig config, Path archives, String name) {
    settle(config);
    return RestoredArchive.restore(config, archives, name);
  }

  /** The names of the archives that hold what a database misses, oldest first. */
  public static List<String> missed(GraphMetaConfig config) {
    settle(config);
    return RestoredArchive.missed(config);
  }

  /**
   * Reads the versions that an archive holds, without a database: element by element in the order
   * of their keys, of each the newest versions first.
   *
   * @throws GraphMetaException {@code CORRUPTION} if a file is not as it was written
   */
  public static void read(Path archives, Archive archive, Consumer<ArchivedVersion> receiver) {
    ArchivedVersions.forEach(archives, archive, receiver);
  }

  /** All outcomes are known, and noted, when a database has been opened and closed. */
  private static void settle(GraphMetaConfig config) {
    if (config.inCluster()) {
      throw GraphMetaException.invalid(
          "An archive is restored into an embedded database that nobody has open, such as a copy of"
              + " a cluster that was restored from a backup; expected the directory of one");
    }
    EmbeddedDatabase.open(config.with(Setting.CREATE, "false"), InstantSource.system()).close();
  }
}
