package io.graphmeta.server.ingest.darshan;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A file that is not a readable Darshan log: damaged, cut off, of an unknown format, or beyond a
 * limit. The message names the file, the offset in it, what was found and what was expected.
 */
public final class DarshanFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offsetBytes;

  DarshanFormatException(Path file, long offsetBytes, String reason) {
    super("Darshan log " + file + ", offset " + offsetBytes + ": " + reason);
    this.file = file.toString();
    this.offsetBytes = offsetBytes;
  }

  /** The file, as it was given to the reader. */
  public String file() {
    return file;
  }

  /**
   * Where in the file (in bytes from its start) the fault lies; for a fault inside a compressed
   * region, its start.
   */
  public long offsetBytes() {
    return offsetBytes;
  }
}
