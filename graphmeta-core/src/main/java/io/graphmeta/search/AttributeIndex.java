package io.graphmeta.search;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import java.util.List;
import java.util.Set;
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
