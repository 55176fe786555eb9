package io.graphmeta.simulation;

import static io.graphmeta.simulation.PlantedBug.sending;
import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.transport.Transport;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What a client can do wrong. */
final class ClientBugs {
  private static final long[] NONE = {};

  private ClientBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(clients()).flatMap(List::stream).toList();
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** What a client can do wrong. */
  private static List<PlantedBug> clients() {
    return List.of(
        bug(
            "conflicts that are not looked for",
            () -> checked(false, true),
            NOTHING_LOST,
            STAMPS_GROW,
            SNAPSHOT_ISOLATION,
            GRAPH_RULES,
            SNAPSHOT_READS,
            CONSISTENT_ROWS),
        bug(
            "changes that are not marked",
            () -> checked(true, false),
            NOTHING_LOST,
            STAMPS_GROW,
            SNAPSHOT_ISOLATION,
            GRAPH_RULES,
            SNAPSHOT_READS,
            CONSISTENT_ROWS),
        bug(
            "a session that forgets what it has seen",
            () ->
                sending(
                    (shard, call, transport) ->
                        transport.send(
                            shard,
                            PlantedBug.rewritten(
                                call,
                                Request.Snapshot.class,
                                snapshot -> new Request.Snapshot(0)))),
            OWN_WRITES),
        bug(
            "a commit that is sent twice as two",
            () ->
                sending(
                    (shard, call, transport) -> {
                      if (call.request() instanceof Request.Commit commit) {
                        transport.send(shard, with(call, again(commit)));
                      }
                      return transport.send(shard, call);
                    }),
            SNAPSHOT_READS,
            REFUSED_STAYS_AWAY,
            ALL_OR_NOTHING,
            PAST_NEVER_CHANGES,
            NOTHING_LOST),
        bug(
            "a broken connection that is told as if nothing had been sent",
            BreaksAsRefusals::new,
            REFUSED_STAYS_AWAY,
            ALL_OR_NOTHING,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            SNAPSHOT_ISOLATION,
            CONSISTENT_ROWS,
            GRAPH_RULES));
  }

  /** What is told of a connection over which a message may have been taken. */
  static final class BreaksAsRefusals extends InBreaks {
    @Override
    Transport transport(int client, Transport transport) {
      return PlantedBug.sending(
              (shard, call, to) ->
                  to.send(shard, call)
                      .handle(
                          (response, failure) -> {
                            if (failure == null) {
                              return response;
                            }
                            if (failure instanceof GraphMetaException known
                                && known.code() == ErrorCode.UNREACHABLE) {
                              throw new GraphMetaException(
                                  ErrorCode.UNAVAILABLE, String.valueOf(known.getMessage()));
                            }
                            throw new CompletionException(failure);
                          }))
          .transport(client, transport);
    }
  }

  /** A world whose connections break while both their ends live. */
  static class InBreaks extends Sabotage {
    @Override
    Options world(Options drawn) {
      return drawn.withConnectionsThatBreak();
    }
  }

  private static CompletableFuture<Response> done(Response response) {
    return CompletableFuture.completedFuture(response);
  }

  private static Call with(Call call, Request request) {
    return new Call(call.epoch(), call.timeoutMillis(), request);
  }

  private static Request again(Request.Commit commit) {
    return new Request.Commit(
        commit.rows(), commit.token() ^ 1, commit.snapshot(), commit.seen(), NONE, commit.marks());
  }

  private static Sabotage checked(boolean checks, boolean marks) {
    return sending(
        (shard, call, transport) -> {
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
          return transport.send(shard, changed);
        });
  }
}
