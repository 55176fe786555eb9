package io.graphmeta.engine;

import static java.util.stream.Collectors.joining;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.error.Quoted;
import io.graphmeta.plan.Condition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.SearchConditions;
import io.graphmeta.search.SearchQuery;
import io.graphmeta.search.syntax.QuerySyntax;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Which labels a query is about, and what it means for each. A query that names no label is about
 * those where an index narrows it down; others are left out, since to read all of their vertices is
 * not what who searches expects. A label that is named is searched with an index or without. Pure.
 */
final class LabelSearches {
  private static final Set<IndexKind> OF_WORDS =
      EnumSet.of(IndexKind.PATH, IndexKind.COMMAND, IndexKind.WORDS, IndexKind.EXACT);

  /** The kinds of index by label and key. */
  private final Map<String, Map<String, Set<IndexKind>>> indexes = new TreeMap<>();

  private final BiPredicate<String, Condition> isNarrowed;

  /**
   * @param defined all indexes
   * @param isNarrowed whether an index over a label narrows a condition down
   */
  LabelSearches(Collection<IndexStatus> defined, BiPredicate<String, Condition> isNarrowed) {
    for (IndexStatus index : defined) {
      indexes
          .computeIfAbsent(index.label(), label -> new TreeMap<>())
          .put(index.key(), index.definition().kinds());
    }
    this.isNarrowed = isNarrowed;
  }

  List<LabelSearch> of(String text, Collection<String> labels, Collection<String> in) {
    SearchQuery query = QuerySyntax.parse(text);
    List<LabelSearch> searches = new ArrayList<>();
    for (String label : labels.isEmpty() ? indexes.keySet() : labels) {
      Map<String, Set<IndexKind>> ofLabel = indexes.getOrDefault(label, Map.of());
      Condition where = new SearchConditions(ofLabel, in).of(query);
      if (where != null && (!labels.isEmpty() || isNarrowed.test(label, where))) {
        searches.add(new LabelSearch(label, where));
      }
    }
    if (searches.isEmpty()) {
      throw nowhere(text, labels, in);
    }
    return searches;
  }

  private GraphMetaException nowhere(
      String text, Collection<String> labels, Collection<String> in) {
    List<String> known = new ArrayList<>();
    indexes.forEach(
        (label, keys) ->
            keys.forEach(
                (key, kinds) -> {
                  if (kinds.stream().anyMatch(OF_WORDS::contains)) {
                    known.add(label + "." + key);
                  }
                }));
    String where =
        (labels.isEmpty() ? "" : " of " + Quoted.of(String.join(", ", labels)))
            + (in.isEmpty() ? "" : " in " + Quoted.of(String.join(", ", in)));
    return GraphMetaException.invalid(
        "No index can be asked for "
            + Quoted.of(text)
            + where
            + "; expected words of "
            + (known.isEmpty()
                ? "a property that is indexed, and none is"
                : known.stream().collect(joining(", ")))
            + ". 'graphmeta index create file.name --kind exact,path' makes an index");
  }
}
