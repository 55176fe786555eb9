package io.graphmeta.node;

import io.graphmeta.codec.FormatVersion;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import io.graphmeta.transfer.FileEntry;
import io.graphmeta.transfer.FileRange;
import io.graphmeta.transfer.StoreCopier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The files of one checkpoint. Immutable; safe for use by many threads. */
final class KeptCheckpoint {
  private static final int MOST_LISTED = 1000;

  private final long number;
  private final Path directory;
  private final List<FileEntry> files;
  private final Map<String, FileEntry> byName = new LinkedHashMap<>();

  private KeptCheckpoint(long number, Path directory, List<FileEntry> files) {
    this.number = number;
    this.directory = directory;
    this.files = List.copyOf(files);
    files.forEach(file -> byName.put(file.name(), file));
  }

  /**
   * What is in a directory, to which nothing is added any more.
   *
   * @param number by which it is asked for
   */
  static KeptCheckpoint in(Path directory, long number) {
    try (Stream<Path> entries = Files.list(directory)) {
      List<FileEntry> files = new ArrayList<>();
      for (Path file : entries.filter(Files::isRegularFile).sorted().toList()) {
        files.add(FileEntry.of(file).checked());
      }
      return new KeptCheckpoint(number, directory, files);
    } catch (IOException e) {
      throw unreadable(directory, e);
    }
  }

  Path directory() {
    return directory;
  }

  Response.Files list(int from) {
    if (from < 0 || from > files.size()) {
      throw GraphMetaException.invalid(
          "There is no file " + from + "; expected 0 to " + files.size());
    }
    int end = Math.min(files.size(), from + MOST_LISTED);
    return new Response.Files(
        FormatVersion.CURRENT.number(), files.subList(from, end), end == files.size() ? 0 : end);
  }

  Response.FileBytes read(String name, long offset, int length) {
    int there = length(name, offset, length, FileRange.MAX_BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(there);
    try (FileChannel file = open(name)) {
      while (bytes.hasRemaining()) {
        if (file.read(bytes, offset + bytes.position()) < 0) {
          throw new IOException("it ends early");
        }
      }
    } catch (IOException e) {
      throw unreadable(directory.resolve(name), e);
    }
    return new Response.FileBytes(
        offset, FileRange.checksum(number, name, offset, bytes.array()), bytes.array());
  }

  Response.FileSum sum(String name, long offset, int length) {
    int there = length(name, offset, length, FileRange.MAX_SUMMED_BYTES);
    try (FileChannel file = open(name)) {
      return new Response.FileSum(StoreCopier.sha256(file, offset, there));
    } catch (IOException e) {
      throw unreadable(directory.resolve(name), e);
    }
  }

  /** No name leads elsewhere: it is one of those that were listed. */
  private FileEntry entry(String name) {
    FileEntry file = byName.get(name);
    if (file == null) {
      throw GraphMetaException.invalid(
          "The checkpoint has no file '"
              + name.substring(0, Math.min(name.length(), 200))
              + "'; expected one of its list");
    }
    return file;
  }

  private int length(String name, long offset, int length, int most) {
    long bytes = entry(name).bytes();
    if (offset < 0 || offset > bytes || length < 1 || length > most) {
      throw GraphMetaException.invalid(
          "A range of "
              + length
              + " bytes at "
              + offset
              + " of "
              + name
              + " cannot be read; expected 1 to "
              + most
              + " bytes at 0 to "
              + bytes);
    }
    return (int) Math.min(length, bytes - offset);
  }

  private FileChannel open(String name) throws IOException {
    return FileChannel.open(directory.resolve(entry(name).name()), StandardOpenOption.READ);
  }

  private static GraphMetaException unreadable(Path file, IOException e) {
    return e instanceof NoSuchFileException
        ? lost()
        : new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, file + " cannot be read: " + e.getMessage(), e);
  }

  /** That a checkpoint is gone. */
  static GraphMetaException lost() {
    return new GraphMetaException(
        ErrorCode.CHECKPOINT_LOST,
        "The checkpoint is not kept any more: it was not asked for in time, or the node was restarted; take another");
  }
}
