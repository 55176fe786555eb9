package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Faults at the ports of a shard, wherever it reaches one: reads of the store that fail, and errors
 * that no code expects. A write that throws has written nothing, as the port promises.
 */
final class PortFaults {
  /** No faults. */
  static final PortFaults NONE = new PortFaults(new SplittableRandom(0), () -> 0, () -> {});

  private static final int RARE = 5;
  private static final int NEVER = -1;
  private static final String PLANTED = "planted fault";

  private final SplittableRandom random;
  private final DoubleSupplier chance;
  private final Runnable planted;
  private boolean on;
  private int callsBeforeError = NEVER;

  /** Faults with a chance for each call, which are told one by one; off at first. */
  PortFaults(SplittableRandom random, DoubleSupplier chance, Runnable planted) {
    this.planted = planted;
    this.random = random;
    this.chance = chance;
  }

  /** In one world of five; drawn apart from all else. */
  static double chance(long seed) {
    SplittableRandom drawn = new SplittableRandom(seed * 31 + 7);
    return drawn.nextInt(5) == 0 ? drawn.nextDouble(0.0005, 0.01) : 0;
  }

  /** Whether an error was planted here, and is no defect. */
  static boolean isPlanted(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (isPlanted(String.valueOf(cause.getMessage()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether what is told of an error tells of one that was planted here. */
  static boolean isPlanted(String told) {
    return told.contains(PLANTED);
  }

  /**
   * A failure of an index, which is damaged or could not be read, or an error that none expects.
   */
  static Throwable ofIndex(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> withoutTrace(new OutOfMemoryError(PLANTED));
      case 1 -> withoutTrace(new IllegalStateException(PLANTED));
      case 2 -> new GraphMetaException(ErrorCode.CORRUPTION, PLANTED);
      default -> new GraphMetaException(ErrorCode.STORAGE_FAILURE, PLANTED);
    };
  }

  /** So that no pages of traces are logged. */
  private static <T extends Throwable> T withoutTrace(T failure) {
    failure.setStackTrace(new StackTraceElement[0]);
    return failure;
  }

  /** Lets ports fail from now on, or not; answers whether they could before. */
  boolean set(boolean active) {
    boolean before = on;
    on = active;
    return before;
  }

  /** Fails with an error after some more calls, until it is told not to. */
  void failAfter(int calls) {
    callsBeforeError = calls;
  }

  /** Does not fail for what {@link #failAfter} has asked for. */
  void failNoMore() {
    callsBeforeError = NEVER;
  }

  /** What a commit needs, which most calls are not. */
  private void reachRare() {
    for (int i = 0; i < RARE; i++) {
      reach();
    }
  }

  private void reach() {
    if (on && callsBeforeError >= 0 && callsBeforeError-- == 0) {
      planted.run();
      throw withoutTrace(new OutOfMemoryError(PLANTED));
    }
    if (!on || chance.getAsDouble() == 0 || random.nextDouble() >= chance.getAsDouble()) {
      return;
    }
    planted.run();
    switch (random.nextInt(4)) {
      case 0 -> throw withoutTrace(new OutOfMemoryError(PLANTED));
      case 1 -> throw withoutTrace(new StackOverflowError(PLANTED));
      case 2 -> throw new IllegalStateException(PLANTED);
      default -> throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, PLANTED);
    }
  }

  InstantSource clock(InstantSource clock) {
    return () -> {
      reachRare();
      return clock.instant();
    };
  }

  StorageEngine storage(StorageEngine storage) {
    return new FaultyStorage(storage);
  }

  private final class FaultyStorage implements StorageEngine {
    private final StorageEngine storage;

    FaultyStorage(StorageEngine storage) {
      this.storage = storage;
    }

    @Override
    public void write(RowBatch batch, Durability durability) {
      reachRare();
      storage.write(batch, durability);
    }

    @Override
    public byte @Nullable [] get(Family family, byte[] key) {
      reachRare();
      return storage.get(family, key);
    }

    @Override
    public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
      reach();
      return storage.multiGet(family, keys);
    }

    @Override
    public RowCursor cursor(Family family, Scope scope) {
      reach();
      return new FaultyCursor(storage.cursor(family, scope));
    }

    @Override
    public void sync() {
      storage.sync();
    }

    @Override
    public void clear() {
      storage.clear();
    }

    @Override
    public StorageStatistics statistics() {
      return storage.statistics();
    }

    @Override
    public void close() {
      storage.close();
    }
  }

  private final class FaultyCursor implements RowCursor {
    private final RowCursor cursor;

    FaultyCursor(RowCursor cursor) {
      this.cursor = cursor;
    }

    @Override
    public boolean seek(byte[] target, int length) {
      reach();
      return cursor.seek(target, length);
    }

    @Override
    public boolean next() {
      reach();
      return cursor.next();
    }

    @Override
    public byte[] key() {
      return cursor.key();
    }

    @Override
    public int keyLength() {
      return cursor.keyLength();
    }

    @Override
    public byte[] value() {
      reach();
      return cursor.value();
    }

    @Override
    public int valueLength() {
      return cursor.valueLength();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
