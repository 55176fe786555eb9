package io.graphmeta.storage.rocksdb;

import io.graphmeta.storage.Family;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.Filter;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteOptions;

/**
 * All native objects of one open database but its iterators, opened together and closed together in
 * the order that RocksDB needs. The store makes sure that {@link #close} comes last.
 */
final class NativeStore implements AutoCloseable {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int FILTER_BITS_PER_KEY = 10;
  private static final int TABLE_FORMAT_VERSION = 6;
  private static final long SYNC_CHUNK_BYTES = 1 << 20;

  /** What of the cache indexes and filters may take before blocks of rows push them out. */
  private static final double INDEX_SHARE_OF_CACHE = 0.5;

  final RocksDB db;

  /** With both, writes are given back that would have to wait: see {@link StalledWrites}. */
  final WriteOptions syncWrite;

  final WriteOptions backgroundWrite;

  /** For a store without a log. */
  final WriteOptions unloggedWrite;

  final ReadOptions totalOrderRead;
  final ReadOptions vertexRead;

  /** Lets tables be written; null if they need not wait. */
  private final @Nullable FlushGate flushes;

  private final Map<Family, ColumnFamilyHandle> handles = new EnumMap<>(Family.class);

  private final int[] familyIds = new int[Family.values().length];

  /** What to close after the database, last opened first. */
  private final Deque<AbstractNativeReference> owned;

  static {
    RocksDB.loadLibrary();
  }

  private NativeStore(
      RocksDB db,
      List<ColumnFamilyHandle> opened,
      Deque<AbstractNativeReference> owned,
      @Nullable FlushGate flushes) {
    this.db = db;
    this.flushes = flushes;
    this.owned = owned;
    for (Family family : Family.values()) {
      ColumnFamilyHandle handle = opened.get(1 + family.ordinal());
      handles.put(family, handle);
      familyIds[family.ordinal()] = handle.getID();
    }
    syncWrite = own(new WriteOptions().setNoSlowdown(true).setSync(true));
    backgroundWrite = own(new WriteOptions().setNoSlowdown(true));
    unloggedWrite = own(new WriteOptions().setNoSlowdown(true).setDisableWAL(true));
    totalOrderRead = own(new ReadOptions().setTotalOrderSeek(true));
    vertexRead = own(new ReadOptions().setPrefixSameAsStart(true));
  }

  /** Names of all column families, the empty default one included. */
  static Set<String> familyNames() {
    Set<String> names = new TreeSet<>();
    names.add(new String(RocksDB.DEFAULT_COLUMN_FAMILY, StandardCharsets.UTF_8));
    for (Family family : Family.values()) {
      names.add(nameOf(family));
    }
    return names;
  }

  /** Those that every store has; the others are made when a store without them is opened. */
  static Set<String> requiredFamilyNames() {
    Set<String> names = familyNames();
    // Empty in a store that was written without them.
    names.remove(nameOf(Family.SPLITS));
    names.remove(nameOf(Family.CHANGED));
    return names;
  }

  private static String nameOf(Family family) {
    return family.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Opens the database, or creates it.
   *
   * @param cuts what tables wait for, if for anything
   * @param logsAreWhole whether the logs are as RocksDB left them, so that it can tell what is
   *     missing of them
   */
  static NativeStore open(
      Path directory, RocksDbSettings settings, @Nullable LogCuts cuts, boolean logsAreWhole)
      throws RocksDBException {
    DBOptions options =
        databaseOptions(
                settings,
                logsAreWhole && settings.logRecovery() == RocksDbSettings.LogRecovery.REFUSE_DAMAGE)
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setMaxOpenFiles(settings.maxOpenFiles());
    FlushGate flushes = null;
    if (cuts != null) {
      flushes = new FlushGate(cuts);
      options.setListeners(List.of(flushes));
    }
    return open(
        settings,
        options,
        flushes,
        (families, opened) -> RocksDB.open(options, directory.toString(), families, opened));
  }

  /**
   * Opens the database beside the process that writes it, to read it as it is now. All its files
   * are kept open, so that none is missed that the writer removes.
   *
   * @param notes a directory for what RocksDB has to say, which it cannot say in the other
   */
  static NativeStore openToRead(Path directory, Path notes, RocksDbSettings settings)
      throws RocksDBException {
    DBOptions options = databaseOptions(settings, false).setMaxOpenFiles(-1);
    return open(
        settings,
        options,
        null,
        (families, opened) -> {
          RocksDB db =
              RocksDB.openAsSecondary(
                  options, directory.toString(), notes.toString(), families, opened);
          boolean done = false;
          try {
            db.tryCatchUpWithPrimary();
            done = true;
            return db;
          } finally {
            if (!done) {
              db.close();
            }
          }
        });
  }

  /** Opens a database with its families, of which the handles are put into a list. */
  private interface Opening {
    RocksDB open(List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> opened)
        throws RocksDBException;
  }

  private static NativeStore open(
      RocksDbSettings settings, DBOptions options, @Nullable FlushGate flushes, Opening opening)
      throws RocksDBException {
    Deque<AbstractNativeReference> owned = new ArrayDeque<>();
    if (flushes != null) {
      owned.push(flushes);
    }
    owned.push(options);
    boolean done = false;
    try {
      Cache cache = new LRUCache(settings.blockCacheBytes(), -1, false, INDEX_SHARE_OF_CACHE);
      owned.push(cache);
      Filter filter = new BloomFilter(FILTER_BITS_PER_KEY, false);
      owned.push(filter);
      List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
      ColumnFamilyOptions defaultOptions = new ColumnFamilyOptions().setWriteBufferSize(1 << 16);
      owned.push(defaultOptions);
      descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, defaultOptions));
      for (Family family : Family.values()) {
        ColumnFamilyOptions familyOptions = familyOptions(family, settings, cache, filter);
        owned.push(familyOptions);
        descriptors.add(
            new ColumnFamilyDescriptor(
                nameOf(family).getBytes(StandardCharsets.UTF_8), familyOptions));
      }
      List<ColumnFamilyHandle> opened = new ArrayList<>();
      RocksDB db = opening.open(descriptors, opened);
      NativeStore store = new NativeStore(db, opened, owned, flushes);
      done = true;
      return store;
    } finally {
      if (!done) {
        closeAll(owned);
      }
    }
  }

  private static DBOptions databaseOptions(RocksDbSettings settings, boolean trackedLogs) {
    return trackedLogs(trackedLogs)
        .setParanoidChecks(true)
        .setMaxBackgroundJobs(settings.backgroundJobs())
        .setBytesPerSync(SYNC_CHUNK_BYTES)
        // Without a log, what is in tables is all of what was written up to some row.
        .setAtomicFlush(!settings.hasLog())
        .setMaxTotalWalSize(4 * settings.writeBufferBytes())
        // What is found in the log is in tables, and so on the disk, before anybody asks: other
        // shards forget what this one has written down.
        .setAvoidFlushDuringRecovery(false)
        .setWalRecoveryMode(
            settings.logRecovery() == RocksDbSettings.LogRecovery.REFUSE_DAMAGE
                ? WALRecoveryMode.TolerateCorruptedTailRecords
                : WALRecoveryMode.PointInTimeRecovery)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setMaxLogFileSize(1 << 20)
        .setKeepLogFileNum(4)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  /**
   * Options with which RocksDB notes what it has synced of logs that it writes no more, and misses
   * them when it opens. The binding has no method for this.
   */
  private static DBOptions trackedLogs(boolean tracked) {
    Properties properties = new Properties();
    properties.setProperty("track_and_verify_wals_in_manifest", Boolean.toString(tracked));
    return Objects.requireNonNull(
        DBOptions.getDBOptionsFromProps(properties), "this RocksDB cannot track logs");
  }

  /**
   * Options of one family. The level that holds nearly all rows is compressed by what takes long to
   * compress and little to read (ADR 0016); older files in other forms stay readable. Compaction
   * filters, should there ever be any, belong here: set on {@code Options} they abort the virtual
   * machine.
   */
  private static ColumnFamilyOptions familyOptions(
      Family family, RocksDbSettings settings, Cache cache, Filter filter) {
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(cache)
            .setBlockSize(BLOCK_BYTES)
            .setFormatVersion(TABLE_FORMAT_VERSION)
            .setFilterPolicy(filter)
            .setWholeKeyFiltering(!family.byVertex())
            .setCacheIndexAndFilterBlocks(true)
            .setCacheIndexAndFilterBlocksWithHighPriority(true)
            .setPinL0FilterAndIndexBlocksInCache(true);
    ColumnFamilyOptions options =
        new ColumnFamilyOptions()
            .setWriteBufferSize(settings.writeBufferBytes())
            .setMaxWriteBufferNumber(3)
            .setLevelCompactionDynamicLevelBytes(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setBottommostCompressionType(CompressionType.LZ4HC_COMPRESSION)
            .setTableFormatConfig(table);
    return family.byVertex()
        ? options.useFixedLengthPrefixExtractor(Family.VERTEX_PREFIX_BYTES)
        : options;
  }

  /** The column family of a family. */
  ColumnFamilyHandle handle(Family family) {
    return Objects.requireNonNull(handles.get(family));
  }

  /** The ids of the column families of all families, by ordinal. Not to be changed. */
  int[] familyIds() {
    return familyIds;
  }

  /** A count that is another whenever RocksDB has begun a buffer of rows or a file of the log. */
  long version() throws RocksDBException {
    return db.getAggregatedLongProperty("rocksdb.current-super-version-number");
  }

  /** How often tables could not be written since the store was opened. */
  long failedTables() throws RocksDBException {
    return db.getLongProperty("rocksdb.background-errors");
  }

  /** Bytes in a second to which RocksDB slows writes down; 0 if it does not. */
  long slowedToBytes() throws RocksDBException {
    return db.getLongProperty("rocksdb.actual-delayed-write-rate");
  }

  private <T extends AbstractNativeReference> T own(T reference) {
    owned.push(reference);
    return reference;
  }

  /**
   * Lets tables go that wait to be written. They are not taken any more: RocksDB looks, when it has
   * written one, whether it was told to end.
   */
  void endFlushes() {
    if (flushes != null) {
      db.cancelAllBackgroundWork(false);
      flushes.open();
    }
  }

  /**
   * Closes the database and then all that it was opened with, even if closing the database fails.
   */
  @Override
  public void close() throws RocksDBException {
    try {
      db.closeE();
    } finally {
      closeAll(owned);
    }
  }

  private static void closeAll(Deque<AbstractNativeReference> owned) {
    while (!owned.isEmpty()) {
      owned.pop().close();
    }
  }
}
