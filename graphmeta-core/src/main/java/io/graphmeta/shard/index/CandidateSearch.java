package io.graphmeta.shard.index;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.AttributeIndex.EdgeCandidates;
import io.graphmeta.search.AttributeIndex.InOrder;
import io.graphmeta.search.AttributeIndex.OrderedPart;
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexClauses;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.shard.index.ChangeCursor.Named;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a shard finds the elements of a label that a condition may be true of: by the index
 * and the list of what it has not taken in yet, or by a scan. {@link IndexFollower} says why both
 * find the same. Safe for use by many threads.
 */
public final class CandidateSearch implements ElementCandidates {
  private static final int MOST_CANDIDATES = 200_000;
  private static final int MOST_COUNTED = 1 << 20;
  private static final int MOST_LISTED = 20_000;
  private static final Set<ErrorCode> INDEX_FAILURES =
      Set.of(ErrorCode.CLOSED, ErrorCode.STORAGE_FAILURE, ErrorCode.CORRUPTION);

  private final StorageEngine storage;
  private final SplitTable splits;
  private final IndexFollower follower;

  /** A search over a store and the index that follows it. */
  public CandidateSearch(StorageEngine storage, SplitTable splits, IndexFollower follower) {
    this.storage = storage;
    this.splits = splits;
    this.follower = follower;
  }

  @Override
  public long @Nullable [] vertices(int labelId, Condition where, PlanNames names, ViewSpan views) {
    return search(
        ElementLabel.ofVertices(labelId),
        where,
        names,
        (index, clause) -> vertices(index, clause, labelId, views));
  }

  @Override
  public byte @Nullable [][] edges(
      Set<Integer> labelIds, Condition where, PlanNames names, ReadView view) {
    TreeSet<byte[]> edges = new TreeSet<>(Arrays::compareUnsigned);
    for (int labelId : labelIds) {
      List<byte[]> found =
          search(
              ElementLabel.ofEdges(labelId),
              where,
              names,
              (index, clause) -> edges(index, clause, labelId, view));
      if (found == null || edges.size() + found.size() > MOST_CANDIDATES) {
        return null;
      }
      edges.addAll(found);
    }
    boolean areHere = view.snapshot() >= splits.newestOutgoingMove(); // since the index was asked
    return labelIds.isEmpty() || !areHere ? null : edges.toArray(new byte[0][]);
  }

  @Override
  public @Nullable Part<long[]> verticesInOrder(
      int labelId, Condition where, Order order, PlanNames names, ViewSpan views) {
    return inOrder(
        ElementLabel.ofVertices(labelId),
        where,
        order,
        names,
        (index, clause, part) -> {
          try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
            InOrder<Candidates> found = index.findInOrder(clause, part, views, MOST_CANDIDATES);
            long[] keys =
                found == null ? null : withListed(list, found.candidates(), labelId, views.last());
            return found == null || keys == null ? null : new Part<>(keys, found.last());
          }
        });
  }

  @Override
  public @Nullable Part<byte[][]> edgesInOrder(
      int labelId, Condition where, Order order, PlanNames names, ReadView view) {
    Part<byte[][]> part =
        inOrder(
            ElementLabel.ofEdges(labelId),
            where,
            order,
            names,
            (index, clause, asked) -> {
              try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
                InOrder<EdgeCandidates> found =
                    index.findEdgesInOrder(clause, asked, view, MOST_CANDIDATES);
                List<byte[]> keys =
                    found == null ? null : withListed(list, found.candidates(), labelId, view);
                return found == null || keys == null
                    ? null
                    : new Part<>(sorted(keys), found.last());
              }
            });
    boolean areHere = view.snapshot() >= splits.newestOutgoingMove(); // since the index was asked
    return areHere ? part : null;
  }

  private static byte[][] sorted(List<byte[]> keys) {
    TreeSet<byte[]> sorted = new TreeSet<>(Arrays::compareUnsigned);
    sorted.addAll(keys);
    return sorted.toArray(new byte[0][]);
  }

  @Override
  public @Nullable Count count(int labelId, Condition where, PlanNames names, ReadView view) {
    return ask(
        ElementLabel.ofVertices(labelId),
        (index, definitions) -> {
          IndexClause clause = IndexClauses.whole(where, definitions, keyId(names));
          if (clause == null) {
            return null;
          }
          try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
            Candidates found = index.findExactly(clause, view, MOST_COUNTED);
            long[] untold =
                found == null
                    ? null
                    : listed(list, found.publishedStamp(), labelId, view.knownAt());
            return found == null || untold == null
                ? null
                : new Count(without(found.vertices(), untold), untold);
          }
        });
  }

  /** How many keys are not among others; both are sorted. */
  private static long without(long[] keys, long[] others) {
    long count = keys.length;
    for (long other : others) {
      count -= Arrays.binarySearch(keys, other) >= 0 ? 1 : 0;
    }
    return count;
  }

  @Override
  public @Nullable ValueCounts countValues(
      int labelId, String key, Condition where, PlanNames names, ReadView view) {
    return ask(
        ElementLabel.ofVertices(labelId),
        (index, definitions) -> {
          IndexDefinition counted =
              definition(definitions, keyId(names).applyAsInt(key), IndexKind.EXACT);
          boolean isOfAll = where instanceof Condition.And and && and.of().isEmpty();
          IndexClause clause =
              isOfAll ? null : IndexClauses.whole(where, definitions, keyId(names));
          if (counted == null || !isOfAll && clause == null) {
            return null;
          }
          try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
            AttributeIndex.ValueCounts counts =
                index.countValues(
                    counted,
                    clause,
                    view,
                    stamp -> listed(list, stamp, labelId, view.knownAt()),
                    MOST_CANDIDATES);
            return counts == null ? null : new ValueCounts(counts.counts(), counts.without());
          }
        });
  }

  private static ToIntFunction<String> keyId(PlanNames names) {
    return key -> names.propertyKeys().getOrDefault(key, 0);
  }

  /** The definition over a property that has a kind; null if there is none. */
  private static @Nullable IndexDefinition definition(
      List<IndexDefinition> definitions, int keyId, IndexKind kind) {
    for (IndexDefinition each : definitions) {
      if (keyId != 0 && each.keyId() == keyId && each.kinds().contains(kind)) {
        return each;
      }
    }
    return null;
  }

  /** Asks an index, which may fail, for a clause; answers null to be told of a scan. */
  private interface Question<T> {
    @Nullable T ask(AttributeIndex index, IndexClause clause);
  }

  private <T> @Nullable T search(
      ElementLabel label, Condition where, PlanNames names, Question<T> question) {
    return ask(
        label,
        (index, definitions) -> {
          IndexClause clause = IndexClauses.of(where, definitions, keyId(names));
          return clause == null ? null : question.ask(index, clause);
        });
  }

  /** Asks an index for a part of an order; answers null if it has no such order. */
  private interface OrderQuestion<T> {
    @Nullable T ask(AttributeIndex index, @Nullable IndexClause clause, OrderedPart part);
  }

  private <T> @Nullable T inOrder(
      ElementLabel label,
      Condition where,
      Order order,
      PlanNames names,
      OrderQuestion<T> question) {
    return ask(
        label,
        (index, definitions) -> {
          IndexDefinition ordered =
              definition(definitions, keyId(names).applyAsInt(order.key()), IndexKind.RANGE);
          if (ordered == null || !IndexClauses.canBeNarrowed(where, definitions, keyId(names))) {
            return null;
          }
          return question.ask(
              index,
              IndexClauses.of(where, definitions, keyId(names)),
              new OrderedPart(
                  ordered, order.falling(), order.behind(), order.about(), order.ofOneType()));
        });
  }

  /** Asks an index, which may fail, with the definitions that it can be asked for. */
  private interface Asked<T> {
    @Nullable T by(AttributeIndex index, List<IndexDefinition> definitions);
  }

  private <T> @Nullable T ask(ElementLabel label, Asked<T> asked) {
    ServedIndexes served = follower.served();
    List<IndexDefinition> definitions = served.ofLabel(label);
    AttributeIndex index = served.index();
    if (definitions.isEmpty() || index == null) {
      return null;
    }
    T found = ask(index, definitions, asked);
    ServedIndexes now = follower.served();
    boolean isStillServed = now.index() == index && now.ofLabel(label).containsAll(definitions);
    return isStillServed ? found : null;
  }

  private <T> @Nullable T ask(
      AttributeIndex index, List<IndexDefinition> definitions, Asked<T> asked) {
    try {
      return asked.by(index, definitions);
    } catch (GraphMetaException e) {
      if (!INDEX_FAILURES.contains(e.code())) {
        throw e;
      }
      if (e.code() != ErrorCode.CLOSED) {
        follower.met(e);
      }
      return null;
    }
  }

  private long @Nullable [] vertices(
      AttributeIndex index, IndexClause clause, int labelId, ViewSpan views) {
    try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
      Candidates candidates = index.find(clause, views, MOST_CANDIDATES);
      return candidates == null ? null : withListed(list, candidates, labelId, views.last());
    }
  }

  private static long @Nullable [] withListed(
      ChangeCursor list, Candidates candidates, int labelId, ReadView view) {
    long[] listed = listed(list, candidates.publishedStamp(), labelId, view.knownAt());
    return listed == null ? null : merged(candidates.vertices(), listed);
  }

  private @Nullable List<byte[]> edges(
      AttributeIndex index, IndexClause clause, int labelId, ReadView view) {
    try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
      EdgeCandidates candidates = index.findEdges(clause, view, MOST_CANDIDATES);
      return candidates == null ? null : withListed(list, candidates, labelId, view);
    }
  }

  private @Nullable List<byte[]> withListed(
      ChangeCursor list, EdgeCandidates candidates, int labelId, ReadView view) {
    List<byte[]> edges = new ArrayList<>(List.of(candidates.edges()));
    boolean all = addListed(list, candidates.publishedStamp(), labelId, view, edges);
    return all ? edges : null;
  }

  /**
   * Adds the edges of the label that were changed, or came here, above a stamp; false if there are
   * too many.
   */
  private boolean addListed(
      ChangeCursor list, long aboveStamp, int labelId, ReadView view, List<byte[]> edges) {
    long last = Math.max(view.knownAt(), view.snapshot()); // where edges are, the snapshot tells
    int most = edges.size() + MOST_LISTED;
    int rows = 0;
    boolean more = list.seekAbove(aboveStamp);
    for (; more && list.stamp() <= last; more = list.next()) {
      if (++rows > MOST_LISTED || edges.size() > most) {
        return false;
      }
      if (list.names() == Named.VERTEX || list.edgeLabelId() != labelId) {
        continue;
      }
      if (list.names() == Named.EDGE) {
        edges.add(list.element());
      } else {
        ElementWalk.visitEntries(
            storage,
            splits,
            view.snapshot(),
            list.element(),
            edge -> edges.add(edge) && edges.size() <= most);
      }
    }
    return edges.size() <= most;
  }

  /**
   * The vertices of the label that were changed above a stamp, each once, by rising keys; null if
   * there are too many.
   */
  private static long @Nullable [] listed(
      ChangeCursor list, long aboveStamp, int labelId, long knownAt) {
    long[] vertices = new long[16];
    int count = 0;
    int rows = 0;
    boolean more = list.seekAbove(aboveStamp);
    for (; more && list.stamp() <= knownAt; more = list.next()) {
      if (++rows > MOST_LISTED) {
        return null;
      }
      if (list.names() == Named.VERTEX && VertexKeys.labelId(list.vertex()) == labelId) {
        if (count == vertices.length) {
          vertices = Arrays.copyOf(vertices, count * 2);
        }
        vertices[count++] = list.vertex();
      }
    }
    // Keys of one label differ below its bits, so their order is the same with and without a sign.
    Arrays.sort(vertices, 0, count);
    return distinct(vertices, count);
  }

  /** Each of the first sorted keys once: a vertex is listed by each transaction that changes it. */
  private static long[] distinct(long[] keys, int count) {
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || keys[i] != keys[i - 1]) {
        keys[distinct++] = keys[i];
      }
    }
    return Arrays.copyOf(keys, distinct);
  }

  private static long[] merged(long[] first, long[] second) {
    if (second.length == 0) {
      return first;
    }
    long[] merged = new long[first.length + second.length];
    int count = 0;
    for (int i = 0, j = 0; i < first.length || j < second.length; ) {
      boolean takeFirst =
          j == second.length || i < first.length && Long.compareUnsigned(first[i], second[j]) <= 0;
      long next = takeFirst ? first[i++] : second[j++];
      if (count == 0 || merged[count - 1] != next) {
        merged[count++] = next;
      }
    }
    return Arrays.copyOf(merged, count);
  }
}
