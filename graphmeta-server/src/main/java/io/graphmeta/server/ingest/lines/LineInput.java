package io.graphmeta.server.ingest.lines;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Splits a stream into lines of limited length. Used by one thread. */
public final class LineInput implements Closeable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InputStream in;
  private final int maxLineBytes;
  private final Fault fault;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;
  private long lineNumber;

  /** Makes the error of a line that cannot be taken. */
  @FunctionalInterface
  public interface Fault {
    /**
     * The error.
     *
     * @param lineNumber counted from 1
     * @param reason what is wrong, and what was expected
     */
    IOException at(long lineNumber, String reason);
  }

  /**
   * Lines of a stream, which is closed with this.
   *
   * @param maxLineBytes longest line that is taken
   */
  public LineInput(InputStream in, int maxLineBytes, Fault fault) {
    this.in = in;
    this.maxLineBytes = maxLineBytes;
    this.fault = fault;
  }

  /** Number of the line that was read last, counted from 1. */
  public long lineNumber() {
    return lineNumber;
  }

  /**
   * The next line without its end, or null at the end. After an error the next call reads the next
   * line.
   */
  public @Nullable String next() throws IOException {
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
      throw fault.at(
          lineNumber, "a line of " + lengthBytes + " bytes, expected at most " + maxLineBytes);
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

  private String decode(byte[] line) throws IOException {
    int length = line.length > 0 && line[line.length - 1] == '\r' ? line.length - 1 : line.length;
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(line, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw fault.at(lineNumber, "bytes that are not UTF-8 text, expected UTF-8");
    }
  }
}
