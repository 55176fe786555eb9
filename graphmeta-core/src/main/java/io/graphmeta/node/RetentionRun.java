package io.graphmeta.node;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.ArchivedRows;
import io.graphmeta.archive.RetentionPolicy;
import io.graphmeta.archive.RetentionReport;
import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.FileDigest;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.shard.retention.ExpiredRows;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.rocksdb.RowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Drops the versions of a database that a policy does not keep.
 *
 * <p>The order of the steps is what nothing is lost and nothing answered wrongly by, wherever the
 * process ends:
 *
 * <ol>
 *   <li>The rows are written to an archive, which is synced, read back, and gets its name.
 *   <li>All shards note what will be missing, synced: from here on they refuse views below.
 *   <li>Exactly the rows that are in the archive are deleted.
 *   <li>The room of the rows is given back, and indexes are built anew.
 * </ol>
 *
 * A run that was cut off is followed by another one, which finds the rows that are still there.
 * Belongs to one thread.
 */
public final class RetentionRun {
  private static final Family[] ARCHIVED = {Family.ATTRIBUTES, Family.OUT, Family.IN};
  private static final int BATCH_BYTES = 1 << 18;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final RetainedShards shards;
  private final SchemaImage names;
  private final LongConsumer progress;
  private final Map<String, long[]> found = new TreeMap<>();
  private final Map<Integer, Long> vertexLabels = new TreeMap<>();
  private final Map<Integer, Long> edgeLabels = new TreeMap<>();
  private long dropped;

  private RetentionRun(RetainedShards shards, LongConsumer progress) {
    this.shards = shards;
    this.progress = progress;
    this.names = shards.names();
  }

  /**
   * Tells what a policy would drop at a moment; nothing is changed.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN} if the database is open, {@code NOT_FOUND} if
   *     the policy names a label that is not there, and what opening a database throws
   */
  public static RetentionReport look(GraphMetaConfig config, RetentionPolicy policy, Instant now) {
    try (OwnedStores owned = OwnedStores.open(config)) {
      return look(new OwnedShards(owned), policy, now);
    }
  }

  /** As above, for shards that may be at work. */
  public static RetentionReport look(RetainedShards shards, RetentionPolicy policy, Instant now) {
    RetentionRun run = new RetentionRun(shards, rows -> {});
    Horizons horizons = run.horizons(policy, now);
    for (int shard = 0; shard < shards.count(); shard++) {
      for (Family family : ARCHIVED) {
        shards.expired(
            shard,
            family,
            horizons,
            (key, keyLength, value, valueLength) ->
                run.count(family, horizons, key, keyLength + valueLength));
      }
    }
    long bytes = shards.bytesOnDisk();
    return run.report(null, run.found().newest(), bytes, bytes);
  }

  /**
   * Archives and drops what a policy does not keep at a moment.
   *
   * @param archives the directory of archives
   * @param progress is told the number of rows dropped so far, before the first and from time to
   *     time
   * @throws GraphMetaException as {@link #look} does; {@code STORAGE_FAILURE} and {@code
   *     CORRUPTION} if the archive cannot be written or read back, and nothing is dropped then
   */
  public static RetentionReport run(
      GraphMetaConfig config,
      RetentionPolicy policy,
      Instant now,
      Path archives,
      FileOperations operations,
      LongConsumer progress) {
    RetentionReport report;
    try (OwnedStores owned = OwnedStores.open(config)) {
      report = run(new OwnedShards(owned), policy, now, archives, operations, progress);
    }
    if (report.archive() == null) {
      return report;
    }
    // Logs and tables that are not needed any more are removed by the time a store is opened again.
    try (OwnedStores again = OwnedStores.open(config)) {
      return new RetentionReport(
          report.archive(),
          report.labels(),
          report.watermark(),
          report.bytesBefore(),
          again.bytesOnDisk());
    }
  }

  /** As above, for shards that may be at work; the bytes afterwards are those of now. */
  public static RetentionReport run(
      RetainedShards shards,
      RetentionPolicy policy,
      Instant now,
      Path archives,
      FileOperations operations,
      LongConsumer progress) {
    return new RetentionRun(shards, progress)
        .run(policy, now, new ArchiveDirectory(archives, operations));
  }

  private Horizons horizons(RetentionPolicy policy, Instant now) {
    policy.requireLabels(names);
    long settled = shards.settled();
    return new Horizons(
        policy.horizons(now, settled, names, NameKind.VERTEX_LABEL),
        policy.horizons(now, settled, names, NameKind.EDGE_LABEL));
  }

  private RetentionReport run(RetentionPolicy policy, Instant now, ArchiveDirectory archives) {
    long before = shards.bytesOnDisk();
    Horizons horizons = horizons(policy, now);
    Archive archive = archives.add(directory -> write(directory, horizons, now));
    if (archive == null) {
      return report(null, 0, before, before);
    }
    progress.accept(0);
    shards.note(archive.name(), found());
    progress.accept(0);
    archive.files().forEach(file -> drop(archive.name(), archives.of(archive.name()), file));
    shards.end(archive.name());
    return report(archive, archive.watermark(), before, shards.bytesOnDisk());
  }

  // The archive

  private @Nullable Archive write(Path directory, Horizons horizons, Instant now)
      throws IOException {
    List<ArchivedRows> files = new ArrayList<>();
    for (int shard = 0; shard < shards.count(); shard++) {
      for (Family family : ARCHIVED) {
        ArchivedRows written = write(directory, horizons, shard, family);
        if (written != null) {
          files.add(written);
        }
      }
    }
    if (files.isEmpty()) {
      return null;
    }
    Horizons gone = found();
    List<Archive.Label> labels = new ArrayList<>();
    gone.vertices()
        .forEach((id, at) -> labels.add(new Archive.Label(NameKind.VERTEX_LABEL, id, at)));
    gone.edges().forEach((id, at) -> labels.add(new Archive.Label(NameKind.EDGE_LABEL, id, at)));
    BackedUpDatabase database = shards.databaseAt(gone.newest());
    return new Archive(
        NAME.format(now),
        database.identity(),
        database.format(),
        database.shards(),
        now,
        gone.newest(),
        labels,
        names.entries(),
        files);
  }

  private @Nullable ArchivedRows write(Path directory, Horizons horizons, int shard, Family family)
      throws IOException {
    Path file = directory.resolve(ArchivedRows.fileName(shard, family.name()));
    LazyFile lazy = new LazyFile(file);
    try (lazy) {
      shards.expired(
          shard,
          family,
          horizons,
          (key, keyLength, value, valueLength) -> {
            count(family, horizons, key, keyLength + valueLength);
            lazy.writer().add(key, keyLength, value, valueLength);
          });
      RowFile.Writer written = lazy.begun;
      if (written == null) {
        return null;
      }
      written.finish();
      long[] rows = new long[1];
      RowFile.read(file, (key, value) -> rows[0]++);
      if (rows[0] != written.rows()) {
        throw GraphMetaException.internal(
            file + " has " + rows[0] + " rows; " + written.rows() + " were written");
      }
      return new ArchivedRows(
          shard, family.name(), written.rows(), written.bytes(), FileDigest.of(file));
    }
  }

  /** A file that is there when it has a row, since one without rows cannot be ended. */
  private static final class LazyFile implements AutoCloseable {
    private final Path file;
    private RowFile.@Nullable Writer begun;

    LazyFile(Path file) {
      this.file = file;
    }

    RowFile.Writer writer() {
      RowFile.Writer writer = begun;
      if (writer == null) {
        writer = new RowFile.Writer(file);
        begun = writer;
      }
      return writer;
    }

    @Override
    public void close() {
      if (begun != null) {
        begun.close();
      }
    }
  }

  // Dropping

  private void drop(String archive, Path directory, ArchivedRows file) {
    Family family = Family.valueOf(file.family());
    List<byte[]> keys = new ArrayList<>();
    int[] bytes = new int[1];
    RowFile.read(
        directory.resolve(file.fileName()),
        (key, value) -> {
          keys.add(key);
          bytes[0] += key.length;
          if (bytes[0] >= BATCH_BYTES) {
            drop(archive, file.shard(), family, keys);
            bytes[0] = 0;
          }
        });
    drop(archive, file.shard(), family, keys);
  }

  private void drop(String archive, int shard, Family family, List<byte[]> keys) {
    if (!keys.isEmpty()) {
      shards.drop(archive, shard, family, keys);
      dropped += keys.size();
      keys.clear();
      progress.accept(dropped);
    }
  }

  // What is told

  private void count(Family family, Horizons horizons, byte[] key, long bytes) {
    boolean ofVertex = family == Family.ATTRIBUTES;
    NameKind kind = ofVertex ? NameKind.VERTEX_LABEL : NameKind.EDGE_LABEL;
    int label =
        ofVertex ? VertexKeys.labelId(BigEndian.getLong(key, 0)) : BigEndian.getShort(key, 8);
    (ofVertex ? vertexLabels : edgeLabels).put(label, ExpiredRows.horizon(horizons, family, key));
    String what = (ofVertex ? "vertex " : "edge ") + names.name(kind, label);
    long[] sums = found.computeIfAbsent(what, none -> new long[2]);
    sums[0]++;
    sums[1] += bytes;
  }

  /** The horizons of the labels of which rows were found. */
  private Horizons found() {
    return new Horizons(vertexLabels, edgeLabels);
  }

  private RetentionReport report(
      @Nullable Archive archive, long watermark, long bytesBefore, long bytesAfter) {
    List<RetentionReport.OfLabel> labels = new ArrayList<>();
    found.forEach(
        (what, sums) -> {
          String[] parts = what.split(" ", 2);
          labels.add(new RetentionReport.OfLabel(parts[0], parts[1], sums[0], sums[1]));
        });
    return new RetentionReport(archive, labels, watermark, bytesBefore, bytesAfter);
  }
}
