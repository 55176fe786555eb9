package io.graphmeta.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.move.Splitter;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.router.Router;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that splits what has grown on one shard. */
final class SplitThread {
  private static final Logger LOG = LoggerFactory.getLogger(SplitThread.class);
  private static final SecureRandom NUMBERS = new SecureRandom();
  private static final long LOOK_NANOS = 20_000_000;

  private final int shard;
  private final VirtualNodeMap map;
  private final EntryPlaces places;
  private final GraphMetaConfig config;
  private final InstantSource clock;
  private final TermTransport transport;
  private final Thread thread;
  private volatile boolean closing;

  /** Held while something is split. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Made when it is needed first, since all shards must be there. */
  @GuardedBy("lock")
  private @Nullable Splitter splitter;

  SplitThread(
      int shard,
      VirtualNodeMap map,
      EntryPlaces places,
      GraphMetaConfig config,
      InstantSource clock,
      Transport transport) {
    this.shard = shard;
    this.map = map;
    this.places = places;
    this.config = config;
    this.clock = clock;
    this.transport = new TermTransport(transport);
    this.thread = new Thread(this::run, "graphmeta-split-" + shard);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    boolean failed = false;
    while (!closing) {
      try {
        if (splitNow() > 0) {
          continue;
        }
        failed = false;
      } catch (Throwable e) { // no other thread would split anything
        if (!failed && !closing) {
          warn(e);
        }
        failed = true;
      }
      LockSupport.parkNanos(this, LOOK_NANOS);
    }
  }

  private void warn(Throwable failure) {
    try {
      // A node that is away needs no trace: the message says which.
      boolean known =
          failure instanceof GraphMetaException e
              && e.code().category() == ErrorCode.Category.RETRY;
      if (known) {
        LOG.info("Splits on shard {} wait: {}", shard, failure.getMessage());
      } else {
        LOG.warn(
            "Splits on shard {} failed and will be tried again: {}",
            shard,
            failure.getMessage(),
            failure);
      }
    } catch (OutOfMemoryError e) {
      // Splitting goes on without a word.
    }
  }

  /** Splits what has grown, once each, and returns how many there were. */
  int splitNow() {
    lock.lock();
    try {
      Splitter used = splitter == null ? newSplitter() : splitter;
      splitter = used;
      return used.run();
    } finally {
      lock.unlock();
    }
  }

  /** Splits nothing until the same thread lets it go on. */
  void pause() {
    lock.lock();
  }

  void goOn() {
    lock.unlock();
  }

  private Splitter newSplitter() {
    Router router =
        new Router(
            transport,
            map,
            places.placement(),
            new HybridClock(clock, 0, config.number(Setting.MAX_CLOCK_OFFSET_MILLIS) * 1000),
            config.number(Setting.REQUEST_TIMEOUT_MILLIS),
            NUMBERS.nextLong());
    return new Splitter(shard, router, places);
  }

  /** The split under way is given up at its next message; what there is of it is undone later. */
  void giveUp() {
    closing = true;
    transport.end();
  }

  /** Ends it, after the split under way. */
  boolean end() {
    closing = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      LockSupport.unpark(thread);
      try {
        thread.join(50);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
