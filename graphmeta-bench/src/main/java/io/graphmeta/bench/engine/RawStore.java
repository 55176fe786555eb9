package io.graphmeta.bench.engine;

import io.graphmeta.storage.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB as its Java binding offers it, with the families and options of the engine and nothing
 * around it: the measure of what the engine could reach. Writes are safe for use by several
 * threads.
 */
public final class RawStore implements AutoCloseable {
  private final RocksDB db;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();
  private final Deque<AbstractNativeReference> owned = new ArrayDeque<>();
  private final WriteOptions write;
  private final ReadOptions read;
  private final ReadOptions totalOrderRead;

  static {
    RocksDB.loadLibrary();
  }

  /**
   * Opens the store in a directory, and creates it if there is none.
   *
   * @param vertexPrefixBytes length of the vertex keys that rows begin with, for prefix filters; 0
   *     if it varies
   */
  public RawStore(Path directory, int vertexPrefixBytes, boolean sync) throws IOException {
    LRUCache cache = own(new LRUCache(256L << 20, -1, false, 0.5));
    BloomFilter filter = own(new BloomFilter(10, false));
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(
        new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, own(new ColumnFamilyOptions())));
    for (Family family : Family.values()) {
      int prefixBytes = family.byVertex() ? vertexPrefixBytes : 0;
      BlockBasedTableConfig table =
          new BlockBasedTableConfig()
              .setBlockCache(cache)
              .setBlockSize(16 << 10)
              .setFormatVersion(6)
              .setFilterPolicy(filter)
              .setWholeKeyFiltering(prefixBytes == 0)
              .setCacheIndexAndFilterBlocks(true)
              .setCacheIndexAndFilterBlocksWithHighPriority(true)
              .setPinL0FilterAndIndexBlocksInCache(true);
      ColumnFamilyOptions options =
          own(new ColumnFamilyOptions())
              .setWriteBufferSize(64L << 20)
              .setMaxWriteBufferNumber(3)
              .setLevelCompactionDynamicLevelBytes(true)
              .setCompressionType(CompressionType.LZ4_COMPRESSION)
              .setBottommostCompressionType(CompressionType.LZ4HC_COMPRESSION)
              .setTableFormatConfig(table);
      if (prefixBytes > 0) {
        options.useFixedLengthPrefixExtractor(prefixBytes);
      }
      descriptors.add(
          new ColumnFamilyDescriptor(
              family.name().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8), options));
    }
    DBOptions options =
        own(new DBOptions())
            .setCreateIfMissing(true)
            .setCreateMissingColumnFamilies(true)
            .setMaxBackgroundJobs(2)
            .setBytesPerSync(1 << 20)
            .setMaxTotalWalSize(256L << 20);
    write = own(new WriteOptions()).setSync(sync);
    read = own(new ReadOptions());
    totalOrderRead = own(new ReadOptions()).setTotalOrderSeek(true);
    if (vertexPrefixBytes > 0) {
      read.setPrefixSameAsStart(true);
    }
    try {
      db = RocksDB.open(options, directory.toString(), descriptors, handles);
    } catch (RocksDBException e) {
      throw new IOException("Could not open raw RocksDB in " + directory, e);
    }
  }

  private <T extends AbstractNativeReference> T own(T reference) {
    owned.push(reference);
    return reference;
  }

  private ColumnFamilyHandle handle(Family family) {
    return handles.get(1 + family.ordinal());
  }

  /** Adds a row to a batch. */
  public void put(WriteBatch batch, Family family, byte[] key, byte[] value) throws IOException {
    try {
      batch.put(handle(family), key, value);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** Writes a batch and empties it. */
  public void commit(WriteBatch batch) throws IOException {
    try {
      db.write(write, batch);
      batch.clear();
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** The value of a row; null if there is none. */
  public byte @Nullable [] get(Family family, byte[] key) throws IOException {
    try {
      return db.get(handle(family), key);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** An iterator over the rows of a vertex, if vertex keys have one length, else over all rows. */
  public RocksIterator rows(Family family) {
    return db.newIterator(handle(family), read);
  }

  /** An iterator over all rows of a family. */
  RocksIterator allRows(Family family) {
    return db.newIterator(handle(family), totalOrderRead);
  }

  /** Writes all rows to files and merges the files of each family into one level. */
  public void compact() throws IOException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true);
        CompactRangeOptions force =
            new CompactRangeOptions()
                .setBottommostLevelCompaction(
                    CompactRangeOptions.BottommostLevelCompaction.kForce)) {
      db.flush(flush, handles);
      for (ColumnFamilyHandle handle : handles) {
        db.compactRange(handle, null, null, force);
      }
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** Size of the sorted files of all families, in bytes. */
  public long tableBytes() throws IOException {
    long bytes = 0;
    try {
      for (ColumnFamilyHandle handle : handles) {
        bytes += db.getLongProperty(handle, "rocksdb.live-sst-files-size");
      }
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
    return bytes;
  }

  /** The first bytes of a row of an iterator are these. */
  static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public void close() {
    db.close();
    while (!owned.isEmpty()) {
      owned.pop().close();
    }
  }
}
