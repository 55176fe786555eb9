package io.graphmeta.engine;

import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.router.Router;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;

/** Runs the check of a database over shards that no database has opened. */
public final class CheckRun {
  private CheckRun() {}

  /** The check over shards of a map that have nothing to do. */
  public static CheckReport over(Transport shards, VirtualNodeMap map) {
    HybridClock clock = new HybridClock(InstantSource.system(), 0, 0);
    Router router = new Router(shards, map, Placements.DIDO, clock, 1000, 0);
    return new ConsistencyCheck(router, rows -> {}, () -> 0, 0, 0).run();
  }
}
