package io.graphmeta.bench.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory of one run, deleted with all that is in it when closed. */
public final class ScratchDirectory implements AutoCloseable {
  private final Path path;

  /** A new directory in another one. */
  public ScratchDirectory(Path parent) throws IOException {
    path = Files.createTempDirectory(Files.createDirectories(parent), "graphmeta-bench");
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    List<Path> paths;
    try (Stream<Path> all = Files.walk(path)) {
      paths = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : paths) {
      Files.delete(each);
    }
  }
}
