package io.graphmeta.simulation;

import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_INDEXES;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_DEFECT;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** What can be done wrong where entries are applied later than they are ordered. */
final class LogBugs {
  private static final Set<Invariant> CAUGHT_BY =
      EnumSet.of(
          SNAPSHOT_READS,
          PAST_NEVER_CHANGES,
          NOTHING_LOST,
          ALL_OR_NOTHING,
          NO_HALF_EDGE,
          OWN_WRITES,
          SNAPSHOT_ISOLATION,
          GRAPH_RULES,
          STAMPS_GROW,
          REFUSED_STAYS_AWAY,
          CONSISTENT_ROWS,
          CONSISTENT_INDEXES,
          NO_DEFECT);

  private LogBugs() {}

  static List<PlantedBug> all() {
    return List.of(
        bug("who mirrors the store is told of entries that are only ordered", ToldEarly::new),
        bug("entries are told to be done when they are ordered", DoneEarly::new),
        bug("entries that nobody waits for are told to be done when they are ordered", Undone::new),
        bug("all is told to be applied that is ordered", AppliedEarly::new));
  }

  private static PlantedBug bug(String name, UnaryOperator<ReplicationLog> log) {
    return new PlantedBug(name, () -> new Late(log), CAUGHT_BY);
  }

  /** A world in which entries are applied late; without a defect if it is given none. */
  static class Late extends Sabotage {
    private final UnaryOperator<ReplicationLog> log;

    Late() {
      this(log -> log);
    }

    Late(UnaryOperator<ReplicationLog> log) {
      this.log = log;
    }

    @Override
    ReplicationLog log(int shard, ReplicationLog to) {
      return log.apply(to);
    }

    @Override
    long applyMicros(long drawn) {
      return 30_000;
    }

    @Override
    boolean isIndexed(boolean drawn) {
      return drawn;
    }

    @Override
    Options world(Options drawn) {
      return drawn.withManySplits().withBusyClients();
    }
  }

  private static final class ToldEarly extends PassingLog {
    ToldEarly(ReplicationLog log) {
      super(log);
    }

    @Override
    public void tell(Told told) {
      super.tell(
          new Told() {
            @Override
            public void ordered(RowBatch entry) {
              told.ordered(entry);
              told.applied(entry);
            }

            @Override
            public void applied(RowBatch entry) {}
          });
    }
  }

  private static final class DoneEarly extends PassingLog {
    DoneEarly(ReplicationLog log) {
      super(log);
    }

    @Override
    public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      super.append(entry, durability);
      return CompletableFuture.completedFuture(null);
    }
  }

  private static final class Undone extends PassingLog {
    Undone(ReplicationLog log) {
      super(log);
    }

    @Override
    public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      CompletableFuture<Void> done = super.append(entry, durability);
      return durability == Durability.BACKGROUND ? CompletableFuture.completedFuture(null) : done;
    }
  }

  private static final class AppliedEarly extends PassingLog {
    AppliedEarly(ReplicationLog log) {
      super(log);
    }

    @Override
    public CompletableFuture<Void> applied() {
      return CompletableFuture.completedFuture(null);
    }
  }
}
