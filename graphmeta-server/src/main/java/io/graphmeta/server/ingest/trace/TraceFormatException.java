package io.graphmeta.server.ingest.trace;

import java.io.IOException;

/** A document, or a line of one, cannot be taken; the message says where and why. */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1;

  TraceFormatException(String source, String reason) {
    super(source + ": " + reason);
  }

  TraceFormatException(String source, long line, String reason) {
    super(source + ": line " + line + ": " + reason);
  }
}
