package io.graphmeta.heap;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says whether there is room in the heap, by what is alive in it and not by garbage.
 *
 * <p>What is in use where objects go that live for long is cheap to ask for, and garbage among it
 * is told from the rest by a collection alone. So as long as little is in use, all is well, and
 * nothing is measured. When more is, the heap is collected once, and what is left counts. That
 * answer stands for ten times as long as the collection took, unless so much more has come
 * meanwhile that it may be wrong. Nobody is refused by an old answer, since others may have given
 * up what they held: then it is measured again. Half of the time at most goes into collections.
 *
 * <p>Whoever gathers what it reads asks before it goes on. Who was refused is told so by an error,
 * and the process keeps what it needs to go on working. Safe for use by many threads.
 */
public final class HeapGauge {
  /** Share of the heap that may be alive. */
  public static final double MOST_ALIVE = 0.75;

  /** Share of the heap in use from which on it is asked how much of it is alive. */
  private static final double SUSPECTED = 0.70;

  /** Share of the heap that may come before a measurement is taken again. */
  private static final double GROWTH = 0.08;

  /** Where garbage cannot be told from the rest. */
  private static final double MOST_USED = 0.92;

  private static final int PAUSE_FACTOR = 10;
  private static final HeapGauge OF_PROCESS = new HeapGauge(new ProcessHeap(), System::nanoTime);

  private final CollectedHeap heap;
  private final LongSupplier nanoTime;
  private final long maxBytes;
  private final ReentrantLock taking = new ReentrantLock();
  private final ReentrantLock measuring = new ReentrantLock();
  private volatile Measured last;

  /** What was in use when all garbage was gone. */
  private record Measured(long aliveBytes, long atNanos, long tookNanos) {}

  HeapGauge(CollectedHeap heap, LongSupplier nanoTime) {
    this.heap = heap;
    this.nanoTime = nanoTime;
    this.maxBytes = heap.maxBytes();
    this.last = new Measured(0, nanoTime.getAsLong(), 0);
  }

  /** That of this process. */
  public static HeapGauge ofProcess() {
    return OF_PROCESS;
  }

  /** The size that the heap can grow to, in bytes. */
  public long maxBytes() {
    return maxBytes;
  }

  /** A part of the heap, in bytes, if it is less than what was set. */
  public long atMost(long setBytes, int partOfHeap) {
    return Math.min(setBytes, maxBytes / partOfHeap);
  }

  /** Whether more is alive than may be. Now and then it takes as long as a collection. */
  public boolean isShort() {
    return shortage(0) != null;
  }

  /**
   * Goes on if there is room for something.
   *
   * @param bytes about its size
   * @param what it is, in words that follow "for"
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if there is none
   */
  public void requireRoom(long bytes, String what) {
    Measured shortage = shortage(bytes);
    if (shortage != null) {
      throw refusal(shortage, bytes, what);
    }
  }

  /**
   * Takes room for something large that is one piece, or few, and lets nobody else ask for room of
   * that kind before it is taken: two that were told together that there is room for each might
   * have none for both.
   *
   * @param bytes its size
   * @param what it is, in words that follow "for"
   * @param allocation makes it
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} if there is no room, or none in one piece
   */
  public <T> T take(long bytes, String what, Supplier<T> allocation) {
    taking.lock();
    try {
      requireRoom(bytes, what);
      return allocation.get();
    } catch (OutOfMemoryError e) {
      throw refusal(last, bytes, what);
    } finally {
      taking.unlock();
    }
  }

  private GraphMetaException refusal(Measured shortage, long bytes, String what) {
    return new GraphMetaException(
        ErrorCode.LIMIT_EXCEEDED,
        "Memory is short for "
            + what
            + ": "
            + shortage.aliveBytes
            + " of "
            + maxBytes
            + " bytes of the heap are held and "
            + bytes
            + " more are asked for, where "
            + (long) (MOST_ALIVE * maxBytes)
            + " may be held; ask for less at a time, or give the process more heap (-Xmx)");
  }

  /** What was measured, if it leaves no room for so much; else null. */
  private @Nullable Measured shortage(long bytes) {
    long used = heap.usedBytes();
    if (used + bytes < SUSPECTED * maxBytes) {
      return null;
    }
    Measured known = last;
    if (!hasRoom(known, bytes) || isOutdated(known, used)) {
      known = measure(known);
    }
    return hasRoom(known, bytes) ? null : known;
  }

  private boolean hasRoom(Measured known, long bytes) {
    return known.aliveBytes + bytes <= MOST_ALIVE * maxBytes;
  }

  private boolean isOutdated(Measured known, long used) {
    long since = nanoTime.getAsLong() - known.atNanos;
    return used - known.aliveBytes > GROWTH * maxBytes
        || since >= PAUSE_FACTOR * known.tookNanos + 1_000_000_000L;
  }

  /** Collects the heap, unless another thread just did. */
  private Measured measure(Measured known) {
    measuring.lock();
    try {
      if (last != known) {
        return last;
      }
      long rest = known.tookNanos - (nanoTime.getAsLong() - known.atNanos);
      if (rest > 0) {
        LockSupport.parkNanos(rest);
      }
      long begin = nanoTime.getAsLong();
      boolean collected = heap.collect();
      long used = heap.usedBytes();
      long alive = collected ? used : (long) (used * MOST_ALIVE / MOST_USED);
      long end = nanoTime.getAsLong();
      Measured measured = new Measured(alive, end, end - begin);
      last = measured;
      return measured;
    } finally {
      measuring.unlock();
    }
  }
}
