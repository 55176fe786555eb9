package io.graphmeta.provenance;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An element of a lineage. Immutable.
 *
 * @param index its position in the result
 * @param parent position of the element it was first reached from; -1 for the start
 * @param id id of the vertex
 * @param label label of the vertex
 * @param description name of a job, user or file; command line of a process
 * @param versionMicros when this version began, in microseconds since 1970: of a file the first
 *     opening for writing, of a file without a recorded writer and of other elements the beginning
 *     of the vertex
 * @param versionEndMicros end of the writing of a version, of a process or job; 0 if not recorded
 * @param depth steps from the start
 * @param relation label of the edge it was reached by, or {@link Lineage#CONTINUES}; empty for the
 *     start
 * @param doubts what the record does not tell for certain
 * @param writer id of the process that wrote a version of a file; null for other elements and where
 *     none is recorded
 * @param seenAtStamp valid stamp of a view that sees the vertex: that of the search, or an earlier
 *     one if the vertex was dropped from the graph since
 * @param fate what became of a version of a file; null for other elements
 */
public record LineageNode(
    int index,
    int parent,
    String id,
    String label,
    String description,
    long versionMicros,
    long versionEndMicros,
    int depth,
    String relation,
    Set<Doubt> doubts,
    @Nullable String writer,
    long seenAtStamp,
    @Nullable Fate fate) {

  /** What became of a version of a file by the time of the view. */
  public enum Fate {
    /** It is the newest version. */
    CURRENT,
    /** There is a newer version. */
    REPLACED,
    /** It was the newest when the file was renamed to another path. */
    RENAMED,
    /** It was the newest when the file was deleted. */
    DELETED
  }
}
