package io.graphmeta.simulation;

import io.graphmeta.codec.SplitRows;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.simulation.Element.Fact;
import io.graphmeta.simulation.Txn.Attempt;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that clients did and were told. */
final class History {
  private final List<Txn> transactions = new ArrayList<>();
  private final Map<Object, Element> elements = new LinkedHashMap<>();
  private final Map<String, Element> byName = new HashMap<>();
  private final Map<Object, Fact> byValue = new HashMap<>();
  private final List<Element> vertices = new ArrayList<>();
  private final Map<String, List<Element>> byId = new LinkedHashMap<>();
  private List<Observation> unchecked = new ArrayList<>();
  private final List<Observation> observations = new ArrayList<>();
  private final List<Txn> acknowledged = new ArrayList<>();
  private int era;
  private int lostLeases;

  /**
   * A read and what it found.
   *
   * @param ownFacts how many facts its transaction had written before
   */
  record Observation(
      Txn reader, io.graphmeta.model.ReadView view, int ownFacts, Query query, Found found) {}

  Txn begin(String name, int client, long snapshot) {
    Txn txn = new Txn(name, client, snapshot);
    txn.era = era;
    txn.lostLeases = lostLeases;
    transactions.add(txn);
    return txn;
  }

  List<Txn> transactions() {
    return transactions;
  }

  Collection<Element> elements() {
    return elements.values();
  }

  List<Element> elementsWithId(String id) {
    return byId.getOrDefault(id, List.of());
  }

  /** The vertices in the order in which they were added. */
  List<Element> vertices() {
    return vertices;
  }

  @Nullable Element elementNamed(String name) {
    return byName.get(name);
  }

  /** The fact that has a value, which no other has. */
  @Nullable Fact factOf(Object value) {
    return byValue.get(value);
  }

  /**
   * An element that is added. One that was removed may be added again under its id; no other
   * element was given its key, unless that one and the lease of its number were lost with the
   * power.
   */
  Element added(Object key, @Nullable String id, String label) {
    Element known = elements.get(key);
    boolean again = known != null && known.id != null && known.id.equals(id);
    if (known != null
        && !again
        && known.facts.stream().anyMatch(fact -> keepsItsKey(fact.writer()))) {
      throw new Violation(
          Violation.Invariant.GRAPH_RULES,
          Element.name(key),
          known + " and another element have one key");
    }
    if (again) {
      return known;
    }
    if (known != null) {
      forget(known);
    }
    Element element = new Element(key, id, label);
    elements.put(key, element);
    byName.put(Element.name(key), element);
    if (element.isVertex()) {
      vertices.add(element);
    }
    if (id != null) {
      byId.computeIfAbsent(id, i -> new ArrayList<>(2)).add(element);
    }
    return element;
  }

  /** What was lost with its key is no other element, though it has that key, too. */
  private void forget(Element lost) {
    vertices.remove(lost);
    if (lost.id != null) {
      elementsWithId(lost.id).remove(lost);
    }
  }

  void wrote(Txn writer, Element element, String slot, long valid, @Nullable Object value) {
    Fact fact = new Fact(writer.facts.size(), element, slot, valid, value, writer);
    if (value != null && !slot.equals(Fact.BODY) && !slot.startsWith(Workload.SET)) {
      byValue.put(value, fact);
    }
    element.facts.add(fact);
    writer.facts.add(fact);
  }

  void observed(Observation observation) {
    unchecked.add(observation);
    observations.add(observation);
  }

  List<Observation> observations() {
    return observations;
  }

  /** The observations since the last call. */
  List<Observation> takeUnchecked() {
    List<Observation> taken = unchecked;
    unchecked = new ArrayList<>();
    return taken;
  }

  void commits(Txn txn) {
    txn.acknowledgedBefore = acknowledged.size();
  }

  void acknowledged(Txn txn, long stamp) {
    txn.status = Txn.Status.ACKNOWLEDGED;
    txn.stamp = stamp;
    acknowledged.add(txn);
  }

  /** In the order in which clients were told. */
  List<Txn> acknowledged() {
    return acknowledged;
  }

  /** How often all shards lost their power at once. */
  int era() {
    return era;
  }

  void nextEra() {
    era++;
  }

  /** Leases on which no commit rests are gone with the power, and are given again. */
  void loseLeases() {
    lostLeases++;
  }

  private boolean keepsItsKey(Txn writer) {
    boolean committed = writer.status == Txn.Status.ACKNOWLEDGED || writer.stamp != 0;
    return writer.era == era && (committed || writer.lostLeases == lostLeases);
  }

  /** Forgets what was refused because it went to the wrong shard, and is sent again elsewhere. */
  void misplaced(Txn txn, Request.Commit commit) {
    txn.attempts.removeIf(a -> a.id() == null && a.token() == commit.token());
  }

  /** Notes what a client sends for a transaction; splits ahead of it are none of its own. */
  void sent(Txn txn, int shard, Request request) {
    if (request instanceof Request.Prepare split && isSplit(split.rows())) {
      return;
    }
    if (request instanceof Request.Commit commit) {
      if (txn.attempts.stream().noneMatch(a -> a.id() == null && a.token() == commit.token())) {
        txn.attempts.add(Attempt.single(commit.token(), shard, commit.rows()));
      }
    } else if (request instanceof Request.Prepare prepare) {
      Attempt attempt =
          txn.attempts.stream()
              .filter(a -> prepare.id().equals(a.id()))
              .findFirst()
              .orElseGet(
                  () -> {
                    Attempt made = Attempt.over(prepare.id(), prepare.participants().length);
                    txn.attempts.add(made);
                    return made;
                  });
      attempt.parts().put(shard, prepare.rows());
    }
  }

  private static boolean isSplit(StagedRows rows) {
    boolean[] moves = {false};
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) ->
            moves[0] |= family == Family.SPLITS && SplitRows.isMove(valueLength));
    return moves[0];
  }
}
