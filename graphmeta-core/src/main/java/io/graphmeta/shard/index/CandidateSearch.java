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
import io.graphmeta.search.ElementLabel;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexClauses;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.shard.index.ChangeCursor.Named;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a shard finds the elements of a label that a condition may be true of: by the index
 * and the list of what it has not taken in yet, or by a scan. {@link IndexFollower} says why both
 * find the same. Safe for use by many threads.
 */
public final class CandidateSearch implements ElementCandidates {
  private static final int MOST_CANDIDATES = 200_000;
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

  /** Asks an index, which may fail, for a clause; answers null to be told of a scan. */
  private interface Question<T> {
    @Nullable T ask(AttributeIndex index, IndexClause clause);
  }

  private <T> @Nullable T search(
      ElementLabel label, Condition where, PlanNames names, Question<T> question) {
    ServedIndexes served = follower.served();
    List<IndexDefinition> definitions = served.ofLabel(label);
    AttributeIndex index = served.index();
    if (definitions.isEmpty() || index == null) {
      return null;
    }
    IndexClause clause =
        IndexClauses.of(where, definitions, key -> names.propertyKeys().getOrDefault(key, 0));
    if (clause == null) {
      return null;
    }
    T found = ask(index, clause, question);
    ServedIndexes now = follower.served();
    boolean isStillServed = now.index() == index && now.ofLabel(label).containsAll(definitions);
    return isStillServed ? found : null;
  }

  private <T> @Nullable T ask(AttributeIndex index, IndexClause clause, Question<T> question) {
    try {
      return question.ask(index, clause);
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
      if (candidates == null) {
        return null;
      }
      long[] listed = listed(list, candidates.publishedStamp(), labelId, views.last().knownAt());
      return listed == null ? null : merged(candidates.vertices(), listed);
    }
  }

  private @Nullable List<byte[]> edges(
      AttributeIndex index, IndexClause clause, int labelId, ReadView view) {
    try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
      EdgeCandidates candidates = index.findEdges(clause, view, MOST_CANDIDATES);
      if (candidates == null) {
        return null;
      }
      List<byte[]> edges = new ArrayList<>(List.of(candidates.edges()));
      boolean all = addListed(list, candidates.publishedStamp(), labelId, view, edges);
      return all ? edges : null;
    }
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

  /** The vertices of the label that were changed above a stamp; null if there are too many. */
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
    return Arrays.copyOf(vertices, count);
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
