package io.graphmeta.node;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shard over a store and a log for as long as this process may write the log: as long as the
 * store is open, or for one term of a replica. Has the threads that keep house, split, and follow
 * with the index. Nothing of it outlives it. Safe for use by many threads.
 */
final class LedShard implements RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(LedShard.class);
  private static final long TICK_MILLIS = 50;

  private final int number;
  private final HostSettings settings;
  private final InstantSource clock;
  private final ReplicationLog log;
  private final Shard shard;

  /** The shard, or what lets those through to it who read. */
  private final RequestHandler handler;

  private final TermAnswers answers;
  private final TraversalThreads traversing;
  private @Nullable Thread housekeeping;
  private @Nullable SplitThread splitting;
  private @Nullable IndexThread indexing;
  private volatile boolean closing;

  /** A shard that has not begun to keep house. */
  LedShard(
      int number,
      ReplicationLog log,
      Shard shard,
      RequestHandler handler,
      HostSettings settings,
      InstantSource clock) {
    this.number = number;
    this.settings = settings;
    this.clock = clock;
    this.log = log;
    this.shard = shard;
    this.handler = handler;
    this.answers = new TermAnswers(number, log, handler);
    this.traversing = TraversalThreads.of(number, shard, settings);
  }

  Shard shard() {
    return shard;
  }

  /**
   * Begins to keep house, if it may write.
   *
   * @param newestOfAll the greatest stamp that is committed on any shard of the process
   */
  void begin(IndexFiles indexFiles, AtomicLong newestOfAll) {
    if (handler == shard) {
      Thread thread = new Thread(() -> keepHouse(newestOfAll), "graphmeta-housekeeping-" + number);
      thread.setDaemon(true);
      housekeeping = thread;
      thread.start();
      indexing = new IndexThread(number, shard.follower(), indexFiles);
    }
  }

  /** Tells the shard how the others are reached, and begins to keep house if it may write. */
  void join(Transport peers, IndexFiles indexFiles, AtomicLong newestOfAll) {
    shard.join(peers);
    begin(indexFiles, newestOfAll);
    if (handler != shard) {
      return;
    }
    VirtualNodeMap map = settings.map();
    Placement placement = settings.placement();
    if (placement.next(0, SplitState.WHOLE, map.shards()) >= 0) {
      EntryPlaces places = new EntryPlaces(map, placement);
      splitting = new SplitThread(number, map, places, settings.config(), clock, peers);
    }
  }

  @Nullable SplitThread splitting() {
    return splitting;
  }

  private void keepHouse(AtomicLong newestOfAll) {
    boolean failed = false;
    while (!closing) {
      try {
        long newest = newestOfAll.accumulateAndGet(shard.newestStamp(), Math::max);
        shard.tick(System.nanoTime() / 1_000_000, newest);
        failed = false;
      } catch (Throwable e) { // no other thread would keep house
        boolean isOver =
            answers.areOver()
                || e instanceof GraphMetaException known && known.code() == ErrorCode.NOT_LEADER;
        if (!failed && !isOver) {
          warn(e);
        }
        failed = true;
      }
      LockSupport.parkNanos(this, TICK_MILLIS * 1_000_000);
    }
  }

  private void warn(Throwable failure) {
    try {
      // What the disk refuses needs no trace: the message says where, and what to do.
      boolean known =
          failure instanceof GraphMetaException e && e.code() == ErrorCode.STORAGE_FAILURE;
      LOG.warn(
          "Housekeeping of shard {} failed and will be tried again: {}",
          number,
          failure.getMessage(),
          known ? null : failure);
    } catch (Throwable e) { // of want of memory
      // Housekeeping goes on without a word.
    }
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    return answers.handle(call);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    return answers.answerAtOnce(call);
  }

  /** Fails what waits for the outcomes of transactions, of which it is told no more. */
  void endWaits() {
    shard.endWaits();
  }

  /** Ends its threads: no more housekeeping, which asks other shards. Safe to call again. */
  void leave() {
    Thread thread = housekeeping;
    closing = true;
    boolean interrupted = traversing.end();
    SplitThread splits = splitting;
    if (splits != null) {
      interrupted |= splits.end();
    }
    IndexThread index = indexing;
    if (index != null) {
      interrupted |= index.end();
    }
    while (thread != null && thread.isAlive()) {
      LockSupport.unpark(thread);
      try {
        thread.join(TICK_MILLIS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes the last entry of its own will, and takes nothing more; its threads go on. */
  void resign() {
    if (!answers.areOver()) {
      shard.close(0);
    }
    log.close();
  }

  /**
   * Ends all that writes, for good, when no more requests will come to this shard or to others.
   * Safe to call again.
   *
   * @param newest the greatest of the {@linkplain Shard#topStamp stamps} of all shards
   */
  void end(long newest) {
    SplitThread splits = splitting;
    if (splits != null && answers.areOver()) {
      splits.giveUp();
    }
    leave();
    try {
      if (handler == shard && !answers.areOver()) {
        shard.close(newest);
      }
    } finally {
      log.close();
    }
  }
}
