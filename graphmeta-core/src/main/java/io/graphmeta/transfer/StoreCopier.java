package io.graphmeta.transfer;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Makes a directory of all files of a checkpoint, file by file. Belongs to one thread.
 *
 * <p>A file is written under its name with {@value #PART} at the end, synced, read back, and gets
 * its name last: what has its name is whole. Who copies into a directory that an earlier copier has
 * left believes nothing of what is there: what the other process says to hold the same bytes stays,
 * of a part as far as it does, and all else is written anew. So it does not matter how the earlier
 * one ended, nor of which checkpoint its files were.
 *
 * <p>A checkpoint that is lost meanwhile is taken again. Files that never change and are in both
 * are not copied again.
 */
public final class StoreCopier {
  /** The end of the name of a file that is not whole. */
  static final String PART = ".part";

  private static final int MOST_CHECKPOINTS = 10;
  private static final int SUMMED_BYTES = 1 << 24;
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MOST_SUMS = 6;
  private static final long SUM_PAUSE_MICROS = 100_000;

  private final CheckpointFiles from;
  private final Pace pace;
  private final LongConsumer progress;
  private final Path directory;

  /** How much of a file that is there is compared at once. */
  private final int summedBytes;

  /** What is whole in the directory, as this copier has found or made it. */
  private final Map<String, FileEntry> whole = new HashMap<>();

  private long done;

  /**
   * A copier into a directory that is there.
   *
   * @param progress is told the number of bytes that are there
   */
  public StoreCopier(CheckpointFiles from, Pace pace, Path directory, LongConsumer progress) {
    this(from, pace, directory, progress, SUMMED_BYTES);
  }

  StoreCopier(
      CheckpointFiles from, Pace pace, Path directory, LongConsumer progress, int summedBytes) {
    this.summedBytes = summedBytes;
    this.from = from;
    this.pace = pace;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Copies, until the files of one checkpoint are in the directory and nothing else is.
   *
   * @return the files
   * @throws GraphMetaException that of the other process; {@code CORRUPTION} if a file does not
   *     arrive as it was sent; {@code STORAGE_FAILURE} if it cannot be written. Nothing that is not
   *     whole has its name then, and a later copier goes on
   */
  public List<FileEntry> run() {
    for (int checkpoints = 1; ; checkpoints++) {
      try {
        return copyOne();
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.CHECKPOINT_LOST || checkpoints == MOST_CHECKPOINTS) {
          throw e;
        }
      } catch (IOException e) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, directory + " cannot be written: " + e, e);
      }
    }
  }

  private List<FileEntry> copyOne() throws IOException {
    List<FileEntry> files = from.take();
    Set<String> names = new HashSet<>();
    for (FileEntry file : files) {
      if (!names.add(file.checked().name())) {
        throw new GraphMetaException(ErrorCode.CORRUPTION, file.name() + " is listed twice");
      }
    }
    whole.values().removeIf(file -> !file.isImmutable() || !files.contains(file));
    removeOthers(names);
    done = 0;
    for (FileEntry file : files) {
      if (!whole.containsKey(file.name())) {
        copy(file);
        whole.put(file.name(), file);
      } else {
        done += file.bytes();
      }
      progress.accept(done);
    }
    sync(directory);
    return files;
  }

  private void removeOthers(Set<String> names) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path entry : entries.toList()) {
        String name = entry.getFileName().toString();
        boolean isPart =
            name.endsWith(PART) && names.contains(name.substring(0, name.length() - PART.length()));
        if (!names.contains(name) && !isPart) {
          Files.delete(entry);
        }
      }
    }
  }

  private void copy(FileEntry file) throws IOException {
    Path to = directory.resolve(file.name());
    Path part = directory.resolve(file.name() + PART);
    if (Files.exists(to)) {
      if (Files.size(to) == file.bytes() && same(to, file) == file.bytes()) {
        done += file.bytes();
        return;
      }
      Files.move(to, part, StandardCopyOption.REPLACE_EXISTING); // its beginning may be right
    }
    try (FileChannel out =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long offset = same(part, file);
      out.truncate(offset);
      out.position(offset);
      done += offset;
      CRC32C arrived = new CRC32C();
      RangeReader ranges = new RangeReader(from, pace, file, offset);
      for (byte[] bytes = ranges.next(); bytes != null; bytes = ranges.next()) {
        arrived.update(bytes);
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
          out.write(left);
        }
        done += bytes.length;
        progress.accept(done);
      }
      out.force(true);
      if (sum(out, offset) != arrived.getValue() || out.size() != file.bytes()) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE,
            part + " does not read back as it was written; look after the disk");
      }
    }
    Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The CRC32C of what is in a file from a place on. */
  private static long sum(FileChannel file, long from) throws IOException {
    CRC32C sum = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    long at = from;
    for (int read = file.read(buffer, at); read > 0; read = file.read(buffer, at)) {
      sum.update(buffer.flip());
      buffer.clear();
      at += read;
    }
    return sum.getValue();
  }

  /** How many bytes from its beginning on a file here has in common with that of the checkpoint. */
  private long same(Path here, FileEntry file) throws IOException {
    long end = Math.min(Files.size(here), file.bytes());
    long at = 0;
    try (FileChannel in = FileChannel.open(here, StandardOpenOption.READ)) {
      while (at < end) {
        int length = (int) Math.min(summedBytes, end - at);
        if (!MessageDigest.isEqual(sha256(in, at, length), sum(file.name(), at, length))) {
          return at;
        }
        at += length;
      }
    }
    return at;
  }

  private byte[] sum(String name, long offset, int length) {
    for (int attempt = 1; ; attempt++) {
      try {
        return from.sum(name, offset, length);
      } catch (GraphMetaException e) {
        if (attempt == MOST_SUMS || !RangeReader.mayBeAskedAgain(e)) {
          throw e;
        }
        pace.sleep(SUM_PAUSE_MICROS << attempt);
      }
    }
  }

  /**
   * The SHA-256 of a range of a file.
   *
   * @throws IOException if the file ends before
   */
  public static byte[] sha256(FileChannel file, long offset, int length) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    ByteBuffer buffer = ByteBuffer.allocate(Math.min(BUFFER_BYTES, length));
    int left = length;
    while (left > 0) {
      buffer.clear().limit(Math.min(buffer.capacity(), left));
      int read = file.read(buffer, offset + length - left);
      if (read <= 0) {
        throw new IOException("it ends " + left + " bytes early");
      }
      digest.update(buffer.flip());
      left -= read;
    }
    return digest.digest();
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
