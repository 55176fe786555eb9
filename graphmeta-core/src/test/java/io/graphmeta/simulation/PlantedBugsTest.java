package io.graphmeta.simulation;

import static io.graphmeta.simulation.PlantedBug.handling;
import static io.graphmeta.simulation.PlantedBug.log;
import static io.graphmeta.simulation.PlantedBug.neverDeleted;
import static io.graphmeta.simulation.PlantedBug.puts;
import static io.graphmeta.simulation.PlantedBug.rewriting;
import static io.graphmeta.simulation.PlantedBug.sending;
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
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.graphmeta.codec.RowValues;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.simulation.SeedRunner.FailedSeed;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plants defects at the ports and expects that the simulation finds each within some seeds, by an
 * invariant that the defect breaks.
 */
final class PlantedBugsTest {
  private static final Logger LOG = LoggerFactory.getLogger(PlantedBugsTest.class);
  private static final int SEEDS = 100;
  private static final long[] NONE = {};

  private final SeedRunner runner = new SeedRunner();

  static Stream<PlantedBug> bugs() {
    return Stream.of(disk(), servers(), intents(), clients()).flatMap(List::stream);
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** What the disk and the log can do wrong. */
  private static List<PlantedBug> disk() {
    return List.of(
        bug(
            "a log that tells of syncs it has not made",
            () -> log((entry, durability, log) -> log.append(entry, Durability.BACKGROUND)),
            NOTHING_LOST,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            NO_HALF_EDGE,
            NO_DEFECT,
            CONSISTENT_ROWS),
        bug(
            "a store that shows torn entries",
            () ->
                new Sabotage() {
                  @Override
                  boolean showsTornEntries() {
                    return true;
                  }

                  @Override
                  Options world(Options drawn) {
                    return drawn.withSlowDisksAndMuchTrouble();
                  }
                },
            ALL_OR_NOTHING,
            NO_HALF_EDGE,
            SNAPSHOT_READS,
            CONSISTENT_ROWS),
        bug(
            "the second entries of edges are not written",
            () -> puts((family, key, value) -> family == Family.IN ? null : value),
            NO_HALF_EDGE,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            NOTHING_LOST),
        bug(
            "the ends of edges are not written at their destination",
            () ->
                puts(
                    (family, key, value) ->
                        family == Family.IN && RowValues.isTombstone(value, 0) ? null : value),
            NO_HALF_EDGE,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            NOTHING_LOST),
        bug(
            "the bound of stamps is not written",
            () -> puts((family, key, value) -> isNamed(family, key, "stamp-bound") ? null : value),
            PAST_NEVER_CHANGES,
            SNAPSHOT_READS,
            STAMPS_GROW,
            OWN_WRITES,
            ALL_OR_NOTHING,
            NOTHING_LOST,
            REFUSED_STAYS_AWAY,
            CONSISTENT_ROWS,
            SNAPSHOT_ISOLATION),
        bug(
            "ids do not lead to their vertices",
            () -> puts((family, key, value) -> family == Family.IDS ? null : value),
            SNAPSHOT_READS,
            CONSISTENT_ROWS,
            GRAPH_RULES),
        bug(
            "the ends of leases are not written",
            () ->
                puts(
                    (family, key, value) ->
                        family == Family.META && key[0] == 's' && key[1] == 'e' ? null : value),
            SNAPSHOT_READS,
            GRAPH_RULES,
            ALL_OR_NOTHING,
            NO_HALF_EDGE,
            CONSISTENT_ROWS,
            SNAPSHOT_ISOLATION));
  }

  /** What a server can answer wrong. */
  private static List<PlantedBug> servers() {
    AtomicLong tokens = new AtomicLong();
    return List.of(
        bug(
            "a snapshot ahead of what is resolved",
            () ->
                handling(
                    (call, shard) ->
                        call.request() instanceof Request.Snapshot
                            ? shard.handle(call).thenApply(PlantedBugsTest::later)
                            : shard.handle(call)),
            SNAPSHOT_READS,
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
            NOTHING_LOST),
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
            "a client with an old map of virtual nodes that is not refused",
            PlantedBugsTest::oldMap,
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
        bug(
            "intents that are never forgotten",
            () -> neverDeleted(PlantedBugsTest::isIntent),
            SETTLES),
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
            ALL_OR_NOTHING,
            NOTHING_LOST,
            SNAPSHOT_READS,
            NO_HALF_EDGE),
        bug(
            "an outcome that is told before all parts are there",
            () ->
                sending(
                    (server, call, transport) -> {
                      CompletableFuture<Response> answer = transport.send(server, call);
                      if (call.request() instanceof Request.Prepare prepare) {
                        answer.thenRun(
                            () ->
                                transport.send(
                                    server, with(call, new Request.Resolve(prepare.id(), true))));
                      }
                      return answer;
                    }),
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            NO_HALF_EDGE,
            NOTHING_LOST),
        bug(
            "parts of a transaction given up that are kept",
            () ->
                rewriting(
                    Request.Resolve.class, resolve -> new Request.Resolve(resolve.id(), true)),
            ALL_OR_NOTHING,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
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
            NOTHING_LOST,
            SNAPSHOT_READS,
            REFUSED_STAYS_AWAY,
            NO_HALF_EDGE),
        bug(
            "an absence that is told without closing the stamp",
            UnclosedAbsence::new,
            NOTHING_LOST,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
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
            SETTLES),
        bug(
            "parts that name their own server only",
            () ->
                sending(
                    (server, call, transport) ->
                        transport.send(
                            server,
                            PlantedBug.rewritten(
                                call, Request.Prepare.class, prepare -> alone(server, prepare)))),
            ALL_OR_NOTHING,
            NOTHING_LOST,
            REFUSED_STAYS_AWAY,
            SNAPSHOT_READS,
            NO_HALF_EDGE));
  }

  /** What a client can do wrong. */
  private static List<PlantedBug> clients() {
    return List.of(
        bug(
            "conflicts that are not looked for",
            () -> checked(false, true),
            SNAPSHOT_ISOLATION,
            GRAPH_RULES,
            SNAPSHOT_READS,
            CONSISTENT_ROWS),
        bug(
            "changes that are not marked",
            () -> checked(true, false),
            SNAPSHOT_ISOLATION,
            GRAPH_RULES,
            SNAPSHOT_READS,
            CONSISTENT_ROWS),
        bug(
            "a session that forgets what it has seen",
            () ->
                sending(
                    (server, call, transport) ->
                        transport.send(
                            server,
                            PlantedBug.rewritten(
                                call,
                                Request.Snapshot.class,
                                snapshot -> new Request.Snapshot(0)))),
            OWN_WRITES),
        bug(
            "a snapshot of one server taken for that of all",
            () ->
                sending(
                    (server, call, transport) ->
                        call.request() instanceof Request.Snapshot && server > 0
                            ? done(new Response.Stamped(Stamp.MAX))
                            : transport.send(server, call)),
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            SNAPSHOT_ISOLATION,
            GRAPH_RULES),
        bug(
            "a commit that is sent twice as two",
            () ->
                sending(
                    (server, call, transport) -> {
                      if (call.request() instanceof Request.Commit commit) {
                        transport.send(server, with(call, again(commit)));
                      }
                      return transport.send(server, call);
                    }),
            SNAPSHOT_READS,
            REFUSED_STAYS_AWAY,
            ALL_OR_NOTHING,
            PAST_NEVER_CHANGES,
            NOTHING_LOST));
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void isCaught(PlantedBug bug) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        runner.run(seed, bug.sabotage().get());
      } catch (FailedSeed failed) {
        assertThat(failed.getCause()).as(failed.getMessage()).isInstanceOf(Violation.class);
        Violation violation = (Violation) failed.getCause();
        assertThat(bug.caughtBy()).as(failed.getMessage()).contains(violation.invariant());
        assertThat(failed.getMessage()).contains("-Dgraphmeta.seed=" + seed);
        LOG.info("seed {} catches {}: {}", seed, bug, violation.invariant());
        return;
      }
    }
    fail("%d seeds have not caught %s", SEEDS, bug);
  }

  private static boolean isNamed(Family family, byte[] key, String name) {
    return family == Family.META && new String(key, StandardCharsets.US_ASCII).equals(name);
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

  private static Response later(Response answer) {
    return new Response.Stamped(Stamp.plusMicros(((Response.Stamped) answer).stamp(), 3_000));
  }

  private static Response allHeld(Request.Inquire inquire) {
    return new Response.Parts(inquire.ids().stream().map(id -> PartState.HELD).toList());
  }

  private static Request alone(int server, Request.Prepare prepare) {
    return new Request.Prepare(
        prepare.id(),
        new int[] {server},
        prepare.rows(),
        prepare.snapshot(),
        prepare.checks(),
        prepare.marks(),
        prepare.replaces());
  }

  private static Request again(Request.Commit commit) {
    return new Request.Commit(
        commit.rows(), ~commit.token(), commit.snapshot(), commit.seen(), NONE, commit.marks());
  }

  private static Sabotage checked(boolean checks, boolean marks) {
    return sending(
        (server, call, transport) -> {
          Call changed =
              PlantedBug.rewritten(
                  call,
                  Request.Commit.class,
                  commit ->
                      new Request.Commit(
                          commit.rows(),
                          commit.token(),
                          commit.snapshot(),
                          commit.seen(),
                          checks ? commit.checks() : NONE,
                          marks ? commit.marks() : NONE));
          changed =
              PlantedBug.rewritten(
                  changed,
                  Request.Prepare.class,
                  prepare ->
                      new Request.Prepare(
                          prepare.id(),
                          prepare.participants(),
                          prepare.rows(),
                          prepare.snapshot(),
                          checks ? prepare.checks() : NONE,
                          marks ? prepare.marks() : NONE,
                          prepare.replaces()));
          return transport.send(server, changed);
        });
  }

  /** One client in three has a map in which the servers are the other way round. */
  private static Sabotage oldMap() {
    return new Sabotage() {
      @Override
      VirtualNodeMap map(int client, VirtualNodeMap map) {
        if (client % 3 != 0) {
          return map;
        }
        int[] serverOf = new int[map.virtualNodes()];
        for (int i = 0; i < serverOf.length; i++) {
          serverOf[i] = map.servers() - 1 - map.server(i);
        }
        return new VirtualNodeMap(map.epoch() - 1, map.servers(), serverOf);
      }

      @Override
      RequestHandler handler(int server, RequestHandler shard) {
        return call ->
            shard.handle(new Call(Simulation.EPOCH, call.timeoutMillis(), call.request()));
      }
    };
  }

  /** A server that answers questions about parts it never had by itself. */
  private static final class UnclosedAbsence extends Sabotage {
    @Override
    RequestHandler handler(int server, RequestHandler shard) {
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
