package io.graphmeta.engine;

import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A versioned graph as a flat list of facts, read by looking at all of them: too simple to be wrong
 * in the ways that the real one can be.
 */
final class GraphOracle {
  private static final Comparator<Fact> LATER =
      Comparator.<Fact>comparingLong(f -> f.valid)
          .thenComparingLong(f -> f.committed)
          .thenComparingLong(f -> f.order);

  private final List<Element> elements = new ArrayList<>();
  private final List<Fact> facts = new ArrayList<>();
  private final List<Commit> commits = new ArrayList<>();
  private final List<Pending> refused = new ArrayList<>();
  private long order;

  /** A vertex or an edge; {@code key} is the real one's key. */
  static final class Element {
    final boolean vertex;
    final String id;
    final String label;
    final Element out;
    final Element in;
    Object key;

    Element(boolean vertex, String id, String label, Element out, Element in) {
      this.vertex = vertex;
      this.id = id;
      this.label = label;
      this.out = out;
      this.in = in;
    }

    @Override
    public String toString() {
      return (vertex ? "vertex " : "edge ") + id + " " + key;
    }
  }

  /**
   * One version of one slot; the slot "" is the existence of the element, and a null value its end.
   */
  static final class Fact {
    final Element element;
    final String slot;
    final Object value;
    final long order;
    long valid;
    long committed = Stamp.MAX;

    Fact(Element element, String slot, long valid, Object value, long order) {
      this.element = element;
      this.slot = slot;
      this.valid = valid;
      this.value = value;
      this.order = order;
    }
  }

  /** What a transaction has written, and what of it can conflict. */
  static final class Pending {
    final long snapshot;
    final List<Fact> facts = new ArrayList<>();
    final List<Element> created = new ArrayList<>();
    final Set<String> ids = new HashSet<>();
    final Set<String> singles = new HashSet<>();
    final Set<String> values = new HashSet<>();
    final Set<Element> propertied = new HashSet<>();
    final Set<Element> deleted = new HashSet<>();
    final Set<Element> extended = new HashSet<>();

    /** The vertices that new edges were joined to. */
    Set<Element> ends() {
      Set<Element> ends = new HashSet<>();
      for (Element element : created) {
        if (!element.vertex) {
          ends.add(element.out);
          ends.add(element.in);
        }
      }
      return ends;
    }

    Pending(long snapshot) {
      this.snapshot = snapshot;
    }
  }

  private record Commit(long stamp, Pending writes) {}

  Element element(boolean vertex, String id, String label, Element out, Element in) {
    return new Element(vertex, id, label, out, in);
  }

  void write(Pending tx, Element element, String slot, long valid, Object value) {
    tx.facts.add(
        new Fact(element, slot, valid == Stamp.AT_COMMIT ? Stamp.MAX : valid, value, order++));
  }

  void commit(Pending tx, long stamp) {
    for (Fact fact : tx.facts) {
      fact.committed = stamp;
      fact.valid = fact.valid == Stamp.MAX ? stamp : fact.valid;
      facts.add(fact);
    }
    elements.addAll(tx.created);
    commits.add(new Commit(stamp, tx));
  }

  List<Element> elements(Pending own) {
    List<Element> all = new ArrayList<>(elements);
    if (own != null) {
      all.addAll(own.created);
    }
    return all;
  }

  /**
   * The value of every slot that a view sees, "" among them if the element exists; own facts are
   * always seen.
   */
  Map<String, Object> slots(Element element, ReadView view, Pending own) {
    Map<String, Fact> latest = new LinkedHashMap<>();
    for (Fact fact : facts) {
      if (fact.element == element && view.sees(fact.valid, fact.committed)) {
        latest.merge(fact.slot, fact, (a, b) -> LATER.compare(a, b) > 0 ? a : b);
      }
    }
    if (own != null) {
      for (Fact fact : own.facts) {
        if (fact.element == element
            && (fact.valid <= view.validAt() || view.validAt() == own.snapshot)) {
          latest.merge(fact.slot, fact, (a, b) -> LATER.compare(a, b) > 0 ? a : b);
        }
      }
    }
    Map<String, Object> values = new TreeMap<>();
    Fact body = latest.get("");
    if (body == null || body.value == null) {
      return values;
    }
    latest.forEach(
        (slot, fact) -> {
          if (fact.value != null) {
            values.put(slot, fact.value);
          }
        });
    return values;
  }

  boolean exists(Element element, ReadView view, Pending own) {
    return slots(element, view, own).containsKey("");
  }

  /** The first moment at which an element is said to exist, or MAX. */
  long begin(Element element, Pending own) {
    return bodies(element, own, true).stream().mapToLong(f -> f.valid).min().orElse(Stamp.MAX);
  }

  /** The last moment at which an element is said to exist. */
  long newestBody(Element element, Pending own) {
    return bodies(element, own, true).stream().mapToLong(f -> f.valid).max().orElse(0);
  }

  /** The moment of the first end of an element, or MAX. */
  long end(Element element, Pending own) {
    return bodies(element, own, false).stream().mapToLong(f -> f.valid).min().orElse(Stamp.MAX);
  }

  /** True if an element has an end, be it at the coming commit. */
  boolean isEnded(Element element, Pending own) {
    return !bodies(element, own, false).isEmpty();
  }

  private List<Fact> bodies(Element element, Pending own, boolean present) {
    List<Fact> found = new ArrayList<>();
    for (Fact fact : facts) {
      if (fact.element == element
          && fact.slot.isEmpty()
          && fact.committed <= own.snapshot
          && (fact.value != null) == present) {
        found.add(fact);
      }
    }
    for (Fact fact : own.facts) {
      if (fact.element == element && fact.slot.isEmpty() && (fact.value != null) == present) {
        found.add(fact);
      }
    }
    return found;
  }

  /** True if a commit must fail because of one that came first. */
  boolean mustConflict(Pending tx) {
    return commits.stream()
        .anyMatch(commit -> commit.stamp > tx.snapshot && mustConflict(tx, commit.writes));
  }

  private static boolean mustConflict(Pending tx, Pending other) {
    return meet(tx.ids, other.ids)
        || meet(tx.singles, other.singles)
        || meet(tx.deleted, other.deleted)
        || meet(tx.deleted, other.propertied)
        || meet(tx.ends(), other.deleted)
        || meet(deletedVertices(tx), other.ends());
  }

  /** True if there is a reason for a commit to fail. */
  boolean mayConflict(Pending tx) {
    return commits.stream()
            .anyMatch(commit -> commit.stamp > tx.snapshot && mayConflict(tx, commit.writes))
        || refused.stream().anyMatch(other -> mayConflict(tx, other));
  }

  private static boolean mayConflict(Pending tx, Pending other) {
    return mustConflict(tx, other)
        || meet(existence(tx), existence(other))
        || meet(existence(other), tx.propertied)
        || meet(existence(other), tx.ends())
        || meet(existence(tx), other.ends())
        || meet(tx.singles, other.values)
        || meet(tx.values, other.singles)
        || meet(tx.values, other.values);
  }

  /**
   * Takes note of a transaction that some shard refused, where other shards hear of that in their
   * own time: until then they hold its parts against others.
   */
  void refusedSomewhere(Pending tx) {
    refused.add(tx);
  }

  private static Set<Element> existence(Pending tx) {
    Set<Element> changed = new HashSet<>(tx.deleted);
    changed.addAll(tx.extended);
    return changed;
  }

  private static Set<Element> deletedVertices(Pending tx) {
    Set<Element> vertices = new HashSet<>(tx.deleted);
    vertices.removeIf(element -> !element.vertex);
    return vertices;
  }

  private static boolean meet(Set<?> a, Set<?> b) {
    return a.stream().anyMatch(b::contains);
  }

  List<Long> stamps() {
    return facts.stream()
        .flatMap(f -> Stream.of(f.valid, f.committed))
        .distinct()
        .sorted()
        .toList();
  }
}
