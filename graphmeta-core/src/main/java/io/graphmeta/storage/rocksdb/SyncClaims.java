package io.graphmeta.storage.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far the log of an open store is on disk, by RocksDB's sequence numbers: each row that is
 * written has the next. Every entry says so of those before it ({@link LogClaim}), and {@link
 * SyncedFile} of the last. Safe for use by many threads.
 */
final class SyncClaims implements AutoCloseable {
  private final long inTables;
  private final AtomicLong synced;
  private final SyncedFile file;

  /** The claim as bytes, of the number that it was made for. */
  private volatile Encoded encoded;

  private record Encoded(long synced, byte[] bytes) {}

  private SyncClaims(long recovered, SyncedFile file) {
    this.inTables = recovered;
    this.synced = new AtomicLong(recovered);
    this.file = file;
    this.encoded = new Encoded(recovered, new LogClaim(recovered, recovered).encode());
  }

  /**
   * Those of a store that was just opened, which has written all that it found in its logs to table
   * files.
   *
   * @param recovered the sequence number of the newest row
   */
  static SyncClaims begin(Path directory, long recovered) throws IOException {
    return new SyncClaims(
        recovered, SyncedFile.create(directory, new LogClaim(recovered, recovered)));
  }

  /** What the next entry says. Not to be changed. */
  byte[] next() {
    Encoded last = encoded;
    long now = synced.get();
    if (last.synced != now) {
      last = new Encoded(now, new LogClaim(now, inTables).encode());
      encoded = last;
    }
    return last.bytes;
  }

  /** All up to this sequence number is on disk. */
  void synced(long sequence) {
    long before = synced.getAndAccumulate(sequence, Math::max);
    if (before < sequence) {
      file.synced(new LogClaim(sequence, inTables));
    }
  }

  /** A number that no other opening of the store has. */
  long opening() {
    return file.manifest();
  }

  /** The store was closed, and all that it had written is on disk. */
  void closed(Path directory) throws IOException {
    file.closed(directory, new LogClaim(synced.get(), inTables));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
