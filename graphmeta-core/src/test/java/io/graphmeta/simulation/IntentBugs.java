package io.graphmeta.simulation;

import static io.graphmeta.simulation.PlantedBug.handling;
import static io.graphmeta.simulation.PlantedBug.neverDeleted;
import static io.graphmeta.simulation.PlantedBug.puts;
import static io.graphmeta.simulation.PlantedBug.rewriting;
import static io.graphmeta.simulation.PlantedBug.sending;
import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SETTLES;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What can be done wrong with parts of transactions and their outcomes. */
final class IntentBugs {
  private IntentBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(intents(), intents2(), intents3()).flatMap(List::stream).toList();
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** What can be done wrong with intents. */
  private static List<PlantedBug> intents() {
    return List.of(
        bug(
            "intents that are not written",
            () -> puts((family, key, value) -> isIntent(family, key) ? null : value),
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            NO_HALF_EDGE,
            PAST_NEVER_CHANGES,
            SETTLES),
        bug(
            "parts that are undone by half",
            () ->
                neverDeleted((family, key) -> family == Family.OUT || family == Family.ATTRIBUTES),
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            NO_HALF_EDGE),
        bug("intents that are never forgotten", () -> neverDeleted(IntentBugs::isIntent), SETTLES),
        bug(
            "a part that is said to be held and was not taken",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Prepare prepare
                                && prepare.id().number() % 4 == 0
                                && prepare.participants()[0] == 0
                                && prepare.rows().count() % 2 == 0
                            ? done(new Response.Prepared())
                            : shard.handle(call)),
            SETTLES,
            ALL_OR_NOTHING,
            NOTHING_LOST,
            SNAPSHOT_READS,
            CONSISTENT_ROWS,
            NO_HALF_EDGE),
        bug(
            "an outcome that is told before all parts are there",
            () ->
                sending(
                    (shard, call, transport) -> {
                      CompletableFuture<Response> answer = transport.send(shard, call);
                      if (call.request() instanceof Request.Prepare prepare) {
                        answer.thenRun(
                            () ->
                                transport.send(
                                    shard, with(call, new Request.Resolve(prepare.id(), true))));
                      }
                      return answer;
                    }),
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            NO_HALF_EDGE,
            NOTHING_LOST));
  }

  /** What can be done wrong with intents. */
  private static List<PlantedBug> intents2() {
    return List.of(
        bug(
            "parts of a transaction given up that are kept",
            () ->
                rewriting(
                    Request.Resolve.class, resolve -> new Request.Resolve(resolve.id(), true)),
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            CONSISTENT_ROWS,
            NO_HALF_EDGE),
        bug(
            "parts that are said to be held and are not",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Inquire inquire
                            ? shard.handle(call).thenApply(answer -> allHeld(inquire))
                            : shard.handle(call)),
            ALL_OR_NOTHING,
            SETTLES,
            NOTHING_LOST,
            SNAPSHOT_READS,
            REFUSED_STAYS_AWAY,
            CONSISTENT_ROWS,
            NO_HALF_EDGE),
        bug(
            "an absence that is told without closing the stamp",
            UnclosedAbsence::new,
            NOTHING_LOST,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            SETTLES,
            CONSISTENT_ROWS,
            NO_HALF_EDGE),
        bug(
            "a watermark ahead of the truth",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.ReadWatermark
                            ? done(new Response.Stamped(Stamp.MAX))
                            : shard.handle(call)),
            ALL_OR_NOTHING,
            NOTHING_LOST,
            SNAPSHOT_READS,
            NO_HALF_EDGE,
            PAST_NEVER_CHANGES,
            CONSISTENT_ROWS),
        bug(
            "questions that are not answered",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Inquire
                            ? new CompletableFuture<>()
                            : shard.handle(call)),
            SETTLES));
  }

  /** What can be done wrong with intents. */
  private static List<PlantedBug> intents3() {
    return List.of(
        bug(
            "parts that name their own shard only",
            () ->
                sending(
                    (shard, call, transport) ->
                        transport.send(
                            shard,
                            PlantedBug.rewritten(
                                call, Request.Prepare.class, prepare -> alone(shard, prepare)))),
            ALL_OR_NOTHING,
            NOTHING_LOST,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            CONSISTENT_ROWS,
            NO_HALF_EDGE));
  }

  private static boolean isIntent(Family family, byte[] key) {
    return family == Family.META && key[0] == 'i' && key.length == 25;
  }

  private static CompletableFuture<Response> done(Response response) {
    return CompletableFuture.completedFuture(response);
  }

  private static Call with(Call call, Request request) {
    return new Call(call.epoch(), call.timeoutMillis(), request);
  }

  private static Response allHeld(Request.Inquire inquire) {
    return new Response.Parts(inquire.ids().stream().map(id -> PartState.HELD).toList());
  }

  private static Request alone(int shard, Request.Prepare prepare) {
    return new Request.Prepare(
        prepare.id(),
        new int[] {shard},
        prepare.rows(),
        prepare.snapshot(),
        prepare.checks(),
        prepare.marks(),
        prepare.replaces());
  }

  /** A shard that answers questions about parts it never had by itself. */
  private static final class UnclosedAbsence extends Sabotage {
    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      Set<TransactionId> had = new HashSet<>();
      return call -> {
        if (call.request() instanceof Request.Prepare prepare) {
          had.add(prepare.id());
        }
        return call.request() instanceof Request.Inquire inquire
                && inquire.ids().stream().noneMatch(had::contains)
            ? done(new Response.Parts(inquire.ids().stream().map(id -> PartState.ABSENT).toList()))
            : shard.handle(call);
      };
    }
  }
}
