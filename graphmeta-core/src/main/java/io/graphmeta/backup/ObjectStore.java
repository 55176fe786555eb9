package io.graphmeta.backup;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.SortedMap;

/**
 * A place elsewhere that keeps backups as objects with names: each comes whole or not at all, and
 * whoever lists them after that finds it. Belongs to one thread.
 */
public interface ObjectStore {
  /** What people call it. */
  String place();

  /** The sizes of all objects in bytes, by their names. */
  SortedMap<String, Long> list() throws IOException;

  /**
   * Stores a file under a name, in the place of what was there. When it returns the store has
   * compared what it was sent with a checksum of the file, and keeps it.
   */
  void put(String name, Path file) throws IOException;

  /**
   * Reads an object.
   *
   * @throws java.nio.file.NoSuchFileException if there is none of that name
   */
  InputStream open(String name) throws IOException;

  /** Removes an object, if it is there. */
  void delete(String name) throws IOException;
}
