package io.graphmeta.simulation;

import static io.graphmeta.simulation.PlantedBug.sending;
import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_DEFECT;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.Scope;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * What can be done wrong with names, with values of sets, and with moments that have just passed.
 */
final class ValueBugs {
  private ValueBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        bug(
            "values of sets whose conflicts are not looked for",
            () -> withoutChecks(ValueBugs::ofSetValues),
            CONSISTENT_ROWS),
        bug(
            "an end that looks for no changed property",
            () -> withoutChecks(ValueBugs::ofEnded),
            GRAPH_RULES,
            SNAPSHOT_READS),
        bug(
            "names that are answered and not kept",
            ValueBugs::forgotten,
            CONSISTENT_ROWS,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            NO_DEFECT),
        bug(
            "an id that is given to another name",
            ValueBugs::renamed,
            CONSISTENT_ROWS,
            SNAPSHOT_READS,
            PAST_NEVER_CHANGES,
            NO_DEFECT),
        bug(
            "a moment that is not waited for",
            ValueBugs::unawaited,
            SNAPSHOT_READS,
            REFUSED_STAYS_AWAY,
            PAST_NEVER_CHANGES,
            OWN_WRITES,
            SNAPSHOT_ISOLATION,
            GRAPH_RULES,
            STAMPS_GROW,
            NOTHING_LOST,
            ALL_OR_NOTHING));
  }

  private static PlantedBug bug(
      String name, Supplier<Sabotage> sabotage, Invariant first, Invariant... more) {
    return new PlantedBug(name, sabotage, EnumSet.of(first, more));
  }

  /** Clients leave out some of their checks, by what they write. */
  private static Sabotage withoutChecks(Function<StagedRows, Set<Long>> left) {
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
                          without(commit.checks(), left.apply(commit.rows())),
                          commit.marks()));
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
                          without(prepare.checks(), left.apply(prepare.rows())),
                          prepare.marks(),
                          prepare.replaces()));
          return transport.send(shard, changed);
        });
  }

  private static long[] without(long[] checks, Set<Long> left) {
    return LongStream.of(checks).filter(check -> !left.contains(check)).toArray();
  }

  /** The properties of the elements that end. */
  private static Set<Long> ofEnded(StagedRows rows) {
    Set<Long> ended = new HashSet<>();
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
          if (family == Family.ATTRIBUTES && RowValues.isTombstone(buffer, valueAt)) {
            ended.add(Scope.propertiesOf(BigEndian.getLong(buffer, slotAt)).hash());
          } else if (family == Family.OUT && RowValues.isTombstone(buffer, valueAt)) {
            ended.add(Scope.propertiesOf(RowKeys.edgeKey(buffer, slotAt)).hash());
          }
        });
    return ended;
  }

  /** The values that are added to sets. */
  private static Set<Long> ofSetValues(StagedRows rows) {
    Set<Long> values = new HashSet<>();
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
          if (family == Family.ATTRIBUTES && (buffer[valueAt] & RowValues.OF_SET) != 0) {
            ByteReader in = new ByteReader(buffer, valueAt + 1, valueLength - 1);
            values.add(
                Scope.setValue(
                        BigEndian.getLong(buffer, slotAt),
                        BigEndian.getShort(buffer, slotAt + 8),
                        ValueCodec.read(in))
                    .hash());
          }
        });
    return values;
  }

  /** The shard that keeps the names answers that it took them. */
  private static Sabotage forgotten() {
    return PlantedBug.handling(
        (call, shard) ->
            call.request() instanceof Request.Define define
                ? shard
                    .handle(new Call(call.epoch(), call.timeoutMillis(), new Request.ReadSchema()))
                    .thenApply(names -> with(((Response.Schema) names).image(), define.names()))
                : shard.handle(call));
  }

  /** It answers who comes second as if the id that it asks for were that of its name. */
  private static Sabotage renamed() {
    return PlantedBug.handling(
        (call, shard) -> {
          CompletableFuture<Response> answer = shard.handle(call);
          return call.request() instanceof Request.Define define
              ? answer.exceptionally(
                  failure -> {
                    if (failure instanceof GraphMetaException refused
                        && refused.code() == ErrorCode.CONFLICT) {
                      return new Response.Schema(define.names());
                    }
                    throw new IllegalStateException(failure);
                  })
              : answer;
        });
  }

  private static Response with(SchemaImage known, SchemaImage more) {
    List<SchemaName> names = new ArrayList<>(more.entries());
    for (SchemaName name : known.entries()) {
      if (!more.has(name.kind(), name.id()) && more.id(name.kind(), name.name()) == 0) {
        names.add(name);
      }
    }
    return new Response.Schema(SchemaImage.of(names));
  }

  /** What a client asks to be complete it takes for complete. */
  private static Sabotage unawaited() {
    return sending(
        drawn -> drawn.withShardsThatComeAndGo().withBusyClients(),
        (shard, call, transport) ->
            call.request() instanceof Request.Snapshot snapshot
                ? transport
                    .send(
                        shard,
                        new Call(call.epoch(), call.timeoutMillis(), new Request.Snapshot(0)))
                    .thenApply(
                        answer ->
                            new Response.Stamped(
                                Math.max(((Response.Stamped) answer).stamp(), snapshot.seen())))
                : transport.send(shard, call));
  }
}
