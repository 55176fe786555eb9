package io.graphmeta.server.ingest.sacct;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines of limited length. Used by one thread. */
final class LineInput implements Closeable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final String source;
  private final int maxLineBytes;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private long lineNumber;

  LineInput(InputStream in, String source, int maxLineBytes) {
    this.in = in;
    this.source = source;
    this.maxLineBytes = maxLineBytes;
  }

  /** Number of the line that was read last, counted from 1. */
  long lineNumber() {
    return lineNumber;
  }

  /**
   * The next line without its end, or null at the end. After an error the next call reads the next
   * line.
   */
  @Nullable String next() throws IOException {
    if (!fill()) {
      return null;
    }
    lineNumber++;
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    long lengthBytes = 0;
    boolean ended = false;
    while (!ended && fill()) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      ended = end < limit;
      lengthBytes += end - position;
      if (lengthBytes <= maxLineBytes) {
        line.write(buffer, position, end - position);
      }
      position = ended ? end + 1 : end;
    }
    if (lengthBytes > maxLineBytes) {
      throw new SacctFormatException(
          source,
          lineNumber,
          "a line of " + lengthBytes + " bytes, expected at most " + maxLineBytes);
    }
    return decode(line.toByteArray());
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private boolean fill() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, in.read(buffer));
    }
    return position < limit;
  }

  private String decode(byte[] line) throws SacctFormatException {
    int length = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(line, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new SacctFormatException(
          source, lineNumber, "bytes that are not UTF-8 text, expected UTF-8");
    }
  }
}
