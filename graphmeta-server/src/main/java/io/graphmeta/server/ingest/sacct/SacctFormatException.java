package io.graphmeta.server.ingest.sacct;

import java.io.IOException;

/**
 * A line that is not {@code sacct --parsable2} output. The message names the file, the line, the
 * value and what was expected. The reader can go on with the next line.
 */
public final class SacctFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long lineNumber;

  SacctFormatException(String source, long lineNumber, String reason) {
    super("sacct text " + source + ", line " + lineNumber + ": " + reason);
    this.lineNumber = lineNumber;
  }

  /** The line, counted from 1 (the header). */
  public long lineNumber() {
    return lineNumber;
  }
}
