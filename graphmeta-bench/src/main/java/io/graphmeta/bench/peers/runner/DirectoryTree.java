package io.graphmeta.bench.peers.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory with all that is in it. Stateless. */
public final class DirectoryTree {
  private DirectoryTree() {}

  private static List<Path> paths(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      return walk.sorted().toList();
    }
  }

  /** Removes it, if it is there. */
  public static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      for (Path path : paths(directory).stream().sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Copies it to a place where nothing is. */
  public static void copy(Path directory, Path target) throws IOException {
    for (Path path : paths(directory)) {
      Files.copy(path, target.resolve(directory.relativize(path).toString()));
    }
  }

  /** Size of all files, in bytes. */
  public static long bytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path path : paths(directory)) {
      bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
    }
    return bytes;
  }
}
