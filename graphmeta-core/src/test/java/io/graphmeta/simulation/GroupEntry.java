package io.graphmeta.simulation;

import io.graphmeta.storage.RowBatch;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the log of a group.
 *
 * @param index its place, from 1
 * @param term in which it was proposed
 * @param log the number of the log that has proposed it; 0 for the group itself
 * @param position its place in that log
 * @param rows to be applied; null for the first entry of a term and a change of members
 * @param members from now on; null if they stay
 */
record GroupEntry(
    long index,
    long term,
    long log,
    long position,
    @Nullable RowBatch rows,
    @Nullable Members members) {

  boolean isSame(GroupEntry other) {
    return index == other.index && term == other.term;
  }
}
