package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides, before RocksDB opens a store, whether its logs lead as far as they must, and cuts them
 * where they are damaged at an end that nothing says was synced.
 *
 * <p>Two numbers are compared. The logs <i>reach</i> a row: the last that is whole, with no row
 * missing before it. And rows up to another are <i>claimed</i> to have been on disk: by each entry,
 * of those before it ({@link LogClaim}), and by {@link SyncedFile}. Where the logs reach what is
 * claimed, damage behind that is an end that was lost with the power: the files are cut there, and
 * RocksDB reads what is left as it reads any log. Otherwise something was lost that was promised,
 * and the store is not opened.
 *
 * <p>RocksDB's own recovery up to the first damage would not do: it takes empty blocks for nothing
 * written, and a file that ends early for a whole one, and then goes on behind the gap.
 *
 * <p>Where the logs of several stores were {@linkplain LogCuts cut} at one moment, a log goes back
 * to its row of then, and must reach just that: what was synced behind it is given up too.
 *
 * <p>Nothing is thrown away: what is cut off, and files behind it, stay with the ending {@value
 * #GIVEN_UP} until the log is cut again. A cut that is interrupted is done again by the next
 * opening, which finds the same. Belongs to one thread, which holds the store's lock.
 */
final class LogRecovery {
  static final String GIVEN_UP = ".given-up";

  /** The row to go back to, of logs that are not cut. */
  static final long ALL = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);
  private static final Pattern LOG_FILE = Pattern.compile("(\\d+)\\.log");

  private final Path directory;
  private final boolean damageIsAllowed;
  private final long lastRow;
  private final Manifest manifest;
  private final SyncedFile.@Nullable Content last;
  private final SortedMap<Long, Path> logs;
  private final LogScan scan;

  /**
   * Has the class there for a store that is new, and so recovers nothing: one that is first asked
   * for to {@linkplain #sync sync}, by a process without memory, is never there.
   */
  static void prepare() {
    // To be called is all that it takes.
  }

  private LogRecovery(Path directory, boolean damageIsAllowed, long lastRow, Manifest manifest)
      throws IOException {
    this.directory = directory;
    this.lastRow = lastRow;
    this.damageIsAllowed = damageIsAllowed;
    this.manifest = manifest;
    this.last = SyncedFile.read(directory);
    this.logs = logs(directory).tailMap(manifest.firstLog());
    this.scan = LogScan.of(logs, manifest.greatestInTables(), lastRow);
  }

  /**
   * Checks the logs in a directory, and cuts them if that loses nothing that was promised, or if it
   * is allowed all the same.
   *
   * @param lastRow the row to go back to, or {@link #ALL}
   * @throws GraphMetaException {@code CORRUPTION}; nothing was changed then
   */
  static void run(Path directory, RocksDbSettings.LogRecovery setting, long lastRow)
      throws IOException {
    Manifest manifest;
    try {
      manifest = Manifest.read(Manifest.file(directory, Manifest.currentNumber(directory)));
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      LOG.warn(
          "The list of files in {} has a form that is not known ({})", directory, e.toString());
      return; // RocksDB says what it thinks of it.
    }
    boolean damageIsAllowed = setting == RocksDbSettings.LogRecovery.TO_LAST_GOOD_BATCH;
    LogRecovery recovery = new LogRecovery(directory, damageIsAllowed, lastRow, manifest);
    if (lastRow == ALL) {
      recovery.run();
    } else {
      recovery.goBack();
    }
  }

  /**
   * Takes away the part of an entry that the disk refused in the middle, from the end of the log of
   * a store that was just closed. What is left there would look like an end that was lost.
   *
   * @param written the last row that was written; if the log does not lead there, nothing is done
   */
  static void removeRefused(Path directory, long written) throws IOException {
    Manifest manifest = Manifest.read(Manifest.file(directory, Manifest.currentNumber(directory)));
    SortedMap<Long, Path> logs = logs(directory).tailMap(manifest.firstLog());
    LogScan scan = LogScan.of(logs, manifest.greatestInTables(), ALL);
    LogScan.Break broken = scan.broken();
    boolean leadsThere =
        scan.newest() <= written && (scan.reached() < 0 || scan.reached() == written);
    if (broken != null && broken.log() == logs.lastKey() && leadsThere) {
      truncate(broken.file(), broken.position());
    }
  }

  /** Fails if the list of files is older, shorter or less whole than when it was synced last. */
  static void checkManifest(Path directory) throws IOException {
    SyncedFile.Content last = SyncedFile.read(directory);
    long current = Manifest.currentNumber(directory);
    Path file = Manifest.file(directory, current);
    if (last == null || current > last.manifest()) {
      return; // RocksDB writes a new list each time that it opens a store.
    }
    if (current < last.manifest()) {
      throw StorageErrors.damagedFile(
          directory,
          "CURRENT",
          "it names list of files " + current + ", and " + last.manifest() + " was in use");
    }
    if (!Files.exists(file) || Files.size(file) < last.manifestBytes()) {
      throw StorageErrors.damagedFile(
          directory,
          file.getFileName().toString(),
          "it has less than the " + last.manifestBytes() + " bytes that were in use");
    }
    long whole = Manifest.wholeBytes(file);
    if (whole < last.manifestBytes()) {
      throw StorageErrors.damagedFile(
          directory, file.getFileName().toString(), "it is whole up to byte " + whole + " only");
    }
  }

  /** The files of logs in a directory, by their numbers. */
  static SortedMap<Long, Path> logs(Path directory) throws IOException {
    SortedMap<Long, Path> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      files.forEach(
          file -> {
            Matcher name = LOG_FILE.matcher(file.getFileName().toString());
            if (name.matches()) {
              found.put(Long.parseLong(name.group(1)), file);
            }
          });
    }
    return found;
  }

  private void run() throws IOException {
    long reached = reached();
    long claimed = claimed();
    LogScan.Break broken = scan.broken();
    boolean isTold = (last != null || scan.synced() >= 0) && scan.allEntriesClaim();
    boolean isLoss = claimed > reached || isDamagedAtItsBeginning(broken);
    if (isLoss && !damageIsAllowed) {
      throw lost(reached, claimed);
    } else if (broken != null && !isTold && !damageIsAllowed) {
      return; // Of a version that claimed nothing: RocksDB tells a torn end from damage, or
      // refuses.
    }
    if (broken != null) {
      cut(broken, reached, isLoss);
    }
  }

  /** As {@link #run()}, with the last row that counts for all that was promised. */
  private void goBack() throws IOException {
    long inTables = manifest.greatestInTables();
    long reached =
        scan.newest() < 0 && last != null ? Math.max(last.claim().inTables(), inTables) : reached();
    boolean isLoss = reached < lastRow || inTables > lastRow;
    if (isLoss && !damageIsAllowed) {
      throw inTables > lastRow ? ahead(inTables) : lost(reached, lastRow);
    }
    LogScan.Break broken = scan.broken();
    if (broken != null) {
      cut(broken, reached, isLoss);
    }
  }

  private GraphMetaException ahead(long inTables) {
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "The store in "
            + directory
            + " has rows up to "
            + inTables
            + " in table files, and the stores beside it go back to the moment when it had row "
            + lastRow
            + ". Check the disk, put back files that were moved or replaced, or restore the database from a"
            + " backup; or open it with graphmeta.log-recovery=to-last-good-batch to take these rows as they"
            + " are. Nothing was changed");
  }

  /** The last row that is known to have been on disk, with all before it. */
  private long claimed() {
    long inTables = manifest.greatestInTables();
    long synced = Math.max(scan.synced(), inTables);
    return last == null ? synced : Math.max(synced, last.claim().synced());
  }

  /** True if a log is damaged at its first entry that RocksDB has synced to go on to others. */
  private boolean isDamagedAtItsBeginning(LogScan.@Nullable Break broken) {
    return broken != null && scan.reached() < 0 && broken.log() < manifest.syncedBelowLog();
  }

  /** The last row that is there with all before it. */
  private long reached() {
    if (scan.reached() >= 0) {
      return scan.reached();
    }
    long inTables = last == null ? -1 : last.claim().inTables();
    inTables = Math.max(inTables, Math.max(scan.inTables(), manifest.greatestInTables()));
    // The list may count rows of the log; where there are others to ask, it is not asked.
    return scan.newest() >= 0 ? inTables : Math.max(inTables, manifest.lastSequence());
  }

  private GraphMetaException lost(long reached, long claimed) {
    LogScan.Break broken = scan.broken();
    String where =
        broken != null
            ? "File "
                + broken.file()
                + " is damaged at byte "
                + broken.position()
                + ": "
                + broken.reason()
            : logs.isEmpty()
                ? "No log file is there"
                : "File "
                    + logs.get(logs.lastKey())
                    + " ends too early, or later files are missing";
    return new GraphMetaException(
        ErrorCode.CORRUPTION,
        "The write-ahead log in "
            + directory
            + " is damaged, and not at an end that was lost with the power. "
            + where
            + ". It leads to row "
            + reached
            + ", and "
            + (claimed > reached ? "rows up to " + claimed : "all of this file")
            + " had been synced. Check the disk, put back files that were moved or replaced, or restore the"
            + " database from a backup; or open it with graphmeta.log-recovery=to-last-good-batch to give up"
            + " what was written behind the damage. Nothing was changed");
  }

  /** Takes away what stands behind a break. */
  private void cut(LogScan.Break broken, long reached, boolean isLoss) throws IOException {
    List<Path> behind = new ArrayList<>(logs.tailMap(broken.log() + 1).values());
    long bytes = Files.size(broken.file()) - broken.position();
    for (Path file : behind) {
      bytes += Files.size(file);
    }
    LOG.warn(
        "The end of the write-ahead log in {} was lost and is given up: {} bytes behind row {}, from byte {} of"
            + " {}, where {}; {}. {}. What was taken away is kept in files with the ending {}",
        directory,
        bytes,
        reached,
        broken.position(),
        broken.file().getFileName(),
        broken.reason(),
        scan.newest() > reached
            ? "rows up to " + scan.newest() + " had been written"
            : "how many rows there were is not known",
        isLoss
            ? "Some of it had been synced"
            : lastRow == ALL
                ? "Nothing says that it had been synced"
                : "It was written after the last cut of all shards",
        GIVEN_UP);
    removeGivenUp();
    keepEnd(broken.file(), broken.position());
    truncate(broken.file(), broken.position());
    for (Path file : behind) {
      Files.move(file, givenUp(file), StandardCopyOption.ATOMIC_MOVE);
    }
    sync(directory);
  }

  private void removeGivenUp() throws IOException {
    List<Path> earlier;
    try (Stream<Path> files = Files.list(directory)) {
      earlier = files.filter(file -> file.toString().endsWith(GIVEN_UP)).toList();
    }
    for (Path file : earlier) {
      Files.delete(file);
    }
  }

  private static Path givenUp(Path file) {
    return file.resolveSibling(file.getFileName() + GIVEN_UP);
  }

  private static void keepEnd(Path file, long position) throws IOException {
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        FileChannel to =
            FileChannel.open(
                givenUp(file), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long at = position;
      while (at < from.size()) {
        at += from.transferTo(at, from.size() - at, to);
      }
      to.force(true);
    }
  }

  private static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
      channel.force(true);
    }
  }

  /** Brings a directory to disk, also if this thread is interrupted, which closes channels. */
  static void sync(Path directory) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (!isSynced(directory)) {
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean isSynced(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
      return true;
    } catch (ClosedByInterruptException e) {
      return false;
    }
  }
}
