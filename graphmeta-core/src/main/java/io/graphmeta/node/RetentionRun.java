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
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.index.IndexFollower;
import io.graphmeta.shard.retention.DroppedHistory;
import io.graphmeta.shard.retention.ExpiredRows;
import io.graphmeta.shard.retention.Horizons;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import io.graphmeta.storage.rocksdb.RowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
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
 *   <li>The stores of all shards note what will be missing, synced: from here on shards refuse
 *       views below. The note of the index goes with the same batch, so that the index is built
 *       anew.
 *   <li>Exactly the rows that are in the archive are deleted.
 *   <li>The stores are synced and compacted.
 * </ol>
 *
 * A run that was cut off is followed by another one, which finds the rows that are still there. Its
 * stores are open to nobody else meanwhile, so that the watermark passes no open read, backup or
 * split. Who reads the directory as it was when they opened it goes on with the files of that time.
 * Belongs to one thread.
 */
public final class RetentionRun {
  private static final Family[] ARCHIVED = {Family.ATTRIBUTES, Family.OUT, Family.IN};
  private static final int BATCH_BYTES = 1 << 20;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final OwnedStores owned;
  private final List<StorageEngine> stores;
  private final SchemaImage names;
  private final long settled;
  private final LongConsumer progress;
  private final Map<String, long[]> found = new TreeMap<>();
  private long dropped;

  private RetentionRun(OwnedStores owned, LongConsumer progress) {
    this.owned = owned;
    this.stores = owned.all();
    this.progress = progress;
    this.names = Shard.storedNames(stores);
    boolean whole = stores.size() == 1;
    this.settled =
        stores.stream().mapToLong(store -> Shard.settledStamp(store, whole)).min().orElse(0);
  }

  /**
   * Tells what a policy would drop at a moment; nothing is changed.
   *
   * @throws GraphMetaException {@code ALREADY_OPEN} if the database is open, {@code NOT_FOUND} if
   *     the policy names a label that is not there, and what opening a database throws
   */
  public static RetentionReport look(GraphMetaConfig config, RetentionPolicy policy, Instant now) {
    try (OwnedStores owned = OwnedStores.open(config)) {
      RetentionRun run = new RetentionRun(owned, rows -> {});
      ExpiredRows expired = new ExpiredRows(run.horizons(policy, now));
      for (StorageEngine store : run.stores) {
        for (Family family : ARCHIVED) {
          expired.forEach(
              store,
              family,
              (key, keyLength, value, valueLength) ->
                  run.count(family, key, keyLength + valueLength));
        }
      }
      long bytes = owned.bytesOnDisk();
      return run.report(null, expired.found().newest(), bytes, bytes);
    }
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
      report =
          new RetentionRun(owned, progress)
              .run(policy, now, new ArchiveDirectory(archives, operations));
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

  private Horizons horizons(RetentionPolicy policy, Instant now) {
    policy.requireLabels(names);
    return new Horizons(
        policy.horizons(now, settled, names, NameKind.VERTEX_LABEL),
        policy.horizons(now, settled, names, NameKind.EDGE_LABEL));
  }

  private RetentionReport run(RetentionPolicy policy, Instant now, ArchiveDirectory archives) {
    long before = owned.bytesOnDisk();
    ExpiredRows expired = new ExpiredRows(horizons(policy, now));
    Archive archive = archives.add(directory -> write(directory, expired, now));
    if (archive == null) {
      return report(null, 0, before, before);
    }
    progress.accept(0);
    note(new DroppedHistory.Run(archive.name(), expired.found()));
    progress.accept(0);
    archive.files().forEach(file -> drop(archives.of(archive.name()), file));
    stores.forEach(StorageEngine::sync);
    for (StorageEngine store : stores) {
      for (Family family : ARCHIVED) {
        store.compact(family);
      }
    }
    return report(archive, archive.watermark(), before, before);
  }

  // The archive

  private @Nullable Archive write(Path directory, ExpiredRows expired, Instant now)
      throws IOException {
    List<ArchivedRows> files = new ArrayList<>();
    for (int shard = 0; shard < stores.size(); shard++) {
      for (Family family : ARCHIVED) {
        ArchivedRows written = write(directory, expired, shard, family);
        if (written != null) {
          files.add(written);
        }
      }
    }
    if (files.isEmpty()) {
      return null;
    }
    Horizons gone = expired.found();
    List<Archive.Label> labels = new ArrayList<>();
    gone.vertices()
        .forEach((id, at) -> labels.add(new Archive.Label(NameKind.VERTEX_LABEL, id, at)));
    gone.edges().forEach((id, at) -> labels.add(new Archive.Label(NameKind.EDGE_LABEL, id, at)));
    BackedUpDatabase database = owned.directory().backedUpAt(gone.newest());
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

  private @Nullable ArchivedRows write(
      Path directory, ExpiredRows expired, int shard, Family family) throws IOException {
    Path file = directory.resolve(ArchivedRows.fileName(shard, family.name()));
    LazyFile lazy = new LazyFile(file);
    try (lazy) {
      expired.forEach(
          stores.get(shard),
          family,
          (key, keyLength, value, valueLength) -> {
            count(family, key, keyLength + valueLength);
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

  private void note(DroppedHistory.Run run) {
    for (StorageEngine store : stores) {
      RowBatch batch = new RowBatch(256);
      DroppedHistory.of(store).with(run).put(batch);
      forgetIndex(store, batch);
      store.write(batch, Durability.SYNC);
    }
  }

  /** The index of a store whose rows change behind its back is of another state, and built anew. */
  static void forgetIndex(StorageEngine store, RowBatch batch) {
    try (RowCursor rows = store.cursor(Family.META, Scope.FAMILY)) {
      for (boolean more = rows.seek(new byte[0], 0); more; more = rows.next()) {
        if (IndexFollower.isNote(rows.key(), rows.keyLength())) {
          batch.delete(Family.META, Arrays.copyOf(rows.key(), rows.keyLength()));
        }
      }
    }
  }

  private void drop(Path archive, ArchivedRows file) {
    Family family = Family.valueOf(file.family());
    try (Deletions deletions = new Deletions(stores.get(file.shard()))) {
      RowFile.read(
          archive.resolve(file.fileName()),
          (key, value) -> {
            deletions.batch.delete(family, key);
            deletions.added();
          });
    }
  }

  /** Deletions from one store, in batches. */
  private final class Deletions implements AutoCloseable {
    private final StorageEngine store;
    private final RowBatch batch = new RowBatch(1 << 16);

    Deletions(StorageEngine store) {
      this.store = store;
    }

    void added() {
      dropped++;
      if (batch.sizeBytes() >= BATCH_BYTES) {
        close();
      }
    }

    @Override
    public void close() {
      if (batch.count() > 0) {
        store.write(batch, Durability.BACKGROUND);
        batch.clear();
        progress.accept(dropped);
      }
    }
  }

  // What is told

  private void count(Family family, byte[] key, long bytes) {
    String what =
        family == Family.ATTRIBUTES
            ? "vertex "
                + names.name(NameKind.VERTEX_LABEL, VertexKeys.labelId(BigEndian.getLong(key, 0)))
            : "edge " + names.name(NameKind.EDGE_LABEL, BigEndian.getShort(key, 8));
    long[] sums = found.computeIfAbsent(what, none -> new long[2]);
    sums[0]++;
    sums[1] += bytes;
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
