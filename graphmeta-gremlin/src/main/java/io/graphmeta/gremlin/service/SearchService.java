package io.graphmeta.gremlin.service;

import io.graphmeta.engine.LabelSearch;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.ElementSelection;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.ElementTests;
import io.graphmeta.time.Stamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * {@code graphmeta.search}: the vertices that a query in a line of text is true of, in the view of
 * the traversal. Indexes name candidates; each is read and tested.
 */
final class SearchService extends GraphService {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 10_000;
  private static final int MAX_FACETS = 10_000;
  private static final int MAX_NAMES = 256;
  private static final String VERTICES = "vertices";
  private static final String MAPS = "maps";
  private static final String QUERY = "query";
  private static final String LABEL = "label";
  private static final String SORT = "sort";
  private static final String ORDER = "order";
  private static final String LIMIT = "limit";
  private static final String AFTER = "after";
  private static final String FACET = "facet";
  private static final String RESULT = "result";
  private static final String DURING = "during";
  private static final String HIGHLIGHT = "highlight";

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              QUERY,
              "words, \"words in quotes\", beginnings*, key:word, key:[low TO high], joined by AND, OR, NOT and"
                  + " parentheses",
              "What to look for, in the syntax of Lucene. Words beside each other have all to be there."),
          new CallParameter(
              LABEL,
              "a label of vertices or a list of them",
              "Where to search. By default all labels with an index that narrows the query down."),
          new CallParameter(
              "in",
              "a property key or a list of them",
              "Where words without a key are looked for. By default all properties that are indexed by words or exactly."),
          new CallParameter(
              SORT,
              "a property key, or 'id'",
              "What the answer is ordered by; without it one label stands behind the other."),
          new CallParameter(
              ORDER,
              "'asc' or 'desc'",
              "With sort: the least first, the default, or the greatest."),
          new CallParameter(
              LIMIT,
              "a whole number from 1 to " + MAX_LIMIT,
              "Most vertices in the answer. Default " + DEFAULT_LIMIT + "."),
          new CallParameter(
              AFTER,
              "the id of a vertex of the answer",
              "The last of a page, to go on behind it with the same query, labels and order."),
          new CallParameter(
              FACET,
              "'label' or a property key",
              "How many vertices of the whole answer have each label, or each value of the property, instead of the"
                  + " vertices."),
          new CallParameter(
              RESULT,
              "'" + VERTICES + "' or '" + MAPS + "'",
              "maps: id, label and the values that matched. Default vertices; with during or highlight, maps."),
          new CallParameter(
              HIGHLIGHT,
              "true or false",
              "Whether maps have each text in which words or parts were found once more, in pieces of which every second"
                  + " one is what was found. Default false."),
          new CallParameter(
              DURING,
              "a list of two times (ISO-8601 text, epoch milliseconds or dates), the first not after the second",
              "A window: finds what was true at some moment of it, deleted vertices too, and tells in maps from when"
                  + " until when. Vertices are as they were when it was last true."));

  SearchService(ServiceGraph graph) {
    super(graph, "graphmeta.search", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    scope.requireStart();
    String query = arguments.text(QUERY);
    if (query == null) {
      throw arguments.missing(QUERY);
    }
    long[] window = arguments.window(DURING);
    boolean highlight = arguments.flag(HIGHLIGHT);
    boolean asMaps =
        window == null && !highlight
            ? arguments.choice(RESULT, VERTICES, MAPS).equals(MAPS)
            : arguments.choice(RESULT, MAPS, VERTICES).equals(MAPS);
    if (highlight && !asMaps) {
      throw arguments.unfit(HIGHLIGHT, "expected with maps only");
    }
    String facet = arguments.text(FACET);
    String sort = arguments.text(SORT);
    boolean falls = arguments.choice(ORDER, "asc", "desc").equals("desc");
    if (falls && sort == null) {
      throw arguments.unfit(ORDER, "expected with 'sort' only");
    }
    int limit = arguments.count(LIMIT, DEFAULT_LIMIT, 1, MAX_LIMIT);
    List<LabelSearch> searches =
        scope
            .graph()
            .database()
            .indexes()
            .searches(
                query,
                arguments.distinctTexts(LABEL, MAX_NAMES),
                arguments.distinctTexts("in", MAX_NAMES));
    if (facet != null) {
      for (String ofPages : List.of(SORT, AFTER, DURING)) {
        if (arguments.has(ofPages)) {
          throw arguments.unfit(ofPages, "expected without 'facet', which counts the whole answer");
        }
      }
      return facets(scope, searches, facet, limit);
    }
    if (window != null) {
      FoundVertices found = new FoundVertices(sort, falls, limit + 1, null);
      return during(
          searchDuring(scope, arguments, searches, window), found, limit, asMaps, highlight);
    }
    FoundVertices found = new FoundVertices(sort, falls, limit, before(scope, arguments));
    each(scope, searches, found::offer, found::isFull);
    return asMaps
        ? found.inOrder().stream().map(vertex -> map(vertex, searches, highlight)).toList()
        : found.inOrder();
  }

  private static WindowSearch searchDuring(
      CallScope scope, CallArguments arguments, List<LabelSearch> searches, long[] window) {
    if (arguments.has(AFTER)) {
      throw arguments.unfit(
          AFTER,
          "expected without 'during', where an id may be that of several vertices; ask for more at a time");
    }
    ReadView view = scope.view();
    if (window[0] > view.validAt()) {
      throw arguments.unfit(
          DURING,
          "expected to begin at the time of the view at the latest, "
              + Stamp.format(view.validAt()));
    }
    return new WindowSearch(
        scope.graph(), searches, view, window[0], Math.min(window[1], view.validAt()));
  }

  private static List<?> during(
      WindowSearch search, FoundVertices found, int limit, boolean asMaps, boolean highlight) {
    search.each(found::offer, found::isFull);
    List<Vertex> vertices = found.inOrder();
    boolean partial = vertices.size() > limit;
    vertices = partial ? vertices.subList(0, limit) : vertices;
    if (!asMaps) {
      return vertices;
    }
    List<Map<String, Object>> maps = search.maps(vertices, highlight);
    Row.markPartial(maps, partial);
    return maps;
  }

  /** Hands each vertex on that a query is true of, until there are enough. */
  private static void each(
      CallScope scope,
      List<LabelSearch> searches,
      Consumer<Vertex> action,
      java.util.function.BooleanSupplier isEnough) {
    for (LabelSearch search : searches) {
      Predicate<ElementTests.Tested> test = ElementTests.compiled(search.where());
      ElementSelection selection =
          new ElementSelection(null, Set.of(search.label()), search.where(), false);
      try (CloseableIterator<Vertex> candidates =
          scope.graph().reader().vertices(selection, scope.past())) {
        while (!isEnough.getAsBoolean() && candidates.hasNext()) {
          Vertex candidate = candidates.next();
          if (test.test(new TestedVertex(candidate))) {
            action.accept(candidate);
          }
        }
      }
    }
  }

  /** The last vertex of the page before; null if there is none. */
  private static @Nullable Vertex before(CallScope scope, CallArguments arguments) {
    if (!arguments.has(AFTER)) {
      return null;
    }
    try (CloseableIterator<Vertex> found =
        scope.graph().reader().vertices(ElementSelection.of(arguments.id(AFTER)), scope.past())) {
      if (found.hasNext()) {
        return found.next();
      }
    }
    throw arguments.unfit(
        AFTER,
        "expected the id of a vertex that the view has; name a view with asOf for pages that stay");
  }

  private static List<Map<String, Object>> facets(
      CallScope scope, List<LabelSearch> searches, String facet, int limit) {
    Map<Object, Long> counts = new HashMap<>();
    each(
        scope,
        searches,
        vertex -> {
          if (facet.equals(LABEL)) {
            counts.merge(vertex.label(), 1L, Long::sum);
          } else {
            vertex.values(facet).forEachRemaining(value -> counts.merge(value, 1L, Long::sum));
          }
          if (counts.size() > MAX_FACETS) {
            throw new GraphMetaException(
                ErrorCode.LIMIT_EXCEEDED,
                "The property '"
                    + facet
                    + "' has more than "
                    + MAX_FACETS
                    + " values in the answer; expected fewer (count by another property, or ask for less)");
          }
        },
        () -> false);
    List<Map<String, Object>> rows =
        counts.entrySet().stream()
            .sorted(FoundVertices.MOST_FIRST)
            .limit(limit)
            .map(
                each -> new Row().put("value", each.getKey()).put("count", each.getValue()).toMap())
            .toList();
    Row.markPartial(rows, counts.size() > limit);
    return rows;
  }

  private static Map<String, Object> map(
      Vertex vertex, List<LabelSearch> searches, boolean highlight) {
    Row row = new Row().put("id", vertex.id()).put(LABEL, vertex.label());
    for (LabelSearch search : searches) {
      if (search.label().equals(vertex.label())) {
        MatchedValues matched = new MatchedValues(search.where(), Integer.MAX_VALUE);
        matched.take(new TestedVertex(vertex));
        row.put("matched", matched.byKey());
        row.put("highlights", highlight ? matched.highlights() : null);
      }
    }
    return row.toMap();
  }
}
