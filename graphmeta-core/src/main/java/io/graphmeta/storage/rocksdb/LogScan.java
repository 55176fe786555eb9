package io.graphmeta.storage.rocksdb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the logs that a store would replay, in their order, and tells how far they lead. The rows
 * of an entry have the sequence numbers that follow those of the entry before, over the borders of
 * files too; so a log that was cut, put back from a copy, or taken away shows as a number that is
 * not the next. Where the row of entries breaks, what follows is only asked what it {@linkplain
 * LogClaim claims}.
 *
 * <p>Where a later file goes on with the next number the row does not break: what is damaged before
 * it was written by a run that went on in a new file, and was never taken.
 *
 * <p>Belongs to one thread.
 */
final class LogScan {
  /** Where the row of entries breaks: the number of the log, the end of what is whole, and why. */
  record Break(long log, Path file, long position, String reason) {}

  private long next = -1;
  private long newest = -1;
  private long synced = -1;
  private long inTables = -1;
  private boolean hasEntryWithoutClaim;
  private @Nullable Break broken;

  private final long inTableFiles;
  private final long lastRow;

  private LogScan(long inTableFiles, long lastRow) {
    this.inTableFiles = inTableFiles;
    this.lastRow = lastRow;
  }

  /**
   * Reads files, by their numbers.
   *
   * @param inTableFiles the newest row in a table file that was written since the store was opened
   * @param lastRow the last row that counts: the logs break behind it
   */
  static LogScan of(SortedMap<Long, Path> logs, long inTableFiles, long lastRow)
      throws IOException {
    LogScan scan = new LogScan(inTableFiles, lastRow);
    for (Map.Entry<Long, Path> log : logs.entrySet()) {
      try (LogFileReader reader = LogFileReader.of(log.getValue(), LogClaim.ENTRY_BYTES)) {
        scan.read(log.getKey(), log.getValue(), reader);
      }
    }
    return scan;
  }

  private void read(long log, Path file, LogFileReader reader) throws IOException {
    boolean isFirst = true;
    while (reader.next()) {
      ByteBuffer entry = reader.record();
      boolean isEntry = entry.remaining() >= LogClaim.HEADER_BYTES;
      long sequence = isEntry ? entry.getLong(0) : -1;
      if (!isEntry || reader.isBehindDamage()) {
        breakAt(log, file, reader.goodEnd(), damage(reader));
      } else if (lastOf(entry, sequence) > lastRow) {
        breakAt(log, file, reader.recordFrom(), "row " + sequence + " is behind the last cut");
      } else if (isFirst && sequence == next && broken != null) {
        broken = null;
      } else {
        long expected = expected(entry);
        if (expected >= 0 && (isFirst ? sequence > expected : sequence != expected)) {
          String reason = "row " + sequence + " is there where row " + expected + " was expected";
          breakAt(log, file, reader.recordFrom(), reason);
        }
      }
      if (isEntry) {
        take(entry, sequence);
      }
      isFirst = false;
    }
    if (reader.isBehindDamage()) {
      breakAt(log, file, reader.goodEnd(), damage(reader));
    }
  }

  private static long lastOf(ByteBuffer entry, long sequence) {
    return sequence + entry.getInt(LogClaim.COUNT_OFFSET) - 1;
  }

  /** The number that an entry must have; -1 if that is not known. */
  private long expected(ByteBuffer entry) {
    LogClaim claim = LogClaim.of(entry);
    return next >= 0 || claim == null ? next : 1 + Math.max(claim.inTables(), inTableFiles);
  }

  private static String damage(LogFileReader reader) {
    return reader.isBehindDamage() ? "the bytes there are damaged" : "an entry is too short";
  }

  private void take(ByteBuffer entry, long sequence) {
    long behind = 1 + lastOf(entry, sequence);
    newest = Math.max(newest, behind - 1);
    if (broken == null) {
      next = Math.max(next, behind);
    }
    LogClaim claim = LogClaim.of(entry);
    if (claim == null) {
      hasEntryWithoutClaim = true;
    } else {
      synced = Math.max(synced, claim.synced());
      inTables = Math.max(inTables, claim.inTables());
    }
  }

  private void breakAt(long log, Path file, long position, String reason) {
    if (broken == null) {
      broken = new Break(log, file, position, reason);
    }
  }

  /** Where the row of entries breaks for good, or null if it does not. */
  @Nullable Break broken() {
    return broken;
  }

  /** The last row before the break or the end, or -1 if there is none. */
  long reached() {
    return next - 1 < 0 ? -1 : next - 1;
  }

  /** The newest row of any whole entry, or -1. */
  long newest() {
    return newest;
  }

  /** The greatest row that an entry claims to have been synced before it, or -1. */
  long synced() {
    return synced;
  }

  /** The greatest row that an entry claims to have been in table files before it, or -1. */
  long inTables() {
    return inTables;
  }

  /** True if all entries have a claim; those of older versions have none. */
  boolean allEntriesClaim() {
    return !hasEntryWithoutClaim;
  }
}
