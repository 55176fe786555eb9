package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.rocksdb.CompressionType;
import org.rocksdb.EnvOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;
import org.rocksdb.SstFileWriter;

/**
 * A table of RocksDB outside of any store: rows in the order of their keys, written once. Each
 * writer and each reader belongs to one thread.
 */
public final class RowFile {
  static {
    RocksDB.loadLibrary();
  }

  private RowFile() {}

  /** Receives the rows of a file. */
  @FunctionalInterface
  public interface Visitor {
    /** One row; the arrays are the receiver's. */
    void row(byte[] key, byte[] value);
  }

  /**
   * Calls a visitor for all rows, by rising keys, after the checksums of all blocks were compared.
   *
   * @throws GraphMetaException {@code CORRUPTION} if the file is not as it was written
   */
  public static void read(Path file, Visitor visitor) {
    try (Options options = new Options();
        ReadOptions read = new ReadOptions().setTotalOrderSeek(true);
        SstFileReader reader = new SstFileReader(options)) {
      reader.open(file.toString());
      reader.verifyChecksum();
      try (SstFileReaderIterator rows = reader.newIterator(read)) {
        for (rows.seekToFirst(); rows.isValid(); rows.next()) {
          visitor.row(rows.key(), rows.value());
        }
        rows.status();
      }
    } catch (RocksDBException e) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, file + " is no table that can be read: " + e.getMessage(), e);
    }
  }

  /** Writes a file, which is not there yet. */
  public static final class Writer implements AutoCloseable {
    private final Path file;
    private final Options options;
    private final EnvOptions environment = new EnvOptions();
    private final SstFileWriter writer;
    private long rows;
    private long bytes;

    /** A file without rows. */
    public Writer(Path file) {
      this.file = file;
      options = new Options().setCompressionType(CompressionType.ZSTD_COMPRESSION);
      writer = new SstFileWriter(environment, options);
      try {
        writer.open(file.toString());
      } catch (RocksDBException e) {
        close();
        throw failure(e);
      }
    }

    /** Adds a row whose key is above those before it. */
    public void add(byte[] key, int keyLength, byte[] value, int valueLength) {
      try {
        writer.put(Arrays.copyOf(key, keyLength), Arrays.copyOf(value, valueLength));
      } catch (RocksDBException e) {
        throw failure(e);
      }
      rows++;
      bytes += keyLength + valueLength;
    }

    /** Number of rows. */
    public long rows() {
      return rows;
    }

    /** Keys and values of all rows, before compression. */
    public long bytes() {
      return bytes;
    }

    /** Ends the file, which has at least one row, and brings it to disk. */
    public void finish() {
      try (FileChannel written = finished()) {
        written.force(true);
      } catch (IOException e) {
        throw failure(e);
      }
    }

    private FileChannel finished() throws IOException {
      try {
        writer.finish();
      } catch (RocksDBException e) {
        throw failure(e);
      }
      return FileChannel.open(file, StandardOpenOption.WRITE);
    }

    private GraphMetaException failure(Exception e) {
      return new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, file + " cannot be written: " + e.getMessage(), e);
    }

    @Override
    public void close() {
      writer.close();
      environment.close();
      options.close();
    }
  }
}
