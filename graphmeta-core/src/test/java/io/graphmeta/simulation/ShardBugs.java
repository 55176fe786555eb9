package io.graphmeta.simulation;

import static io.graphmeta.simulation.PlantedBug.handling;
import static io.graphmeta.simulation.PlantedBug.rewriting;
import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;

import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a shard can answer wrong. */
final class ShardBugs {
  private ShardBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(shards(), shards2()).flatMap(List::stream).toList();
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** What a shard can answer wrong. */
  private static List<PlantedBug> shards() {
    AtomicLong tokens = new AtomicLong();
    return List.of(
        bug(
            "a snapshot ahead of what is resolved",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Snapshot
                            ? shard.handle(call).thenApply(ShardBugs::later)
                            : trusting(call, shard)),
            SNAPSHOT_READS,
            REFUSED_STAYS_AWAY,
            PAST_NEVER_CHANGES,
            OWN_WRITES,
            SNAPSHOT_ISOLATION,
            GRAPH_RULES,
            STAMPS_GROW),
        bug(
            "a commit that is acknowledged and not done",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Commit commit && commit.token() % 8 == 0
                            ? done(new Response.Stamped(commit.snapshot() + 1))
                            : shard.handle(call)),
            NOTHING_LOST,
            SNAPSHOT_READS),
        bug(
            "a commit that comes again is done again",
            () ->
                rewriting(
                    Request.Commit.class,
                    commit ->
                        new Request.Commit(
                            commit.rows(),
                            tokens.decrementAndGet(),
                            commit.snapshot(),
                            commit.seen(),
                            commit.checks(),
                            commit.marks())),
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            ALL_OR_NOTHING,
            NOTHING_LOST));
  }

  /** What a shard can answer wrong. */
  private static List<PlantedBug> shards2() {
    return List.of(
        bug(
            "a range of numbers that is leased twice",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Lease
                            ? done(new Response.Leased(1))
                            : shard.handle(call)),
            SNAPSHOT_READS,
            GRAPH_RULES,
            ALL_OR_NOTHING,
            NO_HALF_EDGE,
            CONSISTENT_ROWS,
            SNAPSHOT_ISOLATION,
            REFUSED_STAYS_AWAY,
            PAST_NEVER_CHANGES,
            STAMPS_GROW),
        bug(
            "a shard that is read at a snapshot which it has not closed",
            () ->
                new Sabotage() {
                  @Override
                  RequestHandler handler(int number, RequestHandler shard) {
                    return call -> trusting(call, shard);
                  }

                  @Override
                  Options world(Options drawn) {
                    return drawn.withShardsThatComeAndGo();
                  }
                },
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            SNAPSHOT_ISOLATION,
            ALL_OR_NOTHING,
            GRAPH_RULES),
        bug(
            "a client with an old map of virtual nodes that is not refused",
            ShardBugs::oldMap,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            CONSISTENT_ROWS,
            GRAPH_RULES,
            NO_HALF_EDGE),
        bug(
            "conflicts of parts that are not told",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Prepare
                            ? shard
                                .handle(call)
                                .thenApply(
                                    answer ->
                                        answer instanceof Response.Conflicted
                                            ? new Response.Prepared()
                                            : answer)
                            : shard.handle(call)),
            ALL_OR_NOTHING,
            NOTHING_LOST,
            SNAPSHOT_READS,
            NO_HALF_EDGE));
  }

  private static CompletableFuture<Response> done(Response response) {
    return CompletableFuture.completedFuture(response);
  }

  /** Reads at any snapshot without a look at what is resolved. */
  private static CompletableFuture<Response> trusting(Call call, RequestHandler shard) {
    return call.request() instanceof Request.OfView
        ? ((Shard) shard).handleSettled(call)
        : shard.handle(call);
  }

  private static Response later(Response answer) {
    return new Response.Stamped(Stamp.plusMicros(((Response.Stamped) answer).stamp(), 30_000));
  }

  /** One client in three has a map in which the shards are the other way round. */
  private static Sabotage oldMap() {
    return new Sabotage() {
      @Override
      VirtualNodeMap map(int client, VirtualNodeMap map) {
        if (client % 3 != 0) {
          return map;
        }
        int[] shardOf = new int[map.virtualNodes()];
        for (int i = 0; i < shardOf.length; i++) {
          shardOf[i] = map.shards() - 1 - map.shard(i);
        }
        return new VirtualNodeMap(map.epoch() - 1, map.shards(), shardOf);
      }

      @Override
      RequestHandler handler(int number, RequestHandler shard) {
        return call ->
            shard.handle(new Call(Simulation.EPOCH, call.timeoutMillis(), call.request()));
      }
    };
  }
}
