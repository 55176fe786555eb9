package io.graphmeta.simulation;

import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.GiveStep;
import io.graphmeta.protocol.Response;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.transport.RequestHandler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What can be done wrong when vertices are split. */
final class SplitBugs {
  private static final Set<Invariant> CAUGHT_BY =
      EnumSet.of(
          ALL_OR_NOTHING,
          CONSISTENT_ROWS,
          GRAPH_RULES,
          NOTHING_LOST,
          NO_HALF_EDGE,
          PAST_NEVER_CHANGES,
          REFUSED_STAYS_AWAY,
          SNAPSHOT_ISOLATION,
          SNAPSHOT_READS);

  private SplitBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        bug("a shard that reads by the newest split", () -> reading(Long.MAX_VALUE)),
        bug("a shard that reads as before all splits", () -> reading(0)),
        bug(
            "changes during a move that are not handed on",
            () -> giving(GiveStep.CHANGES, (rows) -> rows(List.of(), List.of()))),
        bug(
            "rows undone during a move that are not handed on",
            () -> giving(GiveStep.CHANGES, SplitBugs::withoutUndone)),
        bug(
            "transactions with moved entries that are not waited for",
            () -> splitting(call -> call, SplitBugs::withoutWaiting)),
        bug(
            "rows that the taker leaves out",
            () -> splitting(call -> call, (call, shard) -> shard.handle(withoutLast(call)))),
        bug("splits that are not written", SplitBugs::unwritten),
        bug("leftovers of a move given up that are not removed", SplitBugs::unremoved));
  }

  private static PlantedBug bug(String name, Supplier<Sabotage> sabotage) {
    return new PlantedBug(name, sabotage, CAUGHT_BY);
  }

  /** A world with many splits, without a defect. */
  static class InSplits extends Sabotage {
    @Override
    Options world(Options drawn) {
      return drawn.withManySplits();
    }
  }

  private static Sabotage splitting(UnaryOperator<Call> change, PlantedBug.Handling handling) {
    return new InSplits() {
      @Override
      RequestHandler handler(int number, RequestHandler shard) {
        return call -> handling.handle(change.apply(call), shard);
      }
    };
  }

  /** Every second shard takes the snapshots of readers for another stamp. */
  private static Sabotage reading(long snapshot) {
    return new InSplits() {
      @Override
      RequestHandler handler(int number, RequestHandler shard) {
        return number % 2 == 0
            ? shard
            : call ->
                shard.handle(
                    PlantedBug.rewritten(
                        call, Request.Expand.class, expand -> with(expand, snapshot)));
      }
    };
  }

  private static Request with(Request.Expand expand, long snapshot) {
    ReadView view = new ReadView(expand.view().validAt(), expand.view().knownAt(), snapshot);
    return new Request.Expand(
        expand.frontier(),
        expand.outgoing(),
        expand.labelIds(),
        view,
        expand.detail(),
        expand.from(),
        expand.partOnly());
  }

  /** Another answer to a step of the shard that gives entries away. */
  private static Sabotage giving(GiveStep step, UnaryOperator<Response.Rows> change) {
    return splitting(
        call -> call,
        (call, shard) ->
            call.request() instanceof Request.GiveEntries give && give.step() == step
                ? shard.handle(call).thenApply(answer -> change.apply((Response.Rows) answer))
                : shard.handle(call));
  }

  private static CompletableFuture<Response> withoutWaiting(Call call, RequestHandler shard) {
    return shard
        .handle(call)
        .thenApply(answer -> answer instanceof Response.Held ? new Response.Held(0) : answer);
  }

  private static Response.Rows rows(List<byte[]> keys, List<byte[]> values) {
    return new Response.Rows(keys.toArray(new byte[0][]), values.toArray(new byte[0][]), null);
  }

  private static Response.Rows withoutUndone(Response.Rows rows) {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < rows.keys().length; i++) {
      if (rows.values()[i].length > 0) {
        keys.add(rows.keys()[i]);
        values.add(rows.values()[i]);
      }
    }
    return rows(keys, values);
  }

  private static Call withoutLast(Call call) {
    return PlantedBug.rewritten(
        call,
        Request.TakeEntries.class,
        take -> {
          int rows = Math.max(0, take.keys().length - 1);
          return new Request.TakeEntries(
              take.move(),
              take.number(),
              Arrays.copyOf(take.keys(), rows),
              Arrays.copyOf(take.values(), rows));
        });
  }

  /** A log without the rows of partitions, which are forgotten when their shard ends. */
  private static Sabotage unwritten() {
    Sabotage puts = PlantedBug.puts((family, key, value) -> family == Family.SPLITS ? null : value);
    return new InSplits() {
      @Override
      ReplicationLog log(int shard, ReplicationLog log) {
        return puts.log(shard, log);
      }
    };
  }

  private static Sabotage unremoved() {
    Sabotage removals =
        PlantedBug.log(
            (entry, durability, log) ->
                isRemoval(entry)
                    ? CompletableFuture.completedFuture(null)
                    : log.append(entry, durability));
    return new InSplits() {
      @Override
      ReplicationLog log(int shard, ReplicationLog log) {
        return removals.log(shard, log);
      }
    };
  }

  /** Whether an entry of the log does nothing but to remove rows of edges. */
  private static boolean isRemoval(RowBatch entry) {
    boolean[] only = {entry.count() > 0};
    entry.forEach(
        (family, buffer, keyAt, keyLength, valueAt, valueLength) ->
            only[0] &=
                valueLength == RowBatch.DELETED && (family == Family.OUT || family == Family.IN));
    return only[0];
  }
}
