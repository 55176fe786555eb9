package io.graphmeta.simulation;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.CheckRun;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.simulation.Element.Fact;
import io.graphmeta.simulation.Found.Version;
import io.graphmeta.simulation.History.Observation;
import io.graphmeta.simulation.IsolationChecker.Anomaly;
import io.graphmeta.simulation.IsolationChecker.Finding;
import io.graphmeta.simulation.IsolationChecker.Member;
import io.graphmeta.simulation.Simulation.Leaders;
import io.graphmeta.simulation.Simulation.Outcome;
import io.graphmeta.simulation.Txn.Status;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What can be said of a run when it is over. */
final class Verdict {
  private final History history;
  private final Auditor auditor;

  Verdict(History history, Auditor auditor) {
    this.history = history;
    this.auditor = auditor;
  }

  void requireConsistentRows(Transport shards, VirtualNodeMap map) {
    CheckReport report = CheckRun.over(shards, map);
    if (report.faults() > 0) {
      throw new Violation(
          Invariant.CONSISTENT_ROWS, "check", report.faults() + " faults: " + report.examples());
    }
  }

  /**
   * At every commit: edges exist while their ends do, an id has one element at a time, and what is
   * changed exists.
   */
  void requireGraphRules() {
    Oracle oracle = new Oracle(history.elements(), auditor::stamp);
    history.transactions().forEach(txn -> requireChangedExists(oracle, txn));
    Set<Long> stamps = new TreeSet<>();
    history.transactions().forEach(txn -> stamps.add(auditor.stamp(txn)));
    for (long stamp : stamps) {
      Oracle.Sight sight = oracle.at(ReadView.at(stamp), null, 0);
      Set<Object> vertices = new HashSet<>();
      Set<String> ids = new HashSet<>();
      sight.forEach(Element::isVertex, vertex -> vertices.add(vertex.key));
      sight.forEach(
          element -> element.id != null,
          element -> {
            if (!ids.add((element.isVertex() ? "vertex " : "edge ") + element.id)) {
              throw new Violation(
                  Invariant.GRAPH_RULES,
                  element.id,
                  "Two exist with id " + element.id + " at " + stamp);
            }
          });
      sight.forEach(
          element -> !element.isVertex(),
          edge -> {
            if (!vertices.contains(edge.edgeKey().out())
                || !vertices.contains(edge.edgeKey().in())) {
              throw new Violation(
                  Invariant.GRAPH_RULES,
                  Element.name(edge.key),
                  edge + " exists at " + stamp + ", and an end of it does not");
            }
          });
    }
  }

  private void requireChangedExists(Oracle oracle, Txn txn) {
    long stamp = auditor.stamp(txn);
    if (stamp == 0) {
      return;
    }
    Set<Element> ended = new HashSet<>();
    txn.facts.stream()
        .filter(fact -> fact.slot().equals(Fact.BODY) && fact.value() == null)
        .forEach(fact -> ended.add(fact.element()));
    Oracle.Sight sight = oracle.at(ReadView.at(stamp), null, 0);
    for (Fact fact : txn.facts) {
      if (fact.valid() == Stamp.AT_COMMIT
          && !ended.contains(fact.element())
          && !sight.exists(fact.element())) {
        throw new Violation(
            Invariant.GRAPH_RULES,
            txn.name,
            txn + " wrote " + fact + " at " + stamp + ", when that did not exist");
      }
    }
  }

  /** Returns the number of write skews. */
  int requireSnapshotIsolation() {
    int skews = 0;
    for (Finding finding : IsolationChecker.check(members())) {
      if (finding.anomaly() != Anomaly.G2_ITEM) {
        String name = finding.words().split(" ", 2)[0];
        throw new Violation(
            Invariant.SNAPSHOT_ISOLATION, name, finding.anomaly() + ": " + finding.words());
      }
      skews++;
    }
    return skews;
  }

  private List<Member> members() {
    Map<Object, Long> seenStamps = new HashMap<>();
    for (Observation observation : history.observations()) {
      for (Map<String, Version> slots : observation.found().elements().values()) {
        slots.values().forEach(version -> seenStamps.put(version.value(), version.stamp()));
      }
    }
    Map<Txn, Member> members = new HashMap<>();
    List<Member> inOrder = new ArrayList<>();
    for (Txn txn : history.transactions()) {
      long stamp = auditor.stamp(txn);
      Member member = new Member(txn.name, stamp != 0 || txn.status == Status.READ_ONLY);
      for (Fact fact : txn.facts) {
        if (isChecked(fact.slot()) && fact.value() != null) {
          long seen = seenStamps.getOrDefault(fact.value(), stamp);
          member.wrote(slot(fact), fact.value(), seen == Long.MAX_VALUE ? stamp : seen);
        }
      }
      members.put(txn, member);
      inOrder.add(member);
    }
    for (Observation observation : history.observations()) {
      Txn reader = observation.reader();
      // Earlier eras saw what may be lost; reads of the past depend on nothing that comes later.
      if (reader.era == history.era() && observation.view().equals(ReadView.at(reader.snapshot))) {
        addReads(members.get(reader), observation);
      }
    }
    return inOrder;
  }

  private void addReads(Member reader, Observation observation) {
    if (observation.query() instanceof Query.Count) {
      return;
    }
    observation
        .found()
        .elements()
        .forEach(
            (name, slots) -> {
              Element element = history.elementNamed(name);
              if (element == null || !observation.query().showsProperties()) {
                return;
              }
              String register = element.isVertex() ? Workload.REGISTER : Workload.WEIGHT;
              read(reader, observation, element, register, slots);
              if (element.isVertex()) {
                read(reader, observation, element, Workload.OTHER_REGISTER, slots);
              }
              slots.forEach(
                  (slot, version) -> {
                    if (slot.startsWith(Workload.LIST) && version.stamp() != Long.MAX_VALUE) {
                      reader.read(name + "." + slot, version.value());
                    }
                  });
            });
  }

  private static void read(
      Member reader,
      Observation observation,
      Element element,
      String slot,
      Map<String, Version> slots) {
    boolean ownWrite =
        observation.reader().facts.subList(0, observation.ownFacts()).stream()
            .anyMatch(fact -> isOf(fact, element) && fact.slot().equals(slot));
    if (!ownWrite) {
      Version version = slots.get(slot);
      reader.read(Element.name(element.key) + "." + slot, version == null ? null : version.value());
    }
  }

  /** By the key: one that a lost process was leased, and never committed with, is given again. */
  private static boolean isOf(Fact fact, Element element) {
    return fact.element().key.equals(element.key);
  }

  private static boolean isChecked(String slot) {
    return slot.equals(Workload.REGISTER)
        || slot.equals(Workload.OTHER_REGISTER)
        || slot.equals(Workload.WEIGHT)
        || slot.startsWith(Workload.LIST);
  }

  private static String slot(Fact fact) {
    return Element.name(fact.element().key) + "." + fact.slot();
  }

  Outcome outcome(
      int skews,
      int splits,
      int portFaults,
      int breaks,
      Leaders leaders,
      int traversals,
      int failedTraversals,
      Indexing.Use indexes,
      long events) {
    int[] counts = new int[Status.values().length];
    int overShards = 0;
    for (Txn txn : history.transactions()) {
      counts[txn.status.ordinal()]++;
      overShards += txn.attempts.stream().anyMatch(a -> a.id() != null) ? 1 : 0;
    }
    return new Outcome(
        history.transactions().size(),
        counts[Status.ACKNOWLEDGED.ordinal()],
        counts[Status.REFUSED.ordinal()],
        counts[Status.UNKNOWN.ordinal()],
        overShards,
        skews,
        splits,
        portFaults,
        breaks,
        leaders,
        traversals,
        failedTraversals,
        indexes,
        events);
  }
}
