package io.graphmeta.transfer;

import java.io.InputStream;

/** A file of a checkpoint, as a stream. Fails as {@link RangeReader} does. */
public final class RangeStream extends InputStream {
  private final RangeReader ranges;
  private byte[] range = new byte[0];
  private int at;
  private boolean ended;

  /** A stream over a reader. */
  public RangeStream(RangeReader ranges) {
    this.ranges = ranges;
  }

  private boolean hasMore() {
    while (at == range.length && !ended) {
      byte[] next = ranges.next();
      ended = next == null;
      range = next == null ? range : next;
      at = ended ? at : 0;
    }
    return !ended;
  }

  @Override
  public int read() {
    return hasMore() ? range[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int read = Math.min(length, range.length - at);
    System.arraycopy(range, at, into, offset, read);
    at += read;
    return read;
  }
}
