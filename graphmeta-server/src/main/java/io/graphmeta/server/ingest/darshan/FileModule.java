package io.graphmeta.server.ingest.darshan;

import java.util.Arrays;
import java.util.Optional;

/** The modules whose records are decoded. */
public enum FileModule {
  /** Calls of the kernel's file interface (open, read, write, ...). */
  POSIX,
  /**
   * Calls of C's buffered streams (fopen, fread, fprintf, ...); they don't appear in {@link #POSIX}
   * as well.
   */
  STDIO,
  /**
   * All interfaces in one record: the only records of format 2. The name is the prefix of their
   * counters.
   */
  CP;

  /** The module of this name, or empty if its records aren't decoded. */
  static Optional<FileModule> byName(String name) {
    return Arrays.stream(values()).filter(module -> module.name().equals(name)).findFirst();
  }
}
