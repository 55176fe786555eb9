package io.graphmeta.stage.level;

import io.graphmeta.protocol.FrontierPart;
import java.util.List;

/** Sends vertices and edges on to another shard, within a level that this shard goes on with. */
@FunctionalInterface
public interface Onward {
  /** Sends elements to a shard, without waiting for its answer. */
  void send(int shard, int level, List<FrontierPart> parts);
}
