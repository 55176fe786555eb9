package io.graphmeta.server.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells which Darshan logs have come below some directories, by looking at them again and again:
 * parallel file systems tell nobody what other nodes write. A log is told when its size and time
 * were the same at two looks, so that one being written is left alone, or when it is old; and again
 * if it changes. Used by one thread.
 *
 * <h2>What is remembered</h2>
 *
 * Of each log that was there at the last look a number of 64 bits, made of its path, size and time:
 * whether it was seen, and whether it was told. So a log is known by all three, in whatever order
 * logs come and however old they are when they do, and ten million logs take some hundred
 * megabytes. That two of so many have the same number, and one of them is not told, has a chance of
 * three in a million. More logs than the limit are an error. All of it is in memory only: who
 * begins anew is told all logs, and loading them again changes nothing.
 */
public final class ArrivingLogs {
  /** Most logs below the directories. */
  static final int MAX_LOGS = 10_000_000;

  /** Most logs that are told together. */
  static final int MAX_LOT = 10_000;

  /** A log that was not changed for so long is whole, or will never be. */
  private static final Duration OLD = Duration.ofMinutes(10);

  private final Clock clock;
  private final List<Path> places;
  private final int maxLogs;
  private final int maxLot;

  // Both in ascending order.
  private long[] seen = {};
  private long[] told = {};

  /** Takes logs that have come. */
  @FunctionalInterface
  public interface Lots {
    /**
     * Takes some logs, in the order of their names.
     *
     * @return whether to go on; if not, the look ends here
     * @throws IOException if they cannot be taken now: the look ends here, and the next one tells
     *     them again
     */
    boolean take(List<Path> logs) throws IOException;
  }

  /**
   * Watches.
   *
   * @param places directories, or logs
   * @param clock tells how old logs are
   */
  public ArrivingLogs(Collection<Path> places, Clock clock) {
    this(places, clock, MAX_LOGS, MAX_LOT);
  }

  ArrivingLogs(Collection<Path> places, Clock clock, int maxLogs, int maxLot) {
    this.places = List.copyOf(places);
    this.clock = clock;
    this.maxLogs = maxLogs;
    this.maxLot = maxLot;
  }

  /**
   * Looks, and tells what is to be loaded.
   *
   * @throws IOException if one of the places cannot be read, has too many logs, or a lot was not
   *     taken; the next look goes on from there
   */
  public void look(Lots lots) throws IOException {
    Look look = new Look(lots);
    boolean whole = false;
    try {
      whole = look.atAll();
    } finally {
      // Of what an unfinished look did not come to, the look before it still knows.
      seen = sorted(look.seenNow, whole ? new long[0] : seen);
      told = sorted(look.toldNow, whole ? new long[0] : told);
    }
  }

  private long[] sorted(LongStream.Builder some, long[] others) {
    long[] all =
        LongStream.concat(some.build(), LongStream.of(others)).sorted().distinct().toArray();
    // What has gone is forgotten by a whole look. Without one for long, logs are told twice
    // instead.
    return all.length <= 2L * maxLogs ? all : new long[0];
  }

  /** One look. */
  private final class Look extends SimpleFileVisitor<Path> {
    private final Lots lots;
    private final LongStream.Builder seenNow = LongStream.builder();
    private final LongStream.Builder toldNow = LongStream.builder();
    private final List<Path> lot = new ArrayList<>();
    private final List<Long> numbersOfLot = new ArrayList<>();
    private int logs;
    private boolean goingOn = true;

    Look(Lots lots) {
      this.lots = lots;
    }

    /** Looks at all places; whether nothing ended it early. */
    boolean atAll() throws IOException {
      for (Path place : places) {
        if (Files.isDirectory(place)) {
          Files.walkFileTree(place, this);
        } else {
          BasicFileAttributes log = Files.readAttributes(place, BasicFileAttributes.class);
          log(place, log);
        }
      }
      return tell();
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      if (attributes.isRegularFile() && DarshanIngest.isLog(file)) {
        log(file, attributes);
      }
      return goingOn ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // It is gone again.
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
        throws IOException {
      return failure instanceof NoSuchFileException
          ? FileVisitResult.CONTINUE
          : super.postVisitDirectory(directory, failure);
    }

    private void log(Path log, BasicFileAttributes file) throws IOException {
      if (++logs > maxLogs) {
        throw new IOException(
            "more than "
                + maxLogs
                + " logs below "
                + places
                + ", expected at most so many; follow directories of fewer, such as that of a year");
      }
      long number = number(log, file);
      seenNow.accept(number);
      if (Arrays.binarySearch(told, number) >= 0) {
        toldNow.accept(number);
        return;
      }
      long age = clock.millis() - file.lastModifiedTime().toMillis();
      if (age > OLD.toMillis() || Arrays.binarySearch(seen, number) >= 0) {
        lot.add(log);
        numbersOfLot.add(number);
        if (lot.size() >= maxLot) {
          tell();
        }
      }
    }

    private boolean tell() throws IOException {
      if (goingOn && !lot.isEmpty()) {
        Collections.sort(lot);
        goingOn = lots.take(List.copyOf(lot));
        if (goingOn) {
          numbersOfLot.forEach(toldNow::accept);
        }
      }
      lot.clear();
      numbersOfLot.clear();
      return goingOn;
    }
  }

  private static long number(Path log, BasicFileAttributes file) {
    MessageDigest digest = Digests.sha256();
    digest.update(log.toString().getBytes(StandardCharsets.UTF_8));
    ByteBuffer facts = ByteBuffer.allocate(2 * Long.BYTES);
    facts.putLong(file.size()).putLong(file.lastModifiedTime().to(TimeUnit.MICROSECONDS));
    return ByteBuffer.wrap(digest.digest(facts.array())).getLong();
  }
}
