package io.graphmeta.simulation;

import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_DEFECT;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SETTLES;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.transport.RequestHandler;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** What a shard can do wrong when something fails under its hands. */
final class PortBugs {
  private PortBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        bug(
            "a commit that failed and is said to be done when it comes again",
            MarkedBefore::new,
            NOTHING_LOST,
            SNAPSHOT_READS,
            OWN_WRITES,
            STAMPS_GROW,
            SNAPSHOT_ISOLATION),
        bug("a commit that failed and is not answered", Unanswered::new, SETTLES),
        bug(
            "the first row of a part that failed is kept",
            FirstRowKept::new,
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            NO_HALF_EDGE,
            CONSISTENT_ROWS,
            GRAPH_RULES),
        bug("a thread that syncs no more and tells nobody", NoMoreSyncs::new, SETTLES),
        bug(
            "a log that says nothing was appended of what is there",
            () -> new AppendedAndRefused(),
            REFUSED_STAYS_AWAY,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            NO_HALF_EDGE,
            NOTHING_LOST,
            CONSISTENT_ROWS,
            GRAPH_RULES,
            STAMPS_GROW,
            SNAPSHOT_ISOLATION,
            NO_DEFECT));
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** Much fails, and messages come twice. */
  static class InTrouble extends Sabotage {
    @Override
    Options world(Options drawn) {
      return drawn.withCopiesAndRefusals();
    }

    @Override
    double portFaults(double drawn) {
      return 0.005;
    }
  }

  /** Tokens are marked before what they stand for is appended. */
  private static final class MarkedBefore extends InTrouble {
    private final Set<Long> failed = new HashSet<>();

    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      return call -> handle(call, shard);
    }

    private CompletableFuture<Response> handle(Call call, RequestHandler shard) {
      if (!(call.request() instanceof Request.Commit commit)) {
        return shard.handle(call);
      }
      if (failed.contains(commit.token())) {
        return CompletableFuture.completedFuture(new Response.Stamped(commit.snapshot() + 1));
      }
      return shard
          .handle(call)
          .whenComplete(
              (answer, failure) -> {
                if (failure != null) {
                  failed.add(commit.token());
                }
              });
    }
  }

  private static final class Unanswered extends InTrouble {
    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      return call -> {
        CompletableFuture<Response> told = new CompletableFuture<>();
        shard
            .handle(call)
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    told.complete(answer);
                  } else if (!(call.request() instanceof Request.Commit)) {
                    told.completeExceptionally(failure);
                  }
                });
        return told;
      };
    }
  }

  /** In the entry of the others, without an intent. */
  private static final class FirstRowKept extends InTrouble {
    private final Map<Integer, ReplicationLog> logs = new HashMap<>();

    @Override
    ReplicationLog log(int shard, ReplicationLog log) {
      logs.put(shard, log);
      return log;
    }

    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      return call ->
          shard
              .handle(call)
              .whenComplete(
                  (answer, failure) -> {
                    if (failure != null && call.request() instanceof Request.Prepare part) {
                      keepFirst(logs.get(number), part);
                    }
                  });
    }

    private static void keepFirst(ReplicationLog log, Request.Prepare part) {
      RowBatch entry = new RowBatch(64);
      part.rows()
          .forEach(
              (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
                if (stamped && entry.count() == 0) {
                  long stamp = part.id().stamp();
                  byte[] key = Arrays.copyOfRange(buffer, slotAt, slotAt + slotLength + 16);
                  int length =
                      RowKeys.appendStamps(key, slotLength, valid == 0 ? stamp : valid, stamp);
                  entry.put(family, key, length, buffer, valueAt, valueLength);
                }
              });
      try {
        log.append(entry, Durability.BACKGROUND);
      } catch (GraphMetaException e) {
        // The disk refuses this, too.
      }
    }
  }

  private static final class NoMoreSyncs extends InTrouble {
    private int appended;

    @Override
    ReplicationLog log(int shard, ReplicationLog log) {
      int last = appended + 40;
      return PlantedBug
          .log(
              (entry, durability, to) ->
                  durability == Durability.BACKGROUND || ++appended < last
                      ? to.append(entry, durability)
                      : unsynced(to, entry))
          .log(shard, log);
    }

    private static CompletableFuture<Void> unsynced(ReplicationLog log, RowBatch entry) {
      log.append(entry, Durability.BACKGROUND);
      return new CompletableFuture<>();
    }
  }

  private static final class AppendedAndRefused extends InTrouble {
    private int appended;

    @Override
    ReplicationLog log(int shard, ReplicationLog log) {
      return PlantedBug
          .log(
              (entry, durability, to) -> {
                CompletableFuture<Void> done = to.append(entry, durability);
                if (++appended % 16 == 0) {
                  throw new GraphMetaException(ErrorCode.OVERLOADED, "Planted, behind the write");
                }
                return done;
              })
          .log(shard, log);
    }
  }
}
