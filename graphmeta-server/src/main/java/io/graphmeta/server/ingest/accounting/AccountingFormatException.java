package io.graphmeta.server.ingest.accounting;

import java.io.IOException;

/**
 * A line that is no record of the batch system. The message names the file, the line, the value and
 * what was expected. The reader can go on with the next line.
 */
public final class AccountingFormatException extends IOException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_SHOWN_CHARACTERS = 200;

  AccountingFormatException(String source, long lineNumber, String reason) {
    super("accounting " + source + ", line " + lineNumber + ": " + reason);
  }

  /** A value as errors show it. */
  static String shown(String value) {
    return value.length() <= MAX_SHOWN_CHARACTERS
        ? "\"" + value + "\""
        : "\"" + value.substring(0, MAX_SHOWN_CHARACTERS) + "...\"";
  }
}
