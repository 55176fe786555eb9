package io.graphmeta.shard.index;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.rows.VertexCandidates;
import io.graphmeta.search.AttributeIndex;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexClauses;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.storage.StorageEngine;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how a shard finds the vertices of a label that a condition may be true of: by the index
 * and the list of what it has not taken in yet, or by a scan. {@link IndexFollower} says why both
 * find the same. Safe for use by many threads.
 */
public final class CandidateSearch implements VertexCandidates {
  private static final int MOST_CANDIDATES = 200_000;
  private static final int MOST_LISTED = 20_000;
  private static final Set<ErrorCode> INDEX_FAILURES =
      Set.of(ErrorCode.CLOSED, ErrorCode.STORAGE_FAILURE, ErrorCode.CORRUPTION);

  private final StorageEngine storage;
  private final IndexFollower follower;

  /** A search over a store and the index that follows it. */
  public CandidateSearch(StorageEngine storage, IndexFollower follower) {
    this.storage = storage;
    this.follower = follower;
  }

  @Override
  public long @Nullable [] find(int labelId, Condition where, PlanNames names, ViewSpan views) {
    ServedIndexes served = follower.served();
    List<IndexDefinition> definitions = served.ofLabel(labelId);
    AttributeIndex index = served.index();
    if (definitions.isEmpty() || index == null) {
      return null;
    }
    IndexClause clause =
        IndexClauses.of(where, definitions, key -> names.propertyKeys().getOrDefault(key, 0));
    if (clause == null) {
      return null;
    }
    long[] found = find(index, clause, labelId, views);
    ServedIndexes now = follower.served();
    boolean isStillServed = now.index() == index && now.ofLabel(labelId).containsAll(definitions);
    return isStillServed ? found : null;
  }

  private long @Nullable [] find(
      AttributeIndex index, IndexClause clause, int labelId, ViewSpan views) {
    try (ChangeCursor list = new ChangeCursor(storage)) { // before the index is asked
      Candidates candidates = ask(index, clause, views);
      if (candidates == null) {
        return null;
      }
      long[] listed = listed(list, candidates.publishedStamp(), labelId, views.last().knownAt());
      return listed == null ? null : merged(candidates.vertices(), listed);
    }
  }

  private @Nullable Candidates ask(AttributeIndex index, IndexClause clause, ViewSpan views) {
    try {
      return index.find(clause, views, MOST_CANDIDATES);
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
      if (VertexKeys.labelId(list.vertex()) == labelId) {
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
