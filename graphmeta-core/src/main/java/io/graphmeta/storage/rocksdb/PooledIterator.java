package io.graphmeta.storage.rocksdb;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.rocksdb.RocksIterator;

/**
 * A native iterator with its buffers, used by one cursor after another.
 *
 * <p>Its state keeps the native side alive while it is in use: a call of the cursor's thread takes
 * it from OPEN to IN_CALL and back, and only OPEN can become CLOSED, so a thread that closes waits
 * for the call under way (one step of a native iterator) and later calls find it closed.
 */
final class PooledIterator {
  private static final int OPEN = 0;
  private static final int IN_CALL = 1;
  private static final int CLOSED = 2;
  private static final long CLOSE_RETRY_NANOS = 10_000;

  final Family family;
  final Scope scope;
  final RocksIterator nativeIterator;
  byte[] key = new byte[64];
  byte[] value = new byte[256];

  /** When it came back to the pool, by {@link System#nanoTime}. Guarded by the pool's slot. */
  long idleSinceNanos;

  private final AtomicInteger state = new AtomicInteger(OPEN);

  PooledIterator(Family family, Scope scope, RocksIterator nativeIterator) {
    this.family = family;
    this.scope = scope;
    this.nativeIterator = nativeIterator;
  }

  /** Starts a call; false if closed. Followed by {@link #exit}. */
  boolean enter() {
    return state.compareAndSet(OPEN, IN_CALL);
  }

  /** Ends a call. */
  void exit() {
    state.setRelease(OPEN);
  }

  /** Closes the native iterator after the call under way; nothing if closed before. */
  void close() {
    while (!state.compareAndSet(OPEN, CLOSED)) {
      if (state.getAcquire() == CLOSED) {
        return;
      }
      LockSupport.parkNanos(CLOSE_RETRY_NANOS);
    }
    nativeIterator.close();
  }
}
