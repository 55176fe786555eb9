package io.graphmeta.search.lucene;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.search.AttributeIndex.Candidates;
import io.graphmeta.search.AttributeIndex.EdgeCandidates;
import io.graphmeta.search.AttributeIndex.InOrder;
import io.graphmeta.search.AttributeIndex.OrderedPart;
import io.graphmeta.search.AttributeIndex.ValueCounts;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions from what was published at one moment, all parts of an answer from the same.
 * Methods answer null where the index cannot tell, or there is more than is wanted; {@link
 * io.graphmeta.search.AttributeIndex} says what they mean.
 */
final class PublishedSearch {
  /** What a clause finds is confirmed as a whole if it is not larger than so many first parts. */
  private static final int FEW_PARTS = 4;

  private final Published seen;
  private final BooleanSupplier closing;

  /**
   * A search of what was published, which stays open meanwhile.
   *
   * @param closing tells it to end
   */
  PublishedSearch(Published seen, BooleanSupplier closing) {
    this.seen = seen;
    this.closing = closing;
  }

  @Nullable Candidates vertices(IndexClause clause, ViewSpan views, int most) throws IOException {
    VertexNumbers vertices = new VertexNumbers();
    long[] found = new ClauseSearch(seen, views, vertices, false, closing).find(clause, most);
    return found == null ? null : new Candidates(vertices.keys(found), seen.stamp());
  }

  @Nullable EdgeCandidates edges(IndexClause clause, ReadView view, int most) throws IOException {
    EdgeNumbers edges = new EdgeNumbers();
    long[] found =
        new ClauseSearch(seen, ViewSpan.of(view), edges, false, closing).find(clause, most);
    return found == null ? null : new EdgeCandidates(edges.keys(found), seen.stamp());
  }

  @Nullable InOrder<Candidates> verticesInOrder(
      @Nullable IndexClause clause, OrderedPart part, ViewSpan views, int most) throws IOException {
    if (clause != null && part.behind() == null) {
      Candidates few = vertices(clause, views, FEW_PARTS * part.about());
      if (few != null) {
        return new InOrder<>(few, null);
      }
    }
    Bounded bounded = bounded(clause, part, views);
    Candidates found = bounded == null ? null : vertices(bounded.clause, views, most);
    return bounded == null || found == null ? null : new InOrder<>(found, bounded.last);
  }

  @Nullable InOrder<EdgeCandidates> edgesInOrder(
      @Nullable IndexClause clause, OrderedPart part, ReadView view, int most) throws IOException {
    if (clause != null && part.behind() == null) {
      EdgeCandidates few = edges(clause, view, FEW_PARTS * part.about());
      if (few != null) {
        return new InOrder<>(few, null);
      }
    }
    Bounded bounded = bounded(clause, part, ViewSpan.of(view));
    EdgeCandidates found = bounded == null ? null : edges(bounded.clause, view, most);
    return bounded == null || found == null ? null : new InOrder<>(found, bounded.last);
  }

  /** A clause that is true of what has a value in a part of an order, up to a last one. */
  private record Bounded(IndexClause clause, @Nullable Object last) {}

  private @Nullable Bounded bounded(@Nullable IndexClause clause, OrderedPart part, ViewSpan views)
      throws IOException {
    List<Side> sides = seen.sides().stream().filter(side -> side.isSeen(views)).toList();
    Object last;
    if (ValueMarks.haveOrder(part.definition(), sides)) {
      OrderedPoints points = OrderedPoints.of(part, sides);
      if (points == null
          || part.ofOneType() && !ValueMarks.areOfOneType(part.definition(), sides)) {
        return null;
      }
      last = points.last();
    } else if (ValueMarks.areWholeTexts(part.definition(), sides)) {
      last = OrderedTerms.last(part, sides);
    } else {
      return null;
    }
    if (last == null && part.behind() == null) {
      return clause == null ? null : new Bounded(clause, null); // all is in one part
    }
    List<IndexClause> all = new ArrayList<>();
    if (clause instanceof IndexClause.And and) {
      all.addAll(and.of());
    } else if (clause != null) {
      all.add(clause);
    }
    all.add(new IndexClause.Test(part.definition(), part.test(last)));
    return new Bounded(all.size() == 1 ? all.get(0) : new IndexClause.And(all), last);
  }

  @Nullable Candidates exactly(IndexClause clause, ReadView view, int most) throws IOException {
    VertexNumbers vertices = new VertexNumbers();
    long[] found = exactly(new ExactClauses(seen, view), clause, view, vertices, most);
    return found == null ? null : new Candidates(vertices.keys(found), seen.stamp());
  }

  private long @Nullable [] exactly(
      ExactClauses clauses, IndexClause clause, ReadView view, VertexNumbers vertices, int most)
      throws IOException {
    IndexClause exact = clauses.of(clause);
    return exact == null
        ? null
        : new ClauseSearch(seen, ViewSpan.of(view), vertices, true, closing).find(exact, most);
  }

  @Nullable ValueCounts countValues(
      IndexDefinition definition,
      @Nullable IndexClause clause,
      ReadView view,
      LongFunction<long @Nullable []> without,
      int most)
      throws IOException {
    ExactClauses clauses = new ExactClauses(seen, view);
    if (!clauses.tellsValues(definition)) {
      return null;
    }
    VertexNumbers vertices = new VertexNumbers();
    long[] of = clause == null ? null : exactly(clauses, clause, view, vertices, most);
    long[] uncounted = without.apply(seen.stamp());
    if (uncounted == null || clause != null && of == null) {
      return null;
    }
    Map<String, Long> counts =
        new ValueCounting(vertices, of, vertices.numbers(uncounted), most, closing)
            .count(definition, seen.current());
    return counts == null ? null : new ValueCounts(counts, uncounted);
  }
}
