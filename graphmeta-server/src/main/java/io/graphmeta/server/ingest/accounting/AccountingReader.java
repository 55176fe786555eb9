package io.graphmeta.server.ingest.accounting;

import io.graphmeta.server.ingest.JobAccount;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** A stream of accounts of jobs. Used by one thread. */
public interface AccountingReader extends Closeable {
  /** Longest line that is taken, in bytes. */
  int MAX_LINE_BYTES = 1 << 20;

  /**
   * The next account, or empty at the end. Records of no job are passed over.
   *
   * @throws AccountingFormatException if a line is malformed; a further call goes on with the line
   *     behind it
   * @throws IOException if the text can't be read
   */
  Optional<JobAccount> next() throws IOException;
}
