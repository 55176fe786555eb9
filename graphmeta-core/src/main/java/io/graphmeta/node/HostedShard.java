package io.graphmeta.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.retention.RemovedRow;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.storage.rocksdb.LogCuts;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A shard that this process hosts: a store, and the shard over it while this process leads it,
 * which is always unless the store is one of several replicas. Answers requests of many threads
 * until it is closed; where it does not lead it answers {@code NOT_LEADER}.
 *
 * <p>To come to lead is to open the shard over the store that is there, as when a process begins:
 * there is no second path, and nothing is kept from one term to the next.
 */
public final class HostedShard implements RequestHandler, CheckpointedStore, AutoCloseable {
  /** Longest time to wait for the clock to reach the stamps of the run before, in microseconds. */
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;

  private final int number;
  private final HostSettings settings;
  private final InstantSource clock;
  private final IndexFiles indexFiles;
  private final @Nullable StorePlace place;
  private volatile StorageEngine storage;

  /** The archive whose rows were removed last when the store was compacted, or opened. */
  private String compactedBehind;

  private AtomicLong newestOfAll = new AtomicLong();
  private volatile @Nullable Transport peers;
  private volatile @Nullable LedShard led;

  private final FollowedLog followed;
  private final Object followingLock = new Object();

  /** Whether another replica leads, if any does, and this store is open. */
  @GuardedBy("followingLock")
  private boolean mayFollow = true;

  /** What answers meanwhile; made when it is asked first. */
  @GuardedBy("followingLock")
  private @Nullable FollowingShard following;

  /** One that has resigned, and whose threads have not ended. */
  private @Nullable LedShard resigned;

  private HostedShard(
      int number,
      StorageEngine storage,
      IndexFiles indexFiles,
      @Nullable StorePlace place,
      HostSettings settings,
      InstantSource clock) {
    this.number = number;
    this.indexFiles = indexFiles;
    this.place = place;
    this.settings = settings;
    this.clock = clock;
    this.storage = storage;
    this.compactedBehind = RemovedRow.of(storage);
    this.followed = new FollowedLog(number);
  }

  /** A shard that keeps its rows in memory, where there is nothing to sync. */
  public static HostedShard inMemory(int number, GraphMetaConfig config, InstantSource clock) {
    HostSettings settings = new HostSettings(config, Hosting.whole(config));
    return over(number, new MemoryStorage(), IndexFiles.IN_MEMORY, false, settings, clock);
  }

  /**
   * A shard over the store in a directory.
   *
   * @param create whether the store may be created
   */
  public static HostedShard open(
      int number, Path directory, boolean create, GraphMetaConfig config, InstantSource clock) {
    HostSettings settings = new HostSettings(config, Hosting.whole(config));
    return open(number, directory, create, settings, clock, null);
  }

  /**
   * As above, with a log that is cut together with those of the other shards, if with any. What
   * these build on is then not synced for its own sake.
   */
  static HostedShard open(
      int number,
      Path directory,
      boolean create,
      HostSettings settings,
      InstantSource clock,
      @Nullable LogCuts cuts) {
    StorageEngine store = RocksDbStorage.open(directory, settings.store(create), cuts);
    return over(number, store, IndexFiles.beside(directory), cuts != null, settings, clock);
  }

  /**
   * One of the replicas of a shard, whose store has no log of its own. Leads when it is told to.
   */
  static HostedShard replica(
      int number, StorePlace place, boolean create, HostSettings settings, InstantSource clock) {
    return new HostedShard(
        number,
        openReplica(place.store(), create, settings),
        IndexFiles.beside(place.store()),
        place,
        settings,
        clock);
  }

  private static StorageEngine openReplica(Path store, boolean create, HostSettings settings) {
    return RocksDbStorage.open(store, settings.store(create).withLog(false), null);
  }

  /** Makes an empty store for a replica that is to follow from the beginning. */
  static void makeStore(StorePlace place, HostSettings settings) {
    openReplica(place.making(), true, settings).close();
    place.take();
  }

  /** A shard of which only what a handler lets through is answered, and which writes nothing. */
  static HostedShard readOnly(
      int number,
      StorageEngine store,
      ReplicationLog log,
      Shard shard,
      RequestHandler reads,
      IndexFiles indexFiles,
      HostSettings settings,
      InstantSource clock) {
    HostedShard hosted = new HostedShard(number, store, indexFiles, null, settings, clock);
    hosted.led = hosted.ledBy(log, shard, reads);
    return hosted;
  }

  private static HostedShard over(
      int number,
      StorageEngine storage,
      IndexFiles indexFiles,
      boolean isCut,
      HostSettings settings,
      InstantSource clock) {
    HostedShard hosted = new HostedShard(number, storage, indexFiles, null, settings, clock);
    try {
      hosted.awaitClock();
      ReplicationLog log =
          new LocalLog(
              storage,
              "graphmeta-log-sync-" + number,
              settings.config().number(Setting.SHARD_THREADS) == 0);
      Shard shard = new Shard(number, storage, log, clock, settings.shard(isCut));
      hosted.led = hosted.ledBy(log, shard, shard);
      return hosted;
    } catch (RuntimeException e) {
      storage.close();
      throw e;
    }
  }

  private LedShard ledBy(ReplicationLog log, Shard shard, RequestHandler handler) {
    return new LedShard(number, log, shard, handler, settings, clock);
  }

  /** Shares the greatest stamp that is committed with the other shards of a process. */
  void shareNewest(AtomicLong newest) {
    newestOfAll = newest;
  }

  /** Begins to keep house, if it may write. */
  public void begin() {
    LedShard now = led;
    if (now != null) {
      now.begin(indexFiles, newestOfAll);
    }
  }

  /**
   * Tells the shard how the others are reached, and begins to keep house if it may write; a replica
   * as soon as it leads.
   */
  public void join(Transport others) {
    peers = others;
    LedShard now = led;
    if (now != null) {
      now.join(others, indexFiles, newestOfAll);
    }
  }

  /**
   * The stamp at and below which the store has all commits of the shard, with their outcomes; 0 if
   * none is known.
   */
  public long settledStamp() {
    return Shard.settledStamp(storage, settings.config().number(Setting.SHARDS) == 1);
  }

  // Terms of a replica

  /**
   * The store, for what follows the replicas of the shard. Stays open until this is closed, or
   * another takes its place.
   */
  public StorageEngine store() {
    return storage;
  }

  private StorePlace requirePlace() {
    StorePlace replica = place;
    if (replica == null) {
      throw GraphMetaException.internal("Shard " + number + " has one copy, which stays");
    }
    return replica;
  }

  /** The directory in which a copy of the store of another replica is to be made. */
  public Path copyDirectory() {
    return requirePlace().making();
  }

  /**
   * Puts the copy, which is whole, in the place of the store, and opens it. The shard is not led;
   * who reads the store meanwhile fails.
   *
   * @throws GraphMetaException {@code STORAGE_FAILURE}; the store is closed then
   */
  public StorageEngine takeCopy() {
    StorePlace replica = requirePlace();
    endFollowing();
    storage.close();
    replica.take();
    StorageEngine copied = openReplica(replica.store(), false, settings);
    storage = copied;
    mayFollow(true);
    return copied;
  }

  /**
   * Leads from now on, over a store to which all was applied that was agreed on before. One thread
   * at a time calls this and {@link #follow}.
   *
   * @param log of this term
   * @param generation of the group: how often it has lost its majority, and gone on without
   * @throws GraphMetaException {@code MISMATCHED_SETTINGS} if the clock here is too far behind the
   *     stamps that were handed out; it does not lead then
   */
  public void lead(ReplicationLog log, int generation) {
    Transport others = peers;
    if (others == null) {
      throw GraphMetaException.internal("Shard " + number + " cannot lead before it has joined");
    }
    if (Shard.generationAfterLoss(storage) < generation) {
      long maxOffsetMicros = settings.shard(false).maxOffsetMicros();
      log.append(Shard.afterLoss(storage, generation, clock, maxOffsetMicros), Durability.SYNC)
          .join();
    }
    long aheadMicros = awaitClock();
    if (aheadMicros > 0) {
      throw new GraphMetaException(
          ErrorCode.MISMATCHED_SETTINGS,
          "The clock of this machine is "
              + aheadMicros / 1000
              + " ms behind the newest stamp of shard "
              + number
              + ", which it therefore does not lead; set the clock");
    }
    endFollowing();
    Shard shard = new Shard(number, storage, log, clock, settings.shard(false));
    LedShard begun = ledBy(log, shard, shard);
    begun.join(others, indexFiles, newestOfAll);
    led = begun;
  }

  /**
   * To be told of each entry that is applied and was not proposed by a log of this process: that it
   * is about to be, and when it is.
   */
  public ReplicationLog.Told followed() {
    return followed;
  }

  /**
   * Answers {@linkplain Request.FollowerRead a read} of a replica, or a {@linkplain
   * Request.FollowerTraversal message of a traversal}, whether this one leads or not.
   */
  public CompletableFuture<Response> readFollowing(Call call) {
    LedShard now = led;
    if (now != null) {
      return now.handle(call);
    }
    try {
      return following().handle(call);
    } catch (GraphMetaException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private FollowingShard following() {
    synchronized (followingLock) {
      if (!mayFollow) {
        throw TermAnswers.notLed(number);
      }
      FollowingShard there = following;
      if (there == null) {
        there =
            FollowingShard.over(
                number, storage, followed, clock, System::nanoTime, settings.shard(false));
        Transport others = peers;
        if (others != null) {
          there.join(others);
        }
        there.begin(settings);
        following = there;
      }
      return there;
    }
  }

  private void mayFollow(boolean now) {
    synchronized (followingLock) {
      mayFollow = now;
    }
  }

  /** The store is led, replaced or closed: no more is told of it, and nothing more is answered. */
  private void endFollowing() {
    synchronized (followingLock) {
      mayFollow = false;
      FollowingShard there = following;
      following = null;
      if (there != null) {
        there.end();
      }
    }
  }

  /**
   * Answers nothing more, and has all that was ordered applied, so that another replica can take
   * over at once. To be followed by {@link #follow}. By the thread that calls {@link #lead}.
   */
  public void resign() {
    LedShard over = led;
    if (over != null) {
      led = null;
      resigned = over;
      over.resign();
    }
  }

  /** Leads no more, and drops all that it had built; what was asked and not answered fails. */
  public void follow() {
    LedShard over = led == null ? resigned : led;
    led = null;
    resigned = null;
    if (over != null) {
      over.end(0);
    }
    mayFollow(true);
  }

  /** Whether it answers requests. */
  public boolean isLed() {
    return led != null;
  }

  // What is asked of the process

  @Override
  public void checkpoint(Path directory) {
    storage.checkpoint(directory);
  }

  /**
   * Gives back the room of rows that were removed of the store since this was called last; that can
   * take long. One thread at a time.
   */
  void compactRemoved() {
    StorageEngine store = storage;
    String removed = RemovedRow.of(store);
    if (!removed.equals(compactedBehind)) {
      for (Family family : Family.values()) {
        if (family.byVertex()) {
          store.compact(family);
        }
      }
      compactedBehind = removed;
    }
  }

  private Shard requireShard() {
    LedShard now = led;
    if (now == null) {
      throw TermAnswers.notLed(number);
    }
    return now.shard();
  }

  /** The stamp of the newest split that the shard knows of; 0 if there was none. */
  public long newestSplit() {
    return requireShard().newestSplit();
  }

  @Override
  public void requireKept(long stamp) {
    requireShard().requireKept(stamp);
  }

  /** Its number among all shards of the database, from 0. */
  public int number() {
    return number;
  }

  /** Number of parts of transactions whose outcome the shard does not know. */
  public int openIntents() {
    LedShard now = led;
    return now == null ? 0 : now.shard().openIntents();
  }

  /** Number of traversals that the shard keeps. */
  public int openTraversals() {
    LedShard now = led;
    synchronized (followingLock) {
      int here = following == null ? 0 : following.openTraversals();
      return here + (now == null ? 0 : now.shard().openTraversals());
    }
  }

  private @Nullable SplitThread splitting() {
    LedShard now = led;
    return now == null ? null : now.splitting();
  }

  /** Splits what has grown on this shard, and returns how many splits there were. */
  public int splitNow() {
    SplitThread splits = splitting();
    return splits == null ? 0 : splits.splitNow();
  }

  /** Splits nothing until the same thread lets it {@link #goOnSplitting go on}. */
  public void pauseSplitting() {
    SplitThread splits = splitting();
    if (splits != null) {
      splits.pause();
    }
  }

  /** Splits again. */
  public void goOnSplitting() {
    SplitThread splits = splitting();
    if (splits != null) {
      splits.goOn();
    }
  }

  /**
   * After a crash, or a change of the leader, the clock may have to catch up with the stored bound
   * of the stamps handed out before. Returns by how much it is still behind, in microseconds.
   */
  private long awaitClock() {
    long ahead = Shard.aheadMicros(storage, clock);
    while (ahead > 0 && ahead <= MAX_CLOCK_WAIT_MICROS) {
      LockSupport.parkNanos(ahead * 1000);
      if (Thread.currentThread().isInterrupted()) {
        throw new GraphMetaException(
            ErrorCode.CANCELLED, "The thread was interrupted while it opened a store");
      }
      ahead = Shard.aheadMicros(storage, clock);
    }
    return ahead;
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    LedShard now = led;
    return now == null
        ? CompletableFuture.failedFuture(TermAnswers.notLed(number))
        : now.handle(call);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    LedShard now = led;
    return now == null ? null : now.answerAtOnce(call);
  }

  /**
   * Fails what waits for the outcomes of transactions: for a process that is told no more of these
   * and whose callers would wait in vain.
   */
  public void endWaits() {
    LedShard now = led;
    if (now != null) {
      now.endWaits();
    }
  }

  /** Begins to close: no more housekeeping, which asks other shards. */
  public void leave() {
    LedShard now = led;
    if (now != null) {
      now.leave();
    }
  }

  /** The greatest stamp that was handed out, accepted or closed here; 0 if it does not lead. */
  long topStamp() {
    LedShard now = led;
    return now == null ? 0 : now.shard().topStamp();
  }

  /**
   * Ends all that writes to the store, for good, when no more requests will come to this shard or
   * to others. The store stays open. Safe to call again.
   *
   * @param newest the greatest of the {@linkplain #topStamp stamps} of all shards
   */
  public void endWrites(long newest) {
    LedShard now = led;
    if (now != null) {
      now.end(newest);
    }
  }

  @Override
  public void close() {
    endFollowing();
    try {
      endWrites(0);
    } finally {
      storage.close();
    }
  }

  /** Removes the store of a replica that is closed, for good. */
  void removeStore() {
    requirePlace().clear();
  }
}
