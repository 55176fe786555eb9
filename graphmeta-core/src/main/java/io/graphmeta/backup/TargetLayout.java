package io.graphmeta.backup;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where things lie in a target, and what is there. The package documentation has the layout.
 *
 * @param root the directory
 */
record TargetLayout(Path root) {
  private static final Set<String> BEFORE_MARKER = Set.of("lock", "incoming");

  Path marker() {
    return root.resolve("graphmeta-backups.properties");
  }

  Path lock() {
    return root.resolve("lock");
  }

  Path files() {
    return root.resolve("files");
  }

  Path backups() {
    return root.resolve("backups");
  }

  Path incoming() {
    return root.resolve("incoming");
  }

  /** The directory of a file. */
  Path directory(String sha256) {
    return files().resolve(sha256.substring(0, 2));
  }

  Path file(String sha256) {
    return directory(sha256).resolve(sha256);
  }

  Path manifest(String name) {
    return backups().resolve(name + BackupManifest.ENDING);
  }

  /** Whether it holds backups, or is about to. */
  boolean isTarget() {
    return Files.isRegularFile(marker());
  }

  /** Whether a target can be made here: nothing is here, or what a first backup has left. */
  boolean canBegin() throws IOException {
    if (!Files.exists(root)) {
      return true;
    }
    return names(root).stream().allMatch(BEFORE_MARKER::contains);
  }

  /**
   * Fails if the directory holds no backups.
   *
   * @throws GraphMetaException {@code NOT_FOUND}
   */
  void requireTarget() {
    if (!isTarget()) {
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "There are no backups in "
              + root
              + "; expected a directory that 'graphmeta backup' has written to");
    }
  }

  /** The files of all manifests, in the order of their names. */
  List<Path> manifests() throws IOException {
    return list(backups()).stream()
        .filter(file -> file.getFileName().toString().endsWith(BackupManifest.ENDING))
        .sorted()
        .toList();
  }

  /** The names of the files that are stored, whether a backup names them or not. */
  Set<String> storedFiles() throws IOException {
    Set<String> stored = new HashSet<>();
    for (Path directory : list(files())) {
      stored.addAll(names(directory));
    }
    return stored;
  }

  static List<Path> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  private static List<String> names(Path directory) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path entry : list(directory)) {
      names.add(entry.getFileName().toString());
    }
    return names;
  }
}
