package io.graphmeta.simulation;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Options.Processes;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.RequestHandler;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A shard over a store and a log, with all that belongs to it: its housekeeping, its threads, its
 * index, the faults of its ports. Lives until its process ends, or its term; nothing of it is left
 * then.
 */
final class SimulatedProcess {
  private static final long TICK_MICROS = 50_000;

  private final Simulation simulation;
  private final int number;
  private final String name;
  private final SplittableRandom random;
  private final PortFaults faults;
  private final StorageEngine store;
  private final Shard shard;
  private final RequestHandler handler;
  private final Set<CompletableFuture<Response>> owed = new LinkedHashSet<>();
  private final @Nullable SimulatedIndex index;
  private long calls;
  private boolean ended;

  /** What a process is made of: the ports, through the faults that they have. */
  static final class Ports {
    private final PortFaults faults;
    private final SplittableRandom random;
    final StorageEngine storage;
    final InstantSource clock;

    /**
     * The ports of a process over a disk.
     *
     * @param number of the shard
     */
    Ports(
        Simulation simulation,
        int number,
        SplittableRandom random,
        SimulatedDisk disk,
        SimulatedClock clock) {
      Sabotage sabotage = simulation.sabotage();
      this.random = random;
      this.faults =
          new PortFaults(random.split(), simulation::portFaults, simulation::faultPlanted);
      this.storage = faults.storage(sabotage.storage(number, new SimulatedStore(disk)));
      this.clock = faults.clock(sabotage.clock(number, clock));
    }
  }

  /**
   * Opens a shard.
   *
   * @param number of the shard
   * @param node by whose name the others are asked
   * @param index follows the store, if there are indexes
   * @param gate what requests pass on their way to the shard
   */
  SimulatedProcess(
      Simulation simulation,
      int number,
      Ports ports,
      ReplicationLog log,
      SimulatedTransport node,
      @Nullable SimulatedIndex index,
      UnaryOperator<RequestHandler> gate) {
    this.simulation = simulation;
    this.number = number;
    this.name = "s" + number;
    this.random = ports.random;
    this.faults = ports.faults;
    this.store = ports.storage;
    this.shard =
        new Shard(
            number,
            ports.storage,
            log,
            ports.clock,
            new ShardTime(
                simulation.scheduler(), random.split(), simulation.options().processes().pauses()),
            simulation.options().shardSettings(simulation.map(), simulation.requestMillis()));
    shard.join(
        new ProcessTransport(simulation.sabotage().peers(number, node), () -> !ended, this::run));
    giveThreads();
    this.handler = gate.apply(simulation.sabotage().handler(number, shard));
    tick(simulation.scheduler().now());
    this.index = index;
    if (index != null) {
      index.follow(shard.follower(), this::run, faults);
    }
  }

  private void giveThreads() {
    Processes processes = simulation.options().processes();
    if (processes.threads() > 0) {
      shard.workOn(
          new SimulatedThreads(simulation.scheduler(), random.split(), this::run),
          processes.threads(),
          processes.leastShared());
    }
  }

  /** The shard itself, past all that sabotages it. */
  Shard shard() {
    return shard;
  }

  /** Number of requests that were not answered, nor refused. */
  int unanswered() {
    return owed.size();
  }

  /** Does something in the process, whose ports may fail meanwhile, unless it has ended. */
  void run(Runnable action) {
    if (ended) {
      return;
    }
    boolean before = faults.set(true);
    try {
      action.run();
    } finally {
      faults.set(before);
    }
  }

  CompletableFuture<Response> handle(Call call) {
    if (simulation.sabotage() == Sabotage.NONE && !simulation.isReplicated()) {
      faults.set(false);
      CachedReads.requireAgreement(
          number, new EntryPlaces(simulation.map(), Placements.DIDO), shard, store, call.request());
    }
    // Half of what can be is answered as by a thread of a connection, where no port is called.
    Response now = (++calls & 1) == 0 ? handler.answerAtOnce(call) : null;
    if (now != null) {
      return CompletableFuture.completedFuture(now);
    }
    boolean before = faults.set(true);
    try {
      return owe(handler.handle(call));
    } finally {
      faults.set(before);
    }
  }

  private CompletableFuture<Response> owe(CompletableFuture<Response> answer) {
    if (!answer.isDone()) {
      owed.add(answer);
      answer.whenComplete((response, failure) -> owed.remove(answer));
    }
    return answer;
  }

  private void tick(long startedMicros) {
    simulation
        .scheduler()
        .after(
            TICK_MICROS / 2 + random.nextLong(TICK_MICROS),
            () -> {
              if (!ended) {
                tickOnce(startedMicros);
                tick(startedMicros);
              }
            });
  }

  private void tickOnce(long startedMicros) {
    faults.set(true);
    try {
      shard.tick((simulation.scheduler().now() - startedMicros) / 1000, 0);
    } catch (RuntimeException | Error e) {
      // The disk refused, or worse; the next tick tries again.
      if (!(e instanceof GraphMetaException) && !PortFaults.isPlanted(e)) {
        throw e;
      }
      simulation.trace(name, " tick failed: ", e.getMessage());
    } finally {
      faults.set(false);
    }
  }

  /** Closes the shard as it should be; to be followed by {@link #end}. */
  void close() {
    if (index != null && random.nextBoolean()) {
      index.end(shard.follower()); // else its thread is too late for that
    }
    shard.close();
  }

  /** Ends at once. */
  void end() {
    ended = true;
  }
}
