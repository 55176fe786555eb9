package io.graphmeta.gremlin.service;

import io.graphmeta.engine.LabelSearch;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.KeyedVertex;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ElementTests;
import io.graphmeta.time.Stamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * Vertices of which conditions were true at some moment of a window of valid time, and when that
 * was. Every phase of a candidate is tested in which it stayed as it was. Of the vertices in the
 * answer the whole history is read once more, so that it can be told when it began to be true and
 * when that ended, be it outside of the window. Belongs to one thread.
 */
final class WindowSearch {
  /** Most intervals that are told of a vertex: the last ones in the window. */
  static final int MAX_INTERVALS = 1_000;

  /** Most values that are told of a property. */
  static final int MAX_VALUES = 100;

  private static final int HISTORIES_AT_ONCE = 256;

  private final ServiceGraph graph;
  private final List<LabelSearch> searches;
  private final ReadView view;
  private final ViewSpan window;

  /**
   * A search.
   *
   * @param view the view that histories are told in
   * @param validFrom the first stamp of the window
   * @param validTo the last stamp of the window, within the view
   */
  WindowSearch(
      ServiceGraph graph, List<LabelSearch> searches, ReadView view, long validFrom, long validTo) {
    this.graph = graph;
    this.searches = searches;
    this.view = view;
    this.window = new ViewSpan(validFrom, new ReadView(validTo, view.knownAt(), view.snapshot()));
  }

  /**
   * Hands each vertex on that a condition was true of in the window, as it was when it was last
   * true in it, until there are enough.
   */
  void each(Consumer<Vertex> action, BooleanSupplier isEnough) {
    for (LabelSearch search : searches) {
      Predicate<ElementTests.Tested> test = ElementTests.compiled(search.where());
      try (CloseableIterator<PhasedVertex> candidates =
          graph.during(search.label(), search.where(), window)) {
        while (!isEnough.getAsBoolean() && candidates.hasNext()) {
          Vertex found = lastOf(candidates.next(), test);
          if (found != null) {
            action.accept(found);
          }
        }
      }
    }
  }

  private static @Nullable Vertex lastOf(
      PhasedVertex candidate, Predicate<ElementTests.Tested> test) {
    Vertex[] found = new Vertex[1];
    candidate.forEachPhase(
        (first, last, vertex) -> {
          if (vertex != null && test.test(new TestedVertex(vertex))) {
            found[0] = vertex;
          }
        });
    return found[0];
  }

  /** Tells of vertices when the condition for their label was true, and because of what. */
  List<Map<String, Object>> maps(List<Vertex> vertices, boolean highlight) {
    Map<String, LabelSearch> byLabel = new HashMap<>();
    searches.forEach(search -> byLabel.put(search.label(), search));
    ViewSpan always = new ViewSpan(Stamp.MIN, view);
    List<Map<String, Object>> maps = new ArrayList<>(vertices.size());
    for (int from = 0; from < vertices.size(); from += HISTORIES_AT_ONCE) {
      List<Vertex> some =
          vertices.subList(from, Math.min(vertices.size(), from + HISTORIES_AT_ONCE));
      long[] keys = some.stream().mapToLong(vertex -> ((KeyedVertex) vertex).key()).toArray();
      List<PhasedVertex> histories = graph.histories(keys, always);
      for (int i = 0; i < keys.length; i++) {
        LabelSearch search = byLabel.get(some.get(i).label());
        if (search != null) {
          maps.add(new Telling(search).map(some.get(i), histories.get(i), highlight));
        }
      }
    }
    return maps;
  }

  /** When a condition was true of one vertex. Intervals end where it is not true any more. */
  private final class Telling implements PhasedVertex.Visitor {
    private final Predicate<ElementTests.Tested> test;
    private final MatchedValues matched;
    private final ArrayDeque<Map<String, Object>> intervals = new ArrayDeque<>();
    private long leftOut;
    private long trueFrom;

    Telling(LabelSearch search) {
      test = ElementTests.compiled(search.where());
      matched = new MatchedValues(search.where(), MAX_VALUES);
    }

    Map<String, Object> map(Vertex vertex, PhasedVertex history, boolean highlight) {
      history.forEachPhase(this);
      if (trueFrom != 0) {
        add(0);
      }
      return new Row()
          .put("id", vertex.id())
          .put("label", vertex.label())
          .put("matched", matched.byKey())
          .put("highlights", highlight ? matched.highlights() : null)
          .put("intervals", List.copyOf(intervals))
          .put("intervalsLeftOut", leftOut == 0 ? null : leftOut)
          .toMap();
    }

    @Override
    public void phase(long first, long last, @Nullable Vertex vertex) {
      boolean inWindow = last >= window.validFrom() && first <= window.last().validAt();
      if (vertex != null && isTrue(vertex, inWindow)) {
        trueFrom = trueFrom == 0 ? first : trueFrom;
        if (inWindow) {
          matched.take(new TestedVertex(vertex));
        }
      } else if (trueFrom != 0) {
        add(first);
        trueFrom = 0;
      }
    }

    /** What is an error outside of the window was never asked for. */
    private boolean isTrue(Vertex vertex, boolean inWindow) {
      try {
        return test.test(new TestedVertex(vertex));
      } catch (GraphMetaException e) {
        if (inWindow || e.code() != ErrorCode.INVALID_ARGUMENT) {
          throw e;
        }
        return false;
      }
    }

    /**
     * Takes an interval in if it has a part in the window.
     *
     * @param end the stamp from which it was not true any more; 0 if there is none in the view
     */
    private void add(long end) {
      boolean hasPart =
          trueFrom <= window.last().validAt() && (end == 0 || end > window.validFrom());
      if (!hasPart) {
        return;
      }
      if (intervals.size() == MAX_INTERVALS) {
        intervals.removeFirst();
        leftOut++;
      }
      intervals.add(
          new Row().time("from", Stamp.micros(trueFrom)).time("until", Stamp.micros(end)).toMap());
    }
  }
}
