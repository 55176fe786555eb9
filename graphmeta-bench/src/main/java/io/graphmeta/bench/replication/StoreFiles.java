package io.graphmeta.bench.replication;

import io.graphmeta.bench.engine.ScratchDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The stores of a cluster on this machine, whose nodes go on writing them.
 *
 * @param cluster the directory of the cluster
 */
record StoreFiles(Path cluster) {
  private static final int BUFFER_BYTES = 1 << 20;

  /** The directories of all stores that are in place. */
  Set<Path> stores() throws IOException {
    Set<Path> stores = new TreeSet<>();
    for (Path node : list(cluster)) {
      if (Files.isDirectory(node.resolve("shards"))) {
        list(node.resolve("shards")).stream()
            .filter(each -> each.getFileName().toString().matches("shard-\\d+"))
            .forEach(stores::add);
      }
    }
    return stores;
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  /** All files below a directory, or the file alone. */
  static Set<Path> files(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(Files::isRegularFile).collect(Collectors.toCollection(TreeSet::new));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** The size of all files of stores; one that is removed meanwhile has none. */
  static long bytes(Collection<Path> stores) throws IOException {
    long bytes = 0;
    for (Path store : stores) {
      for (Path file : files(store)) {
        bytes += file.toFile().length();
      }
    }
    return bytes;
  }

  /**
   * Copies files, or those of stores, one by one, each with a sync, and tells how long that took.
   */
  double copySeconds(Collection<Path> stores) throws IOException {
    try (ScratchDirectory scratch = new ScratchDirectory(cluster.resolve("copies"))) {
      List<Path> held = new ArrayList<>();
      for (Path store : stores) {
        for (Path file : files(store)) {
          Path link = scratch.path().resolve("held-" + held.size());
          try {
            held.add(Files.createLink(link, file)); // stays when its node removes the file
          } catch (NoSuchFileException e) {
            continue; // was removed just now
          }
        }
      }
      ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
      long begin = System.nanoTime();
      for (Path file : held) {
        copy(file, scratch.path().resolve("copy"), buffer);
      }
      return secondsSince(begin);
    }
  }

  private static void copy(Path from, Path to, ByteBuffer buffer) throws IOException {
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (in.read(buffer.clear()) > 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
      }
      out.force(true);
    }
    Files.delete(to);
  }

  static double secondsSince(long beginNanos) {
    return (System.nanoTime() - beginNanos) / 1e9;
  }

  /** Removes a directory with all in it. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
