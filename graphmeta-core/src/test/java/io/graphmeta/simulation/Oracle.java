package io.graphmeta.simulation;

import io.graphmeta.model.ReadView;
import io.graphmeta.simulation.Element.Fact;
import io.graphmeta.simulation.Found.Version;
import io.graphmeta.time.Stamp;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What a graph must look like by the facts of the transactions that are committed. */
final class Oracle {
  private final Collection<Element> elements;
  private final ToLongFunction<Txn> stamps;

  /**
   * An oracle over elements and their facts.
   *
   * @param stamps of transactions; 0 for those that are not committed
   */
  Oracle(Collection<Element> elements, ToLongFunction<Txn> stamps) {
    this.elements = elements;
    this.stamps = stamps;
  }

  /** The graph at a view, with the first facts of a transaction that reads its own writes. */
  Sight at(ReadView view, @Nullable Txn own, int ownFacts) {
    return new Sight(view, own, ownFacts);
  }

  /** The graph at a view. */
  final class Sight {
    private final ReadView view;
    private final @Nullable Txn own;
    private final int ownFacts;

    private Sight(ReadView view, @Nullable Txn own, int ownFacts) {
      this.view = view;
      this.own = own;
      this.ownFacts = ownFacts;
    }

    Found where(Predicate<Element> wanted, boolean withProperties) {
      Found found = Found.nothing();
      forEach(
          wanted,
          element ->
              found
                  .elements()
                  .put(
                      Element.name(element.key),
                      withProperties ? properties(element) : new TreeMap<>()));
      return found;
    }

    /** The elements that exist. */
    void forEach(Predicate<Element> wanted, Consumer<Element> action) {
      for (Element element : elements) {
        if (wanted.test(element) && exists(element)) {
          action.accept(element);
        }
      }
    }

    boolean exists(Element element) {
      Best body = new Best();
      for (Fact fact : element.facts) {
        if (fact.slot().equals(Fact.BODY)) {
          offer(body, fact);
        }
      }
      return body.fact != null && body.fact.value() != null;
    }

    /** The slots of an element that exists. */
    Map<String, Version> properties(Element element) {
      Map<String, Best> slots = new HashMap<>();
      for (Fact fact : element.facts) {
        if (!fact.slot().equals(Fact.BODY)) {
          offer(slots.computeIfAbsent(fact.slot(), s -> new Best()), fact);
        }
      }
      Map<String, Version> versions = new TreeMap<>();
      slots.forEach(
          (slot, best) -> {
            if (best.fact != null && best.fact.value() != null) {
              versions.put(slot, new Version(best.fact.value(), best.committed));
            }
          });
      return versions;
    }

    private void offer(Best best, Fact fact) {
      long committed;
      if (fact.writer() == own) {
        committed = fact.position() < ownFacts ? Stamp.MAX : 0;
      } else {
        committed = stamps.applyAsLong(fact.writer());
        committed = committed > view.knownAt() ? 0 : committed;
      }
      if (committed == 0) {
        return;
      }
      long valid = fact.valid() == Stamp.AT_COMMIT ? committed : fact.valid();
      boolean seen = valid <= view.validAt() || committed == Stamp.MAX;
      boolean later = valid > best.valid || valid == best.valid && committed >= best.committed;
      if (seen && later) {
        best.fact = fact;
        best.valid = valid;
        best.committed = committed;
      }
    }
  }

  private static final class Best {
    private @Nullable Fact fact;
    private long valid = -1;
    private long committed = -1;
  }
}
