package io.graphmeta.simulation;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A shard with one copy through its incarnations: a disk that stays, and a process that dies and is
 * started again over what the disk kept.
 */
final class LoneShard extends SimulatedShard implements SimulatedNetwork.Node {
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;

  private final Simulation simulation;
  private final SplittableRandom random;
  private final SimulatedDisk disk;
  private final SimulatedClock clock;
  private int incarnation;
  private @Nullable SimulatedProcess process;
  private @Nullable SimulatedLog log;

  LoneShard(int number, Simulation simulation, SplittableRandom random) {
    super(number);
    this.simulation = simulation;
    this.random = random;
    this.disk =
        new SimulatedDisk(simulation.sabotage().showsTornEntries(), simulation.options().areCut());
    this.clock = new SimulatedClock(simulation.scheduler());
  }

  @Override
  public int host() {
    return number();
  }

  @Override
  public int incarnation() {
    return incarnation;
  }

  @Override
  SimulatedDisk disk() {
    return disk;
  }

  @Override
  List<SimulatedClock> clocks() {
    return List.of(clock);
  }

  @Override
  @Nullable SimulatedProcess leading() {
    return process;
  }

  @Override
  String missing() {
    return "";
  }

  @Override
  public boolean isUp() {
    return process != null;
  }

  @Override
  public String toString() {
    return "s" + number();
  }

  boolean hasFailed() {
    return log != null && log.hasFailed();
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    SimulatedProcess up = process;
    if (up == null) {
      throw new IllegalStateException("Shard " + number() + " is down");
    }
    CompletableFuture<Response> answer = up.handle(call);
    if (call.request() instanceof Request.ReadWatermark) {
      answer.thenRun(() -> simulation.watermarkTold(number()));
    }
    return answer;
  }

  /** Starts a process; it answers when its clock has reached the stamps of the one before. */
  @Override
  void start() {
    incarnation++;
    Sabotage sabotage = simulation.sabotage();
    if (sabotage.opensSynced()) {
      // What RocksDB finds in its log it writes to a table, and syncs that, before it is open.
      disk.sync(disk.entries());
    }
    SimulatedProcess.Ports ports =
        new SimulatedProcess.Ports(simulation, number(), random.split(), disk, clock);
    SimulatedLog own =
        new SimulatedLog(
            simulation.scheduler(),
            random.split(),
            disk,
            ports.storage,
            simulation::diskFaults,
            sabotage.applyMicros(simulation.options().applyMicros()));
    log = own;
    own.syncEvery(simulation.options().backgroundSyncMicros());
    long ahead = Shard.aheadMicros(ports.storage, ports.clock);
    simulation
        .scheduler()
        .after(
            ahead <= MAX_CLOCK_WAIT_MICROS ? ahead : 0,
            () -> {
              if (log == own) {
                open(ports, own);
              }
            });
  }

  private void open(SimulatedProcess.Ports ports, SimulatedLog own) {
    Indexing indexing = simulation.indexing();
    process =
        new SimulatedProcess(
            simulation,
            number(),
            ports,
            simulation.sabotage().log(number(), own),
            simulation.transport(number(), "s" + number()),
            indexing == null ? null : indexing.of(number(), 0),
            handler -> handler);
    simulation.trace("s", number(), " is up, incarnation ", incarnation);
  }

  /** The process dies; the disk keeps what was written. */
  void kill() {
    end();
    disk.processEnds();
    simulation.trace("s", number(), " killed");
  }

  /** The machine loses its power: the disk keeps what was synced, and perhaps more. */
  void losePower() {
    end();
    int lost = disk.losePower(random);
    simulation.trace("s", number(), " lost power and ", lost, " entries");
  }

  private void end() {
    if (log != null) {
      log.end();
    }
    if (process != null) {
      process.end();
    }
    log = null;
    process = null;
    incarnation++;
  }

  /** The process ends as it should. */
  void stop() {
    try {
      if (process != null && log != null) {
        process.close();
        log.close();
      }
    } catch (GraphMetaException e) {
      simulation.trace("s", number(), " could not be closed: ", e.getMessage());
    }
    end();
    disk.processEnds();
    simulation.trace("s", number(), " stopped");
  }
}
