package io.graphmeta.server.objects;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream whose length is known: an end before that is an error. The connections of Java take a
 * connection that was cut for the end of what it brings.
 */
final class WholeStream extends FilterInputStream {
  private final String name;
  private final long bytes;
  private long read;

  WholeStream(InputStream in, String name, long bytes) {
    super(in);
    this.name = name;
    this.bytes = bytes;
  }

  @Override
  public int read() throws IOException {
    int next = super.read();
    count(next < 0 ? -1 : 1);
    return next;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    count(count);
    return count;
  }

  private void count(int more) throws IOException {
    if (more >= 0) {
      read += more;
    } else if (read < bytes) {
      throw new EOFException(
          "The connection was cut after " + read + " of the " + bytes + " bytes of " + name);
    }
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(count);
    read += skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
