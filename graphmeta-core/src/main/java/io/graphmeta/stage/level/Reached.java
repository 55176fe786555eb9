package io.graphmeta.stage.level;

import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.stage.flow.Arrivals;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.results.Results;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a level has reached: elements that wait for the next level, for this shard and for each
 * other shard, and results. Belongs to one thread at a time.
 */
final class Reached {
  private final Program program;
  private final int shard;
  private final int maxSize;
  private final @Nullable Arrivals[] arrivals;
  private final Results results;

  /** Nothing yet. */
  Reached(Program program, int shard, int shards, int maxSize) {
    this.program = program;
    this.shard = shard;
    this.maxSize = maxSize;
    this.arrivals = new Arrivals[shards];
    this.results = new Results(program.wanted(), program.plan().endsAtScan(), maxSize);
  }

  /** Nothing yet, of the same traversal. */
  Reached another() {
    return new Reached(program, shard, arrivals.length, maxSize);
  }

  Results results() {
    return results;
  }

  /** What has arrived for a shard. */
  Arrivals arrivals(int to) {
    Arrivals there = arrivals[to];
    if (there == null) {
      there = new Arrivals(program, maxSize);
      arrivals[to] = there;
    }
    return there;
  }

  /** What has arrived for this shard. */
  Arrivals own() {
    return arrivals(shard);
  }

  /** What has arrived at a position for each shard. */
  LongBulkMap[] vertices(int position) {
    LongBulkMap[] byShard = new LongBulkMap[arrivals.length];
    Arrays.setAll(byShard, to -> arrivals(to).vertices(position));
    return byShard;
  }

  /** Adds all of another, which is empty afterwards. */
  void takeAll(Reached other) {
    for (int to = 0; to < arrivals.length; to++) {
      Arrivals there = other.arrivals[to];
      if (there != null) {
        arrivals(to).takeAll(there);
      }
    }
    results.takeAll(other.results);
  }

  /** Number of other shards that elements wait for. */
  int others() {
    int others = 0;
    for (int to = 0; to < arrivals.length; to++) {
      Arrivals there = arrivals[to];
      others += to != shard && there != null && there.size() > 0 ? 1 : 0;
    }
    return others;
  }

  /** Takes away what waits for other shards. */
  Map<Integer, List<FrontierPart>> takeOthers() {
    Map<Integer, List<FrontierPart>> toSend = new HashMap<>();
    for (int to = 0; to < arrivals.length; to++) {
      Arrivals there = arrivals[to];
      if (to != shard && there != null && there.size() > 0) {
        toSend.put(to, there.drainParts());
      }
    }
    return toSend;
  }
}
