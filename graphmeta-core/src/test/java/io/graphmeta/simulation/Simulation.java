package io.graphmeta.simulation;

import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Response;
import io.graphmeta.simulation.Scheduler.Fiber;
import io.graphmeta.simulation.SimulatedLog.DiskFaults;
import io.graphmeta.simulation.Violation.Invariant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run: shards, clients and trouble, all drawn from one seed, and at its end peace, in which
 * everything must settle. The same seed plays the same run.
 */
final class Simulation {
  static final long EPOCH = 1;

  private static final int VIRTUAL_NODES = 16;
  private static final long AUDIT_MICROS = 250_000;
  private static final long SETTLE_MICROS = 60_000_000;

  private final long seed;
  private final Options options;
  private final double portFaults;
  private final Sabotage sabotage;
  private final Trace trace = new Trace();
  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final VirtualNodeMap map;
  private final List<SimulatedShard> shards = new ArrayList<>();
  private final SimulatedConnections connections;
  private final @Nullable SimulatedCluster cluster;
  private final SimulatedNetwork network;
  private final History history = new History();
  private final Auditor auditor;
  private final StoredRows rows;
  private final @Nullable Indexing indexing;
  private final Trouble nemesis;
  private final List<Client> clients = new ArrayList<>();
  private final List<Fiber> fibers = new ArrayList<>();
  private final List<Fiber> splitters = new ArrayList<>();
  private @Nullable Fiber indexer;
  private final List<Fiber> working = new ArrayList<>();
  private int clientNumbers;
  private int powerLosses;
  private int splits;
  private int plantedFaults;
  private Leaders leaders = Leaders.NONE;
  private int traversals;
  private int failedTraversals;
  private boolean draining;
  private Outcome outcome = Outcome.NONE;

  /**
   * What became of who leads.
   *
   * @param changes times that another replica took over
   * @param asked requests to one that another had taken over from
   * @param moves replicas that went to another node
   * @param followed requests that replicas have answered that follow
   */
  record Leaders(int changes, int asked, int moves, int followed) {
    static final Leaders NONE = new Leaders(0, 0, 0, 0);

    Leaders plus(Leaders other) {
      return new Leaders(
          changes + other.changes,
          asked + other.asked,
          moves + other.moves,
          followed + other.followed);
    }
  }

  /**
   * What a run was like.
   *
   * @param failedTraversals of the traversals, those that were not answered
   * @param indexes what was asked of them
   * @param events of the scheduler
   */
  record Outcome(
      int transactions,
      int acknowledged,
      int refused,
      int unknown,
      int overShards,
      int writeSkews,
      int splits,
      int portFaults,
      int breaks,
      Leaders leaders,
      int traversals,
      int failedTraversals,
      Indexing.Use indexes,
      long events) {
    static final Outcome NONE =
        new Outcome(0, 0, 0, 0, 0, 0, 0, 0, 0, Leaders.NONE, 0, 0, Indexing.Use.NONE, 0);

    Outcome plus(Outcome other) {
      return new Outcome(
          transactions + other.transactions,
          acknowledged + other.acknowledged,
          refused + other.refused,
          unknown + other.unknown,
          overShards + other.overShards,
          writeSkews + other.writeSkews,
          splits + other.splits,
          portFaults + other.portFaults,
          breaks + other.breaks,
          leaders.plus(other.leaders),
          traversals + other.traversals,
          failedTraversals + other.failedTraversals,
          indexes.plus(other.indexes),
          events + other.events);
    }
  }

  Simulation(long seed, Sabotage sabotage, FiberThreads threads) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.sabotage = sabotage;
    Options drawn = Options.draw(random);
    boolean indexed = sabotage.isIndexed(Indexing.isDrawn(seed));
    Options world = sabotage.world(indexed ? drawn.withIndexes() : drawn);
    boolean replicated = sabotage.isReplicated(drawn.isReplicated());
    this.options = replicated ? world.withReplicas() : world;
    this.portFaults = sabotage.portFaults(PortFaults.chance(seed));
    this.scheduler = new Scheduler(random.split(), threads);
    this.map = VirtualNodeMap.roundRobin(EPOCH, VIRTUAL_NODES, options.shards());
    this.cluster = replicated ? new SimulatedCluster(this, random.split()) : null;
    int hosts = replicated ? options.hosts() : options.nodes();
    this.connections =
        new SimulatedConnections(scheduler, new SplittableRandom(~seed), hosts, options.breaks());
    List<LoneShard> lone = new ArrayList<>();
    this.network =
        new SimulatedNetwork(
            scheduler,
            random.split(),
            trace,
            cluster == null ? lone : cluster.places(),
            options.weather(),
            options.asBytes(),
            options.hasConnections(),
            connections);
    this.indexing = indexed ? new Indexing(this, new SplittableRandom(seed * 41 + 3)) : null;
    for (int shard = 0; cluster == null && shard < options.shards(); shard++) {
      lone.add(new LoneShard(shard, this, random.split()));
    }
    shards.addAll(cluster == null ? lone : cluster.shards());
    this.rows = new StoredRows(shards, new EntryPlaces(map, Placements.DIDO));
    this.auditor = new Auditor(history, shards, rows);
    this.nemesis =
        cluster == null
            ? new Nemesis(this, lone, random.split())
            : new ReplicaTrouble(this, cluster, random.split());
    this.clientNumbers = Math.max(options.shards(), hosts);
  }

  /** Plays the run. Throws what went wrong. */
  Outcome run() {
    trace("world ", options);
    if (cluster != null) {
      cluster.hosts().forEach(host -> host.clock().disturb(random, options.maxOffsetMicros() / 4));
    }
    for (SimulatedShard shard : shards) {
      shard.clocks().forEach(clock -> clock.disturb(random, options.maxOffsetMicros() / 4));
      shard.start();
    }
    for (int i = 0; i < options.clients(); i++) {
      clients.add(newClient());
      fibers.add(start(clients.get(i)));
    }
    for (int shard = 0; shard < options.shards() && options.shards() > 1; shard++) {
      splitters.add(startSplitter(shard));
    }
    replaceIndexer();
    if (options.areCut()) {
      new SimulatedCuts(this, random.split()).next();
    }
    nemesis.start();
    scheduler.after(AUDIT_MICROS, this::auditAgain);
    scheduler.after(options.micros(), this::drain);
    scheduler.run();
    return outcome;
  }

  private Fiber startSplitter(int shard) {
    Client way = newClient();
    return begin("s" + shard, new SplitterFiber(this, shard, way, random.split()));
  }

  /** Counts splits. */
  void split(int more) {
    splits += more;
  }

  /** A replica has taken over from another. */
  void leaderChanged() {
    leaders = leaders.plus(new Leaders(1, 0, 0, 0));
  }

  /** A replica has moved from one node to another. */
  void moved() {
    leaders = leaders.plus(new Leaders(0, 0, 1, 0));
  }

  /** A leader is about to take one node into its group in the place of another. */
  void membersChange(int leader, int from, int to) {
    if (!draining) {
      nemesis.membersChange(leader, from, to);
    }
  }

  /** As {@link Trouble#watermarkTold}. */
  void watermarkTold(int shard) {
    if (nemesis != null) {
      nemesis.watermarkTold(shard);
    }
  }

  /** One that another has taken over from was asked. */
  void askedBefore() {
    leaders = leaders.plus(new Leaders(0, 1, 0, 0));
  }

  /** One that follows has answered. */
  void answeredNearby() {
    leaders = leaders.plus(new Leaders(0, 0, 0, 1));
  }

  /** Counts faults at the ports of shards. */
  void faultPlanted() {
    plantedFaults++;
  }

  /** Counts traversals, and those of them that ended with an error. */
  void traversed(boolean answered) {
    traversals++;
    failedTraversals += answered ? 0 : 1;
  }

  private Client newClient() {
    return new Client(this, clientNumbers++, random.split());
  }

  private Fiber start(Client client) {
    return begin("c" + client.number(), client);
  }

  private Fiber begin(String name, Runnable task) {
    Fiber[] started = new Fiber[1];
    Fiber fiber =
        scheduler.start(
            name,
            () -> {
              try {
                task.run();
              } finally {
                working.remove(started[0]);
              }
            });
    started[0] = fiber;
    working.add(fiber);
    return fiber;
  }

  private void audit() {
    auditor.audit();
    if (cluster != null) {
      cluster.shards().forEach(ReplicatedShard::requireAgreement);
    }
  }

  private void auditAgain() {
    if (!draining) {
      audit();
      scheduler.after(AUDIT_MICROS, this::auditAgain);
    }
  }

  // What trouble does

  /** A client dies where it is, and another takes its place. */
  void replaceClient(int index) {
    trace("c", clients.get(index).number(), " dies");
    scheduler.kill(fibers.get(index));
    clients.set(index, newClient());
    fibers.set(index, start(clients.get(index)));
  }

  /** Whoever splits what has grown on a shard dies where it is, and another takes its place. */
  void replaceSplitter(int shard) {
    if (!splitters.isEmpty()) {
      trace("splitter of shard ", shard, " dies");
      scheduler.kill(splitters.get(shard));
      splitters.set(shard, startSplitter(shard));
    }
  }

  /** Whoever defines indexes dies where it is, and another takes its place. */
  void replaceIndexer() {
    if (indexing != null) {
      if (indexer != null) {
        scheduler.kill(indexer);
      }
      indexer = begin("indexer", new IndexerFiber(this, indexing, newClient()));
    }
  }

  /** All lose their power at once, the clients too. */
  void loseAllPower(List<LoneShard> lone) {
    auditor.audit();
    lone.forEach(LoneShard::losePower);
    powerLosses++;
    if (options.durability() == io.graphmeta.storage.Durability.BACKGROUND) {
      history.nextEra();
    }
    if (shards.size() == 1 || options.areCut()) {
      history.loseLeases(); // they are in the log, but no one waits until they are on the disk
    }
    for (int i = 0; i < clients.size(); i++) {
      replaceClient(i);
    }
    replaceIndexer();
  }

  // The end

  private void drain() {
    trace("peace");
    draining = true;
    nemesis.end();
    connections.end();
    long until = scheduler.now() + SETTLE_MICROS;
    scheduler.after(0, () -> settle(until));
  }

  private void settle(long until) {
    String missing = missing();
    if (missing.isEmpty()) {
      audit();
      auditor.auditSettled();
      begin("reader", this::readAll);
    } else if (scheduler.now() > until) {
      throw new Violation(
          Invariant.SETTLES, "peace", missing + " after " + SETTLE_MICROS / 1000 + " ms of peace");
    } else {
      nemesis.end();
      scheduler.after(100_000, () -> settle(until));
    }
  }

  /** What is still to come, in words; empty if all is settled. */
  private String missing() {
    if (!working.isEmpty()) {
      return working + " did not end";
    }
    for (SimulatedShard shard : shards) {
      if (!shard.leads()) {
        return "Shard " + shard.number() + " is not up";
      }
      if (shard.unanswered() > 0) {
        return "Shard " + shard.number() + " owes " + shard.unanswered() + " answers";
      }
      if (shard.openTraversals() > 0) {
        return "Shard " + shard.number() + " holds " + shard.openTraversals() + " traversals";
      }
      Response.Status status = shard.status();
      if (status.openIntents() > 0 || status.decidedIntents() > 0) {
        return "Shard "
            + shard.number()
            + " has "
            + status.openIntents()
            + " open and "
            + status.decidedIntents()
            + " decided intents";
      }
      String more = shard.missing();
      if (!more.isEmpty()) {
        return more;
      }
      String unindexed = indexing == null ? "" : shard.unindexed();
      if (!unindexed.isEmpty()) {
        return "On shard " + shard.number() + " " + unindexed;
      }
    }
    return rows.intents() == 0 ? "" : rows.intents() + " intents are on disk";
  }

  private void readAll() {
    long newest = history.acknowledged().stream().mapToLong(txn -> txn.stamp).max().orElse(0);
    Client reader = newClient();
    reader.clock().correct();
    reader.readAll(newest);
    auditor.auditSettled();
    if (indexing != null) {
      Indexing.requireClean(reader.newRouter());
    }
    Verdict verdict = new Verdict(history, auditor);
    verdict.requireConsistentRows(transport(clientNumbers++, "check"), map);
    verdict.requireGraphRules();
    int skews = verdict.requireSnapshotIsolation();
    outcome =
        verdict.outcome(
            skews,
            splits,
            plantedFaults,
            connections.breaks(),
            leaders,
            traversals,
            failedTraversals,
            indexing == null ? Indexing.Use.NONE : indexing.use(),
            scheduler.events());
    scheduler.stop();
  }

  // What the parts share

  Options options() {
    return options;
  }

  /** How long a client waits for an answer. */
  long requestMillis() {
    return options.requestMillis(isReplicated(), sabotage.waitsForLeaders());
  }

  /** How disks behave now. */
  DiskFaults diskFaults() {
    return draining ? DiskFaults.NONE : options.diskFaults();
  }

  /** The chance that a call of a port of a shard fails now. */
  double portFaults() {
    return draining ? 0 : portFaults;
  }

  /** The indexes of the shards; null if they have none. */
  @Nullable Indexing indexing() {
    return indexing;
  }

  /** What a client does. */
  Workload workload(SplittableRandom of, InstantSource clock) {
    return indexing == null
        ? new WiderWorkload(this, of, clock)
        : new IndexedWorkload(this, indexing, of, clock);
  }

  Sabotage sabotage() {
    return sabotage;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** The way of a node to the shards. */
  SimulatedTransport transport(int node, String name) {
    return cluster == null
        ? new SimulatedTransport(scheduler, network, node, name)
        : new SimulatedTransport(
            scheduler,
            new NearWay(this, cluster, node, name, new LeaderWay(this, cluster, node, name)::send));
  }

  /** Whether clients read the past at any replicas. */
  boolean readsNearby() {
    return sabotage.readsNearby((seed & 1) == 0);
  }

  /** Randomness for which replicas are near a node, apart from all other. */
  SplittableRandom nearRandom(int node) {
    return new SplittableRandom(seed * 59 + node);
  }

  /** Whether shards have replicas. */
  boolean isReplicated() {
    return cluster != null;
  }

  SimulatedNetwork network() {
    return network;
  }

  List<SimulatedShard> shards() {
    return shards;
  }

  History history() {
    return history;
  }

  VirtualNodeMap map() {
    return map;
  }

  /** How often all shards have lost their power. */
  int powerLosses() {
    return powerLosses;
  }

  boolean isDraining() {
    return draining;
  }

  /** The numbers of all shards and living clients. */
  List<Integer> nodes() {
    return IntStream.concat(
            IntStream.range(0, cluster == null ? shards.size() : options.hosts()),
            clients.stream().mapToInt(Client::number))
        .boxed()
        .toList();
  }

  List<SimulatedClock> clocks() {
    List<SimulatedClock> clocks = new ArrayList<>();
    shards.forEach(shard -> clocks.addAll(shard.clocks()));
    if (cluster != null) {
      cluster.hosts().forEach(host -> clocks.add(host.clock()));
    }
    clients.forEach(client -> clocks.add(client.clock()));
    return clocks;
  }

  void trace(Object... parts) {
    trace.add(scheduler.now(), parts);
  }

  Trace trace() {
    return trace;
  }
}
