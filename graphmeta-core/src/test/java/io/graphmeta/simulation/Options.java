package io.graphmeta.simulation;

import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.simulation.SimulatedLog.DiskFaults;
import io.graphmeta.simulation.SimulatedNetwork.Weather;
import io.graphmeta.storage.Durability;
import java.util.SplittableRandom;

/**
 * What kind of world a run plays in; drawn from its seed.
 *
 * @param shards number of shards
 * @param clients number of clients at a time
 * @param durability of commits
 * @param ids how many ids vertices are given; edges are given half as many
 * @param micros how long clients work, in virtual time
 * @param thinkMicros how long a client waits between its transactions, at most
 * @param weather of the network while clients work
 * @param diskFaults of all disks
 * @param troubleMicros usual time between two troubles; 0 for none
 * @param maxOffsetMicros how far clocks may be wrong, by the settings
 * @param backgroundSyncMicros usual time between two syncs that nobody waits for
 * @param asBytes whether messages travel as bytes
 * @param splitThreshold entries of a vertex on one shard above which they are split
 * @param movedRowsKeptMillis how long rows that were moved away are kept
 * @param processes how shards work
 */
record Options(
    int shards,
    int clients,
    Durability durability,
    int ids,
    long micros,
    long thinkMicros,
    Weather weather,
    DiskFaults diskFaults,
    long troubleMicros,
    long maxOffsetMicros,
    long backgroundSyncMicros,
    boolean asBytes,
    int splitThreshold,
    long movedRowsKeptMillis,
    Processes processes) {
  /** How long a client waits for an answer, where it does not wait for leaders. */
  static final long REQUEST_MILLIS = 250;

  /** Longer than most changes of leaders. */
  private static final long LONG_REQUEST_MILLIS = 2_000;

  private static final int PAGE_BYTES = 600;

  /** So few that slices are many. */
  private static final int SLICE_ELEMENTS = 2;

  private static final long INTENT_MILLIS = 400;
  private static final int MAX_INTENTS = 10_000;
  private static final long ADJACENCY_CACHE_BYTES = 1 << 16;
  private static final int MAX_NAMES = 1000;

  /**
   * How the process of a shard works.
   *
   * @param threads how many may take part in one operation of a traversal, beside the one that runs
   *     it; 0 for none, which then read nothing ahead either
   * @param leastShared the least number of elements in an operation that they take part in
   * @param pauses the chance of a pause whenever a traversal looks at the time
   */
  record Processes(int threads, int leastShared, double pauses) {
    private static Processes draw(SplittableRandom random) {
      return new Processes(
          random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(2),
          1 + random.nextInt(6),
          random.nextInt(4) == 0 ? random.nextDouble(0.03) : 0);
    }
  }

  static Options draw(SplittableRandom random) {
    boolean calm = random.nextInt(5) == 0;
    Weather weather =
        calm
            ? Weather.FAIR
            : new Weather(
                200 + random.nextLong(3_000),
                random.nextInt(3) == 0 ? random.nextDouble(0.08) : 0,
                random.nextInt(2) == 0 ? random.nextDouble(0.1) : 0,
                random.nextInt(2) == 0 ? random.nextDouble(0.05) : 0,
                1 + random.nextLong(3_000_000),
                random.nextInt(4) == 0 ? 0.01 : 0);
    boolean faulty = random.nextInt(8) == 0;
    return new Options(
        new int[] {1, 2, 2, 3, 3, 3, 4}[random.nextInt(7)],
        2 + random.nextInt(4),
        random.nextInt(3) == 0 ? Durability.BACKGROUND : Durability.SYNC,
        3 + random.nextInt(6),
        1_000_000 + random.nextLong(3_000_000),
        1_000 + random.nextLong(60_000),
        weather,
        new DiskFaults(100 + random.nextLong(6_000), faulty ? 0.01 : 0, faulty ? 0.01 : 0),
        random.nextInt(6) == 0 ? 0 : 80_000 + random.nextLong(800_000),
        500_000,
        20_000 + random.nextLong(400_000),
        random.nextInt(4) == 0,
        random.nextInt(4) == 0 ? 128 : 1 + random.nextInt(4),
        random.nextInt(3) == 0 ? random.nextLong(500) : 3_600_000,
        Processes.draw(random));
  }

  /**
   * Whether who calls a shard whose process has ended, or ends meanwhile, is told so, as
   * connections tell it, in the place of hearing nothing.
   */
  boolean hasConnections() {
    return micros % 2 == 0;
  }

  /**
   * The chance that a connection breaks over a message, while both its ends live: in half of the
   * worlds with connections.
   */
  double breaks() {
    return hasConnections() && micros / 2 % 2 == 0 ? 0.01 : 0;
  }

  /**
   * Time until what a log has ordered is applied, at most; 0 for at once, in more than half of the
   * worlds.
   */
  long applyMicros() {
    return micros % 5 < 2 ? 1 + micros / 5 % 20_000 : 0;
  }

  /** Whether shards have replicas: in half of the worlds in which entries are applied late. */
  boolean isReplicated() {
    return applyMicros() > 0 && micros % 2 == 0 && !areCut();
  }

  /**
   * How long a client waits for an answer: in some worlds with replicas so long that another one
   * leads by then.
   *
   * @param waits whether it waits for that in any case
   */
  long requestMillis(boolean replicated, boolean waits) {
    return replicated && (waits || micros / 20 % 4 == 0) ? LONG_REQUEST_MILLIS : REQUEST_MILLIS;
  }

  /** How many nodes hold the replicas, where shards have some: more than each shard has. */
  int hosts() {
    return SimulatedCluster.REPLICAS + 1 + (int) (micros / 10 % 2);
  }

  /**
   * The same world, with several shards whose replicas follow one another quickly or late, and with
   * nodes that are told of each other's ends; no message is lost for good.
   */
  Options withReplicas() {
    return new Options(
        Math.min(3, Math.max(2, shards)),
        clients,
        Durability.SYNC,
        ids,
        (micros + 1_000_000) / 20 * 20 + (micros % 3 == 0 ? 10 : 0),
        Math.min(thinkMicros, 4_000),
        new Weather(
            Math.min(weather.delayMicros(), 1_500),
            0,
            weather.doubled(),
            weather.late(),
            weather.lateMicros(),
            weather.refused()),
        DiskFaults.NONE,
        Math.min(150_000 + troubleMicros / 2, 500_000),
        maxOffsetMicros,
        Math.min(backgroundSyncMicros | 1, 150_001),
        asBytes,
        Math.min(2, splitThreshold),
        movedRowsKeptMillis,
        processes);
  }

  /** The same world, with several shards and connections that break. */
  Options withConnectionsThatBreak() {
    return new Options(
        Math.max(2, shards),
        clients,
        Durability.SYNC,
        ids,
        2 * (micros / 4 * 4),
        Math.min(thinkMicros, 3_000),
        new Weather(weather.delayMicros(), 0, 0, 0, 1, 0),
        new DiskFaults(diskFaults.syncMicros(), 0, 0),
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /**
   * How many nodes host the shards, in turn: in a third of the worlds fewer than there are shards.
   */
  int nodes() {
    return micros % 3 == 0 ? (shards + 1) / 2 : shards;
  }

  /** The same world with disks that sync slowly and lose their power often. */
  Options withSlowDisksAndMuchTrouble() {
    return new Options(
        shards,
        clients,
        Durability.SYNC,
        ids,
        micros,
        thinkMicros,
        weather,
        new DiskFaults(30_000, 0, 0),
        60_000,
        maxOffsetMicros,
        1_000_000,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world for longer, with several shards whose logs fail now and then. */
  Options withLogsThatFail() {
    return new Options(
        Math.max(3, shards),
        clients,
        Durability.BACKGROUND,
        ids,
        4 * micros,
        Math.min(thinkMicros, 3_000),
        weather,
        new DiskFaults(1_000, 0, 0.01),
        150_000,
        maxOffsetMicros,
        150_001,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world with several shards that go away often, of which callers are told at once. */
  Options withShardsThatComeAndGo() {
    return new Options(
        Math.max(2, shards),
        clients,
        Durability.SYNC,
        ids,
        2 * micros,
        1_000,
        new Weather(weather.delayMicros(), 0, 0, 0, 1, 0),
        new DiskFaults(diskFaults.syncMicros(), 0, 0),
        60_000,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        128,
        movedRowsKeptMillis,
        processes);
  }

  /**
   * The same world for longer, with several shards whose processes and power go away so often that
   * what one process has not synced the next may not have synced either, and with clients that
   * seldom write, so that nothing else is synced meanwhile.
   */
  Options withSyncsThatTakeLong() {
    return new Options(
        Math.max(2, shards),
        Math.max(4, clients),
        Durability.SYNC,
        20,
        4 * micros,
        300_000,
        new Weather(Math.min(weather.delayMicros(), 500), 0, 0, 0, 1, 0),
        new DiskFaults(20_000, 0, 0),
        150_000,
        maxOffsetMicros,
        60_000_000,
        asBytes,
        128,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world over a network that doubles messages, with disks that refuse entries. */
  Options withCopiesAndRefusals() {
    return new Options(
        shards,
        clients,
        durability,
        ids,
        micros,
        thinkMicros,
        new Weather(weather.delayMicros(), 0, 0.3, 0, 1, 0),
        new DiskFaults(diskFaults.syncMicros(), 0.05, 0),
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world with several shards, which split vertices as soon as they can. */
  Options withManySplits() {
    return new Options(
        Math.max(2, shards),
        clients,
        durability,
        ids,
        2 * micros,
        thinkMicros,
        weather,
        diskFaults,
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        1,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world with several shards, which have indexes and split vertices. */
  Options withIndexes() {
    return new Options(
        Math.max(2, shards),
        clients,
        durability,
        ids,
        micros,
        Math.min(thinkMicros, 20_000),
        weather,
        diskFaults,
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        Math.min(splitThreshold, 2),
        movedRowsKeptMillis,
        processes);
  }

  /** The same world with many splits, over a network that doubles messages and loses none. */
  Options withManySplitsAndCopies() {
    Options split = withManySplits();
    return new Options(
        split.shards,
        clients,
        durability,
        ids,
        split.micros,
        thinkMicros,
        new Weather(weather.delayMicros(), 0, 0.2, 0, 1, 0),
        diskFaults,
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        split.splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world with a few elements, of which clients change many in short time. */
  Options withBusyClients() {
    return new Options(
        shards,
        clients,
        durability,
        3,
        micros,
        Math.min(thinkMicros, 3_000),
        weather,
        diskFaults,
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /** The same world for twice the time. */
  Options twiceAsLong() {
    return new Options(
        shards,
        clients,
        durability,
        ids,
        2 * micros,
        thinkMicros,
        weather,
        diskFaults,
        troubleMicros,
        maxOffsetMicros,
        backgroundSyncMicros,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  /**
   * Whether all shards are of one process, whose logs are cut together: in half of the worlds with
   * several shards and syncs in the background.
   */
  boolean areCut() {
    return shards > 1 && durability == Durability.BACKGROUND && backgroundSyncMicros % 2 == 0;
  }

  /** The same world, with several shards of one process that often lose their power. */
  Options withCuts() {
    return new Options(
        Math.max(2, shards),
        clients,
        Durability.BACKGROUND,
        ids,
        micros,
        Math.min(thinkMicros, 3_000),
        weather,
        diskFaults,
        150_000,
        maxOffsetMicros,
        backgroundSyncMicros / 8 * 2,
        asBytes,
        splitThreshold,
        movedRowsKeptMillis,
        processes);
  }

  ShardSettings shardSettings(VirtualNodeMap map, long requestMillis) {
    return new ShardSettings(
        map,
        Placements.DIDO,
        splitThreshold,
        movedRowsKeptMillis,
        durability,
        shards > 1 && !areCut() ? Durability.SYNC : Durability.BACKGROUND,
        PAGE_BYTES,
        maxOffsetMicros,
        requestMillis,
        INTENT_MILLIS,
        MAX_INTENTS,
        1 << 20,
        SLICE_ELEMENTS,
        ADJACENCY_CACHE_BYTES,
        MAX_NAMES,
        true);
  }
}
