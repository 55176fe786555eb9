package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cluster.LeaderMoves.Moved;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of shards that were to be led by other nodes, as commands print it. */
final class MovedShards {
  private MovedShards() {}

  /** Prints a line for each, and returns the exit code. */
  static int print(List<Moved> shards, boolean json, PrintWriter out) {
    for (Moved shard : shards) {
      if (json) {
        JsonLines.printAnswer(out, fields(shard));
      } else {
        out.printf(
            "shard %-3d from %s to %s: %s%n",
            shard.shard(),
            shard.from().isEmpty() ? "none" : shard.from(),
            shard.to(),
            shard.problem().isEmpty() ? "done in " + shard.millis() + " ms" : shard.problem());
      }
    }
    if (shards.isEmpty() && !json) {
      out.println("nothing to do");
    }
    return shards.stream().allMatch(shard -> shard.problem().isEmpty()) ? 0 : 1;
  }

  private static Map<String, Object> fields(Moved shard) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shard", shard.shard());
    fields.put("from", shard.from());
    fields.put("to", shard.to());
    fields.put("millis", shard.millis());
    fields.put("problem", shard.problem());
    return fields;
  }
}
