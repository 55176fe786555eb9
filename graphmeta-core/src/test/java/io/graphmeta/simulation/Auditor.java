package io.graphmeta.simulation;

import io.graphmeta.simulation.Element.Fact;
import io.graphmeta.simulation.Found.Version;
import io.graphmeta.simulation.History.Observation;
import io.graphmeta.simulation.StoredRows.Presence;
import io.graphmeta.simulation.Txn.Attempt;
import io.graphmeta.simulation.Txn.Status;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.PlanOracle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what clients were told and have read with what the disks hold. A transaction whose
 * outcome its client was not told counts as committed if all its rows are there: at and below a
 * stamp that somebody was given as a snapshot that can change no more.
 */
final class Auditor {
  /** Most answers in one world that are too large to be compared. */
  private static final int MAX_UNCOMPARED = 3;

  private final History history;
  private final List<SimulatedShard> shards;
  private final StoredRows rows;
  private Map<Txn, Long> found = new HashMap<>();
  private Map<Long, List<Attempt>> taken = new HashMap<>();
  private int uncompared;

  Auditor(History history, List<SimulatedShard> shards, StoredRows rows) {
    this.history = history;
    this.shards = shards;
    this.rows = rows;
  }

  /** What can be told while clients work. */
  void audit() {
    rows.noteSplits();
    found = new HashMap<>();
    taken = new HashMap<>();
    for (Txn txn : history.acknowledged()) {
      taken.computeIfAbsent(txn.stamp, stamp -> new ArrayList<>(1)).addAll(txn.attempts);
    }
    Oracle oracle = new Oracle(history.elements(), this::stamp);
    for (Observation observation : history.takeUnchecked()) {
      check(oracle, observation);
    }
    if (shards.stream().allMatch(SimulatedShard::leads)) {
      auditRows(shards.stream().mapToLong(shard -> shard.status().resolvedStamp()).min().orElse(0));
    }
  }

  private void auditRows(long resolved) {
    String half = rows.halfEdge(resolved);
    Map<Long, List<Attempt>> byStamp = attemptsByStamp();
    for (Txn txn : history.transactions()) {
      for (Attempt attempt : txn.attempts) {
        if (attempt.id() != null && attempt.id().stamp() <= resolved) {
          requireAllOrNothing(txn, presence(attempt, byStamp));
        }
      }
      if (txn.status == Status.ACKNOWLEDGED && txn.stamp <= resolved) {
        requireThere(txn);
      }
    }
    if (half != null) {
      throw new Violation(Invariant.NO_HALF_EDGE, half, half + ", at or below " + resolved);
    }
  }

  private Map<Long, List<Attempt>> attemptsByStamp() {
    Map<Long, List<Attempt>> byStamp = new HashMap<>();
    for (Txn txn : history.transactions()) {
      for (Attempt attempt : txn.attempts) {
        long stamp = attempt.id() == null ? stamp(txn) : attempt.id().stamp();
        byStamp.computeIfAbsent(stamp, s -> new ArrayList<>(1)).add(attempt);
      }
    }
    return byStamp;
  }

  private Presence presence(Attempt attempt, Map<Long, List<Attempt>> byStamp) {
    return attempt.id() == null
        ? rows.presence(attempt)
        : rows.presence(attempt, byStamp.getOrDefault(attempt.id().stamp(), List.of()));
  }

  /** What can be told when all outcomes are known everywhere. */
  void auditSettled() {
    audit();
    auditRows(Stamp.MAX);
    Map<Long, List<Attempt>> byStamp = attemptsByStamp();
    for (Txn txn : history.transactions()) {
      int whole = 0;
      for (Attempt attempt : txn.attempts) {
        Presence presence = presence(attempt, byStamp);
        requireAllOrNothing(txn, presence);
        whole += presence.isWhole() ? 1 : 0;
      }
      if (whole > 0 && txn.status == Status.REFUSED) {
        throw new Violation(
            Invariant.REFUSED_STAYS_AWAY, txn.name, txn + " was refused, and is there");
      }
      if (whole > 1) {
        throw new Violation(
            Invariant.ALL_OR_NOTHING, txn.name, txn + " is there " + whole + " times");
      }
    }
    auditOrder();
  }

  private static void requireAllOrNothing(Txn txn, Presence presence) {
    if (presence.isHalf()) {
      throw new Violation(
          Invariant.ALL_OR_NOTHING,
          txn.name,
          txn
              + " at "
              + presence.stamp()
              + " has "
              + presence.there()
              + " of its "
              + presence.all()
              + " rows");
    }
  }

  private void requireThere(Txn txn) {
    if (txn.era < history.era()) {
      return;
    }
    for (Attempt attempt : txn.attempts) {
      if (rows.presence(attempt, txn.stamp).isWhole()) {
        return;
      }
    }
    throw new Violation(
        Invariant.NOTHING_LOST,
        txn.name,
        txn + " was acknowledged at " + txn.stamp + ", and is not there");
  }

  /**
   * Of two writes of one slot in a row, the second has the greater stamp. Backfills are left out:
   * they change another time, and so do not meet.
   */
  private void auditOrder() {
    List<Txn> acknowledged = history.acknowledged();
    List<Txn> byCommit = new ArrayList<>(acknowledged);
    byCommit.removeIf(txn -> stamp(txn) == 0);
    byCommit.sort(Comparator.comparingInt(txn -> txn.acknowledgedBefore));
    Map<String, Long> newest = new HashMap<>();
    int told = 0;
    for (Txn txn : byCommit) {
      for (; told < txn.acknowledgedBefore; told++) {
        long before = stamp(acknowledged.get(told));
        for (Fact fact : acknowledged.get(told).facts) {
          if (fact.valid() == Stamp.AT_COMMIT) {
            newest.merge(slot(fact), before, Math::max);
          }
        }
      }
      for (Fact fact : txn.facts) {
        if (fact.valid() == Stamp.AT_COMMIT && newest.getOrDefault(slot(fact), 0L) >= txn.stamp) {
          throw new Violation(
              Invariant.STAMPS_GROW,
              txn.name,
              txn + " wrote " + fact + " at " + txn.stamp + ", behind a greater stamp");
        }
      }
    }
  }

  private static String slot(Fact fact) {
    return Element.name(fact.element().key) + "." + fact.slot();
  }

  private void check(Oracle oracle, Observation observation) {
    requireNothingRefused(observation);
    Oracle.Sight sight =
        oracle.at(
            observation.view(),
            observation.ownFacts() > 0 ? observation.reader() : null,
            observation.ownFacts());
    Found expected;
    try {
      expected = observation.query().expect(sight);
    } catch (PlanOracle.TooMuch e) {
      if (++uncompared > MAX_UNCOMPARED) {
        throw e;
      }
      return;
    }
    if (!expected.equals(observation.found())) {
      throw new Violation(
          Invariant.SNAPSHOT_READS,
          observation.reader().name,
          observation.reader()
              + " asked for "
              + observation.query()
              + " at "
              + observation.view().validAt()
              + "/"
              + observation.view().knownAt()
              + " and found\n    "
              + observation.found()
              + "\n  instead of\n    "
              + expected);
    }
  }

  private void requireNothingRefused(Observation observation) {
    for (Map<String, Version> slots : observation.found().elements().values()) {
      for (Version version : slots.values()) {
        Fact fact = history.factOf(version.value());
        boolean isSum = version.stamp() == 0; // which can be the value that another wrote
        if (fact != null
            && !isSum
            && fact.writer().status == Status.REFUSED
            && fact.writer() != observation.reader()) {
          throw new Violation(
              Invariant.REFUSED_STAYS_AWAY,
              fact.writer().name,
              observation.reader()
                  + " read "
                  + fact
                  + " of "
                  + fact.writer()
                  + ", which was refused");
        }
      }
    }
  }

  /** The stamp of a transaction; 0 if it is not committed. */
  long stamp(Txn txn) {
    boolean told = txn.era == history.era() || txn.status == Status.REFUSED;
    return told && txn.status == Status.ACKNOWLEDGED
        ? txn.stamp
        : told && txn.status == Status.REFUSED || txn.attempts.isEmpty()
            ? 0
            : found.computeIfAbsent(txn, this::stampOnDisk);
  }

  private long stampOnDisk(Txn txn) {
    for (Attempt attempt : txn.attempts) {
      boolean told = txn.status == Status.ACKNOWLEDGED;
      long stamp =
          !told
              ? rows.stamp(attempt, taken)
              : rows.presence(attempt, txn.stamp).isWhole() ? txn.stamp : 0;
      if (stamp != 0) {
        return stamp;
      }
    }
    return 0;
  }
}
