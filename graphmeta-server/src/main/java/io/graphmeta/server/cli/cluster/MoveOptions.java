package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.cluster.ReplicaMoves.Move;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands that move replicas to other nodes have in common. */
final class MoveOptions {
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = {"--name", "--cluster"},
      paramLabel = "NAME",
      required = true,
      description = "The name of the cluster.")
  private String name = "";

  @Option(
      names = "--no-wait",
      description = "Says what is wanted, and ends; the nodes do it, and cluster status tells.")
  private boolean noWait;

  @Option(names = "--json", description = "One JSON object for each shard.")
  private boolean json;

  /** Asks for moves, waits for them unless it is not to, and tells of each. */
  int run(Function<ReplicaMoves, List<Move>> asked, PrintWriter out) throws InterruptedException {
    ReplicaMoves moves = new ReplicaMoves(options.settings(Map.of()), name);
    List<Move> wanted = asked.apply(moves);
    if (wanted.isEmpty() && !json) {
      out.println("nothing to do");
    }
    if (noWait) {
      wanted.forEach(move -> print(move, out));
    } else {
      moves.await(wanted, move -> print(move, out));
    }
    return 0;
  }

  private void print(Move move, PrintWriter out) {
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("shard", move.shard());
      fields.put("from", move.from());
      fields.put("to", move.to());
      fields.put("done", move.isDone());
      JsonLines.printAnswer(out, fields);
    } else {
      out.printf(
          "shard %-3d from %s to %s: %s%n",
          move.shard(),
          String.join(", ", move.from()),
          String.join(", ", move.to()),
          move.isDone() ? "done" : "wanted");
    }
    out.flush();
  }
}
