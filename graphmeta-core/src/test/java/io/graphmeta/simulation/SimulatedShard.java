package io.graphmeta.simulation;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Options.Processes;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.RequestHandler;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One shard through its incarnations: a disk that stays, and a process that dies and is started
 * again over what the disk kept.
 */
final class SimulatedShard implements SimulatedNetwork.Node {
  private static final long TICK_MICROS = 50_000;
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;
  private static final long MAX_DEPOSED_MICROS = 1_500_000;

  private final int number;
  private final Simulation simulation;
  private final SplittableRandom random;
  private SimulatedDisk disk;
  private final SimulatedClock clock;
  private int incarnation;
  private long calls;
  private final Set<CompletableFuture<Response>> owed = new LinkedHashSet<>();
  private PortFaults faults = PortFaults.NONE;
  private @Nullable RequestHandler handler;

  /** The process before, which does not know yet that another has taken over. */
  private @Nullable RequestHandler deposed;

  private @Nullable Shard shard;
  private @Nullable StorageEngine store;
  private @Nullable SimulatedLog log;

  SimulatedShard(int number, Simulation simulation, SplittableRandom random) {
    this.number = number;
    this.simulation = simulation;
    this.random = random;
    this.disk =
        new SimulatedDisk(simulation.sabotage().showsTornEntries(), simulation.options().areCut());
    this.clock = new SimulatedClock(simulation.scheduler());
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public int incarnation() {
    return incarnation;
  }

  SimulatedDisk disk() {
    return disk;
  }

  SimulatedClock clock() {
    return clock;
  }

  @Override
  public boolean isUp() {
    return handler != null || deposed != null;
  }

  /** Whether a process is there that no other has taken over from. */
  boolean leads() {
    return handler != null;
  }

  boolean hasFailed() {
    return log != null && log.hasFailed();
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    RequestHandler before = deposed;
    if (before != null && (handler == null || random.nextInt(3) == 0)) {
      if (call.request() instanceof Request.ReadSchema) { // does not tell how new the names must be
        return new CompletableFuture<>();
      }
      simulation.trace("s", number, " is asked as it was before: ", new Words(call.request()));
      simulation.askedBefore();
      return before.handle(call);
    }
    RequestHandler up = handler;
    if (up == null) {
      throw new IllegalStateException("Shard " + number + " is down");
    }
    Shard queried = shard;
    StorageEngine read = store;
    if (queried != null && read != null && simulation.sabotage() == Sabotage.NONE) {
      faults.set(false);
      CachedReads.requireAgreement(
          number,
          new EntryPlaces(simulation.map(), Placements.DIDO),
          queried,
          read,
          call.request());
    }
    // Half of what can be is answered as by a thread of a connection, where no port is called.
    Response now = (++calls & 1) == 0 ? up.answerAtOnce(call) : null;
    if (now != null) {
      return CompletableFuture.completedFuture(now);
    }
    faults.set(true);
    try {
      return owe(up.handle(call));
    } finally {
      faults.set(false);
    }
  }

  private CompletableFuture<Response> owe(CompletableFuture<Response> answer) {
    if (!answer.isDone()) {
      owed.add(answer);
      answer.whenComplete((response, failure) -> owed.remove(answer));
    }
    return answer;
  }

  /** Number of requests that have reached this process and were not answered, nor refused. */
  int unanswered() {
    return owed.size();
  }

  /** The shard itself, past all that sabotages it. */
  RequestHandler handler() {
    Shard up = shard;
    if (up == null) {
      throw new IllegalStateException("Shard " + number + " is down");
    }
    return up;
  }

  /**
   * What indexes have still to do in this process, in words; empty if nothing. A client has asked
   * for a snapshot before: without any what is resolved does not move on.
   */
  String unindexed() {
    handler().handle(new Call(Simulation.EPOCH, 1000, new Request.Snapshot(0)));
    Call call = new Call(Simulation.EPOCH, 1000, new Request.ReadIndexes());
    return Indexing.missing((Response.Indexes) handler().handle(call).join());
  }

  /** Number of traversals that this process holds. */
  int openTraversals() {
    Shard up = shard;
    return up == null ? 0 : up.openTraversals();
  }

  /** What the shard tells of itself, past all that sabotages it. */
  Response.Status status() {
    Call call = new Call(Simulation.EPOCH, 1000, new Request.ReadStatus());
    return (Response.Status) handler().handle(call).join();
  }

  /** Starts a process; it answers when its clock has reached the stamps of the one before. */
  void start() {
    incarnation++;
    int mine = incarnation;
    Sabotage sabotage = simulation.sabotage();
    faults = new PortFaults(random.split(), simulation::portFaults, simulation::faultPlanted);
    if (sabotage.opensSynced()) {
      // What RocksDB finds in its log it writes to a table, and syncs that, before it is open.
      disk.sync(disk.entries());
    }
    StorageEngine storage = faults.storage(sabotage.storage(number, new SimulatedStore(disk)));
    InstantSource physical = faults.clock(sabotage.clock(number, clock));
    SimulatedLog own =
        new SimulatedLog(
            simulation.scheduler(),
            random.split(),
            disk,
            storage,
            simulation::diskFaults,
            sabotage.applyMicros(simulation.options().applyMicros()));
    log = own;
    own.syncEvery(simulation.options().backgroundSyncMicros());
    long ahead = Shard.aheadMicros(storage, physical);
    simulation
        .scheduler()
        .after(
            ahead <= MAX_CLOCK_WAIT_MICROS ? ahead : 0,
            () -> {
              if (incarnation == mine && log == own) {
                open(storage, physical, sabotage.log(number, own));
              }
            });
  }

  private void open(StorageEngine storage, InstantSource physical, ReplicationLog opened) {
    Shard started =
        new Shard(
            number,
            storage,
            opened,
            physical,
            new ShardTime(
                simulation.scheduler(), random.split(), simulation.options().processes().pauses()),
            simulation.options().shardSettings(simulation.map()));
    int mine = incarnation;
    started.join(
        new ProcessTransport(
            simulation.sabotage().peers(number, simulation.transport(number, "s" + number)),
            () -> incarnation == mine,
            action -> runIn(mine, action)));
    giveThreads(started, mine);
    shard = started;
    store = storage;
    handler = simulation.sabotage().handler(number, started);
    simulation.trace("s", number, " is up, incarnation ", incarnation);
    tick(mine, simulation.scheduler().now());
    Indexing indexing = simulation.indexing();
    if (indexing != null) {
      indexing.follow(number, started, action -> runIn(mine, action));
    }
  }

  private void giveThreads(Shard started, int mine) {
    Processes processes = simulation.options().processes();
    if (processes.threads() > 0) {
      started.workOn(
          new SimulatedThreads(
              simulation.scheduler(), random.split(), action -> runIn(mine, action)),
          processes.threads(),
          processes.leastShared());
    }
  }

  /** Does something in a process, whose ports may fail meanwhile, unless it has ended. */
  private void runIn(int process, Runnable action) {
    if (incarnation != process) {
      return;
    }
    PortFaults ports = faults;
    boolean before = ports.set(true);
    try {
      action.run();
    } finally {
      ports.set(before);
    }
  }

  private void tick(int mine, long startedMicros) {
    simulation
        .scheduler()
        .after(
            TICK_MICROS / 2 + random.nextLong(TICK_MICROS),
            () -> {
              Shard up = shard;
              if (incarnation == mine && up != null) {
                tickOnce(up, startedMicros);
                tick(mine, startedMicros);
              }
            });
  }

  private void tickOnce(Shard up, long startedMicros) {
    faults.set(true);
    try {
      up.tick((simulation.scheduler().now() - startedMicros) / 1000, 0);
    } catch (RuntimeException | Error e) {
      // The disk refused, or worse; the next tick tries again.
      if (!(e instanceof GraphMetaException) && !PortFaults.isPlanted(e)) {
        throw e;
      }
      simulation.trace("s", number, " tick failed: ", e.getMessage());
    } finally {
      faults.set(false);
    }
  }

  /**
   * A process over another replica takes over, which has all that was applied here, and some of
   * what was ordered. The one before answers some of those who ask for a while longer: it is cut
   * off from the other shards, and has not noticed.
   */
  void changeLeader() {
    RequestHandler old = shard;
    SimulatedLog oldLog = log;
    if (old == null || oldLog == null || oldLog.hasFailed()) {
      return;
    }
    SimulatedDisk replica = disk.copy();
    List<RowBatch> kept = oldLog.takenOver();
    kept.forEach(replica::write);
    log = null;
    owed.clear();
    shard = null;
    handler = null;
    simulation.leaderChanged();
    incarnation++;
    disk = replica;
    deposed = old;
    simulation.trace("s", number, " is led by another, with ", kept.size(), " entries more");
    start();
    simulation
        .scheduler()
        .after(
            1 + random.nextLong(MAX_DEPOSED_MICROS),
            () -> {
              oldLog.end();
              deposed = deposed == old ? null : deposed;
            });
  }

  /** Who does not lead any more notices it. */
  void notices() {
    deposed = null;
  }

  /** The process dies; the disk keeps what was written. */
  void kill() {
    end();
    disk.processEnds();
    simulation.trace("s", number, " killed");
  }

  /** The machine loses its power: the disk keeps what was synced, and perhaps more. */
  void losePower() {
    end();
    int lost = disk.losePower(random);
    simulation.trace("s", number, " lost power and ", lost, " entries");
  }

  private void end() {
    if (log != null) {
      log.end();
    }
    log = null;
    owed.clear();
    shard = null;
    handler = null;
    incarnation++;
  }

  /** The process ends as it should. */
  void stop() {
    try {
      if (shard != null && log != null) {
        if (simulation.indexing() != null) {
          simulation.indexing().end(number, shard);
        }
        shard.close();
        log.close();
      }
    } catch (GraphMetaException e) {
      simulation.trace("s", number, " could not be closed: ", e.getMessage());
    }
    end();
    disk.processEnds();
    simulation.trace("s", number, " stopped");
  }
}
