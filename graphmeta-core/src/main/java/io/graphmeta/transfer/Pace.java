package io.graphmeta.transfer;

import io.graphmeta.error.GraphMetaException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * How fast files are copied: no more bytes in any time than the rate allows, but for one range.
 * Belongs to one thread.
 */
public final class Pace {
  /** The lowest rate, in bytes a second. */
  public static final long LEAST_RATE = 1 << 12;

  /** How many bytes are asked for at once: an array that is large to no garbage collector. */
  private static final int RANGE_BYTES = 1 << 18;

  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long bytesPerSecond;
  private final LongSupplier nanoTime;
  private final LongConsumer sleepMicros;
  private long freeAt;

  /**
   * A pace by a clock.
   *
   * @param bytesPerSecond 0: as fast as may be
   * @param nanoTime a time that never goes back, in nanoseconds
   * @param sleepMicros lets so many microseconds pass
   */
  public Pace(long bytesPerSecond, LongSupplier nanoTime, LongConsumer sleepMicros) {
    if (bytesPerSecond != 0 && bytesPerSecond < LEAST_RATE) {
      throw GraphMetaException.invalid(
          "A rate of "
              + bytesPerSecond
              + " bytes a second is too low; expected at least "
              + LEAST_RATE);
    }
    this.bytesPerSecond = bytesPerSecond;
    this.nanoTime = nanoTime;
    this.sleepMicros = sleepMicros;
    this.freeAt = nanoTime.getAsLong();
  }

  /** How many bytes are asked for at once: no more than a second's. */
  int rangeBytes() {
    return bytesPerSecond == 0 ? RANGE_BYTES : (int) Math.min(RANGE_BYTES, bytesPerSecond);
  }

  /** Waits until so many bytes may be asked for. */
  void await(int bytes) {
    if (bytesPerSecond == 0) {
      return;
    }
    long now = nanoTime.getAsLong();
    if (freeAt - now > 0) {
      sleep((freeAt - now) / 1000 + 1);
    } else {
      freeAt = now;
    }
    freeAt += (long) ((double) bytes * NANOS_PER_SECOND / bytesPerSecond);
  }

  /** A stream that is read no faster. */
  public InputStream of(InputStream in) {
    return bytesPerSecond == 0
        ? in
        : new FilterInputStream(in) {
          @Override
          public int read() throws IOException {
            await(1);
            return super.read();
          }

          @Override
          public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, Math.min(length, rangeBytes()));
            await(Math.max(0, read));
            return read;
          }
        };
  }

  /** Lets some time pass. */
  void sleep(long micros) {
    sleepMicros.accept(micros);
  }
}
