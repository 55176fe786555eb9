package io.graphmeta.search;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The index of one shard. One thread changes it; any thread asks it. Threads that ask may be
 * interrupted at any moment, which does the index no harm.
 *
 * <p>Every method throws {@link io.graphmeta.error.GraphMetaException}: {@code CLOSED} after {@link
 * #close}, {@code STORAGE_FAILURE} when the disk refuses, {@code CORRUPTION} when files are
 * damaged; after the last two the index is of no use and is built anew.
 */
public interface AttributeIndex extends AutoCloseable {
  /**
   * The stamp at and below which the index held everything when it was last {@linkplain #commit
   * committed}; 0 for an index that never was.
   */
  long committedStamp();

  /** What was told with the last {@link #commit}: which definitions are indexed, and how far. */
  List<IndexProgress> committedProgress();

  /**
   * Takes a version in, in the place of what it may have held of the same definition, element,
   * value id, and stamps. Seen by those who ask after the next {@link #publish}.
   */
  void put(IndexedVersion version);

  /**
   * Takes a version in as {@link #put} does, for less, where it holds nothing of the same
   * definition, element, value id and stamps.
   */
  void add(IndexedVersion version);

  /** Removes all that it holds of a definition. */
  void drop(long definition);

  /**
   * Removes what it holds of some elements of a definition.
   *
   * @param keyPrefix what the keys of the elements begin with
   */
  void remove(long definition, byte[] keyPrefix);

  /**
   * Lets those who ask see all that was put.
   *
   * @param stamp the stamp at and below which the index holds everything now
   */
  void publish(long stamp);

  /** The stamp of the last {@link #publish}, or of the commit that was opened. */
  long publishedStamp();

  /**
   * Brings all that was published to disk. The store is on disk up to its stamp already, so that
   * the index never tells more than the store.
   */
  void commit(List<IndexProgress> progress);

  /**
   * The vertices that a clause may be true of at one of some views, as of the last {@link
   * #publish}: all of them, and perhaps others, by rising keys in unsigned order, each once. Those
   * of which the clause is an error, when its parts are asked in their order, are among them: a
   * text test of a value that is no text is one. Parts that are true at different views may make a
   * candidate too.
   *
   * @param most the number of candidates above which the caller would rather scan
   * @return null if there are more
   */
  @Nullable Candidates find(IndexClause clause, ViewSpan views, int most);

  /**
   * As {@link #find}, for a clause over edges.
   *
   * @return null if there are more than {@code most}
   */
  @Nullable EdgeCandidates findEdges(IndexClause clause, ReadView view, int most);

  /**
   * As {@link #find}, for the next of the vertices in the order of a property: those of which a
   * value may lie in a part of the order, and all those with a value in it are among them.
   *
   * @param clause what else is asked; null for nothing
   * @return null if there are more than {@code most}, or if not all values have a place in the
   *     order that the index has: numbers do, or dates, or texts, where there are no others
   */
  @Nullable InOrder<Candidates> findInOrder(
      @Nullable IndexClause clause, OrderedPart part, ViewSpan views, int most);

  /** As {@link #findInOrder}, for a clause over edges. */
  @Nullable InOrder<EdgeCandidates> findEdgesInOrder(
      @Nullable IndexClause clause, OrderedPart part, ReadView view, int most);

  /**
   * The vertices that a clause is true of at a view: those and no others, but for vertices that
   * have changed above the stamp of the last {@link #publish}.
   *
   * @return null if there are more than {@code most}, or if the index cannot tell for certain
   */
  @Nullable Candidates findExactly(IndexClause clause, ReadView view, int most);

  /**
   * How many vertices have each of the values of a definition at a view, but for vertices that have
   * changed above the stamp of the last {@link #publish}: {@code without} names these, by the
   * stamp.
   *
   * @param clause what is true of those that are counted; null for all
   * @param most the number of values, and of vertices that the clause finds, above which the caller
   *     would rather count by itself
   * @return null if there are more, or if the index cannot tell for certain
   */
  @Nullable ValueCounts countValues(
      IndexDefinition definition,
      @Nullable IndexClause clause,
      ReadView view,
      LongFunction<long @Nullable []> without,
      int most);

  /**
   * The versions that it holds of a definition, as of the last {@link #publish}, for comparison
   * with the store: those of the elements from one on, each with all of its versions, by rising
   * keys.
   *
   * @param from the key to begin with; empty for the first
   * @param most the number of versions behind which no other element is begun
   */
  VersionPage versions(long definition, byte[] from, int most);

  /** Sizes, approximate. */
  IndexSizes sizes();

  /** Commits nothing, and gives files and memory back. Safe to call again. */
  @Override
  void close();

  /**
   * How far a definition is indexed.
   *
   * @param definition its number
   * @param built whether all elements are; changes are followed from then on
   * @param next the element to go on with, if not all are
   */
  record IndexProgress(long definition, boolean built, byte[] next) {}

  /**
   * Candidates, and the stamp up to which the index that named them held everything.
   *
   * @param vertices keys of vertices, in unsigned order
   */
  record Candidates(long[] vertices, long publishedStamp) {}

  /**
   * Candidates that are edges, and the stamp up to which the index that named them held everything.
   *
   * @param edges keys of edges, in unsigned order
   */
  record EdgeCandidates(byte[][] edges, long publishedStamp) {}

  /**
   * A part of the values of a property in their order.
   *
   * @param definition of the property, with kind {@link IndexKind#RANGE} for numbers and dates,
   *     {@link IndexKind#EXACT} for texts
   * @param falling whether the greatest comes first
   * @param behind the last value of the part before; null for the first part
   * @param about how many versions should be in the part. There may be more, of equal values, and
   *     fewer at the end
   * @param ofOneType whether the order is of use only if all numbers in it are of one type
   */
  record OrderedPart(
      IndexDefinition definition,
      boolean falling,
      @Nullable Object behind,
      int about,
      boolean ofOneType) {
    /** The test that the values of the part pass, up to a last one; up to the end if it is null. */
    public ValueTest test(@Nullable Object last) {
      List<ValueTest> bounds = new ArrayList<>(2);
      if (last != null) {
        bounds.add(
            new ValueTest.Compare(
                falling ? Comparison.GREATER_OR_EQUAL : Comparison.LESS_OR_EQUAL, last));
      }
      if (behind != null) {
        bounds.add(new ValueTest.Compare(falling ? Comparison.LESS : Comparison.GREATER, behind));
      }
      return new ValueTest.And(bounds);
    }
  }

  /**
   * Candidates of a part of an order.
   *
   * @param last the last value of the part; null if it goes to the end of the order
   */
  record InOrder<T>(T candidates, @Nullable Object last) {}

  /**
   * Numbers of vertices by the text that they have.
   *
   * @param without the vertices that were not counted
   */
  record ValueCounts(Map<String, Long> counts, long[] without) {}

  /** A version without its value, as the index holds it. */
  record StoredVersion(
      byte[] element, long valueId, long valid, long committed, long endValid, long endCommitted) {}

  /**
   * Versions of some elements, as of one moment.
   *
   * @param next the key to go on with; null if there are no more
   * @param publishedStamp the stamp up to which the index held everything
   */
  record VersionPage(List<StoredVersion> versions, byte @Nullable [] next, long publishedStamp) {}

  /** Documents of the present and of the past, and bytes of files. */
  record IndexSizes(long current, long history, long bytesOnDisk, Set<Long> definitions) {}
}
