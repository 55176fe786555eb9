package io.graphmeta.simulation;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.move.Splitter;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import java.util.SplittableRandom;

/**
 * Splits what has grown on one shard, as the thread of its node does. Runs as a fiber, and can be
 * killed wherever it waits, which leaves a split half done.
 */
final class SplitterFiber implements Runnable {
  private static final long LOOK_MICROS = 40_000;

  private final Simulation simulation;
  private final int shard;
  private final Client client;
  private final SplittableRandom random;

  /**
   * A splitter.
   *
   * @param client whose way to the shards it uses
   */
  SplitterFiber(Simulation simulation, int shard, Client client, SplittableRandom random) {
    this.simulation = simulation;
    this.shard = shard;
    this.client = client;
    this.random = random;
  }

  @Override
  public void run() {
    EntryPlaces places = new EntryPlaces(simulation.map(), Placements.DIDO);
    Splitter splitter = null;
    while (!simulation.isDraining()) {
      simulation.scheduler().sleep(random.nextLong(2 * LOOK_MICROS));
      try {
        if (splitter == null) {
          splitter = new Splitter(shard, client.newRouter(), places);
        }
        simulation.split(splitter.run());
      } catch (GraphMetaException e) {
        Client.refuseDefects(e, "splitter of shard " + shard);
      }
    }
  }
}
