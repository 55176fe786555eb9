package io.graphmeta.stage.level;

import io.graphmeta.protocol.FrontierPart;
import java.util.List;

/** Sends vertices and edges on to another server, within a level that this server goes on with. */
@FunctionalInterface
public interface Onward {
  /** Sends elements to a server, without waiting for its answer. */
  void send(int server, int level, List<FrontierPart> parts);
}
