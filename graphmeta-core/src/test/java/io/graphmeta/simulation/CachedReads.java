package io.graphmeta.simulation;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Violation.Invariant;
import java.util.ArrayList;
import java.util.List;

/** Whatever clients expand is read from the adjacency cache too, and must be the same. */
final class CachedReads {
  private CachedReads() {}

  static void requireAgreement(int server, Shard shard, Request.Expand asked) {
    List<String> stored = stored(shard, asked);
    List<String> cached = cached(shard, asked);
    if (!stored.equals(cached)) {
      throw new Violation(
          Invariant.SNAPSHOT_READS,
          "s" + server,
          "The cache of server %d has %s at %s; the store has %s"
              .formatted(server, cached, asked.view(), stored));
    }
  }

  private static List<String> stored(Shard shard, Request.Expand asked) {
    List<String> found = new ArrayList<>();
    Position at = new Position(0, new byte[0]);
    while (at != null) {
      Request whole =
          new Request.Expand(
              asked.frontier(), asked.outgoing(), asked.labelIds(), asked.view(), Detail.KEYS, at);
      ElementPage page = (ElementPage) shard.handle(new Call(Simulation.EPOCH, 1000, whole)).join();
      for (int e = 0; e < page.elements(); e++) {
        found.add(page.source(e) + ":" + page.label(e) + ":" + page.other(e));
      }
      at = page.next();
    }
    found.sort(null);
    return found;
  }

  private static List<String> cached(Shard shard, Request.Expand asked) {
    List<String> found = new ArrayList<>();
    try (AdjacencyReader reader = shard.adjacency().reader()) {
      reader.read(
          asked.frontier(),
          0,
          asked.frontier().length,
          asked.outgoing(),
          asked.labelIds(),
          asked.view(),
          (index, label, others, from, to) -> {
            for (int i = from; i < to; i++) {
              found.add(index + ":" + label + ":" + others[i]);
            }
            return true;
          });
    }
    found.sort(null);
    return found;
  }
}
