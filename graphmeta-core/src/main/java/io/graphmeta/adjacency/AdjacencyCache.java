package io.graphmeta.adjacency;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.AdjacencyStatistics;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;

/*
 * Why the cache is right
 *
 * A unit holds the neighbours of a vertex, or rows of it or of its edges, as every view in a
 * rectangle of the two times sees them.
 *
 * When neighbours are read. At a view (V, K) a slot says what the body that counts says: of those with valid
 * <= V and committed <= K the one with the greatest valid, then the greatest committed stamp. That
 * body goes on to count at another view (V', K') if that view sees it too (the least valid and
 * known stamp of the unit are the greatest of the bodies that count) and sees none of those before
 * it in that order, which are all invisible at (V, K): one with valid > V stays so below its valid
 * stamp (the valid limit is the least of these), another has committed > K and stays so below its
 * committed stamp (the known limit). No view below both limits and not below both least stamps
 * tells a difference, whatever the bodies are: puts, tombstones, backfills, several of each.
 *
 * When rows are read. A reader goes over the versions of a slot in their order, ends by
 * what it has seen, and tells which versions it looked at (ViewRange). A view that sees the same of
 * these comes to the same end and the same rows; so the least stamps are the greatest of all that
 * were seen, not only of those that count.
 *
 * When something is written. A row that is put changes nothing for views that do not see it, so a
 * limit is lowered to exclude those that do: the valid limit, unless that would leave nothing; the
 * unit then goes on to hold for the past. A row that is deleted never counted for a view that may be
 * asked for (parts of transactions that were undone); units of its vertex hold for no view then.
 *
 * When both happen at once. Changes have numbers. The writer applies its rows to the store; takes
 * the next number; notes it at the stripes of the vertices; and then, behind a full fence, looks for
 * units to cut. A loader takes the newest number and then opens its cursor, which sees what the
 * changes up to it wrote. Its unit is put into the table so that it holds for no view; behind a full
 * fence, if the stripe has no newer number than the loader took, it begins to hold, else it is
 * removed. Of the two fences one comes first: either the loader reads the writer's number, or the
 * writer meets the unit. If it meets it before it holds, it sets the other limit, which the loader
 * does not touch any more.
 *
 * When it is found. A reader asks for views whose stamps were handed out after the writer was done
 * with the rows at or below them, so that it sees the limits that the writer lowered, or did not
 * need to see them. It must not ask for a view with a committed stamp that no snapshot can have:
 * rows at or below it could still come, and rows that it would see could be undone.
 *
 * A unit holds the same whichever reader loads it and whenever: the stamps of unit and view decide,
 * never the moment. Versions of properties of edges touch no body, and no unit that is made of bodies.
 *
 * Splits. Which entries of a vertex belong to this shard depends on the snapshot of the reader, but
 * only on whether it lies before or behind each split of the vertex. A split ends all units of its
 * vertex, after the table of splits has taken note of it; from then on only readers behind it add
 * units and use them. A reader before it that finds a unit looks for newer splits afterwards: if the
 * unit was added behind the split, the table knew of it then.
 *
 * Ids. The row of an id has no stamps, so that its unit holds for all views until the row is written
 * again, and then for no view. A reader may learn of an id from it what was so when its view was
 * handed out, and no less, as from the row itself. Units of ids are found by a hash; the id itself
 * is part of what the unit holds.
 */

/**
 * Neighbours of vertices, and rows of vertices, edges and ids, over the rows of one store. One per
 * shard; safe for use by many threads.
 */
public final class AdjacencyCache {
  private final SharedUnits units;

  /** The number of the newest change. */
  @GuardedBy("this")
  private long changes;

  /** A cache over the store of the only shard. */
  public AdjacencyCache(StorageEngine storage, long maxBytes) {
    this(storage, SplitTable.ofOneShard(storage), maxBytes);
  }

  /**
   * A cache over a store.
   *
   * @param splits which rows of the store count
   * @param maxBytes the most memory that it takes, in bytes; 0 to keep nothing and read the store
   *     each time
   */
  public AdjacencyCache(StorageEngine storage, SplitTable splits, long maxBytes) {
    if (maxBytes < 0) {
      throw GraphMetaException.invalid(
          "The size of an adjacency cache is " + maxBytes + " bytes; expected 0 or more");
    }
    this.units = new SharedUnits(storage, splits, maxBytes);
  }

  /**
   * Gives threads that load the second half of what a large read misses while its own thread loads
   * the first; without any it loads all. They may refuse.
   */
  public void loadAheadOn(Executor threads) {
    units.loadAheadOn(threads);
  }

  /** A reader for one call on one thread. Close it. */
  public AdjacencyReader reader() {
    return new AdjacencyReader(units);
  }

  /** Units of rows for one call on one thread. Close them. */
  public RowUnits rows() {
    return new RowUnits(units, false);
  }

  /** As {@link #rows}, for a caller that must not read the store: it is stopped before it does. */
  public RowUnits rowsOnly() {
    return new RowUnits(units, true);
  }

  /**
   * Takes note of rows that were written to the store or deleted from it. To be called after the
   * store has applied them and before anyone can learn their stamp.
   */
  public void changed(RowBatch written) {
    UnitTable table = units.table;
    if (table == null || written.count() == 0) {
      return;
    }
    synchronized (this) {
      long change = ++changes;
      units.changed(change);
      written.forEach(
          (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
            int number = familyNumber(family, rows, keyAt);
            if (number >= 0) {
              table.noteChange(key(family, rows, keyAt, keyLength), number, change);
            }
          });
      VarHandle.fullFence();
      written.forEach(
          (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
            int number = familyNumber(family, rows, keyAt);
            if (number >= 0 && table.hasUnits(number)) {
              cut(table, family, rows, keyAt, keyLength, valueLength);
            }
          });
    }
  }

  /** The family of the units that a row concerns; -1 for none. */
  private static int familyNumber(Family family, byte[] rows, int keyAt) {
    return Unit.familyNumber(
        family != Family.SPLITS
            ? family
            : SplitRows.isOutgoing(rows, keyAt) ? Family.OUT : Family.IN);
  }

  /** The key of the units that are made of a row. */
  private static long key(Family family, byte[] rows, int keyAt, int keyLength) {
    return family.byVertex() || family == Family.SPLITS
        ? BigEndian.getLong(rows, keyAt)
        : RowUnits.idKey(rows, keyAt, keyLength);
  }

  private static void cut(
      UnitTable table, Family family, byte[] rows, int keyAt, int keyLength, int valueLength) {
    long key = key(family, rows, keyAt, keyLength);
    int number = familyNumber(family, rows, keyAt);
    if (family == Family.SPLITS) {
      table.end(key, number);
      return;
    }
    if (!family.byVertex()) { // has no stamps
      table.cut(key, number, 0, true, Unit.NOBODY, Unit.NOBODY);
      return;
    }
    ElementLayout layout = family == Family.ATTRIBUTES ? ElementLayout.VERTEX : ElementLayout.EDGE;
    int stampsAt = keyAt + layout.slotBytes();
    int label = layout == ElementLayout.EDGE ? BigEndian.getShort(rows, keyAt + 8) : 0;
    boolean body =
        layout == ElementLayout.VERTEX
            || BigEndian.getShort(rows, keyAt + RowKeys.EDGE_KEY_BYTES) == RowKeys.BODY;
    long valid = Unit.NOBODY;
    long committed = Unit.NOBODY;
    if (valueLength != RowBatch.DELETED) {
      valid = ~BigEndian.getLong(rows, stampsAt);
      boolean backfilled = keyLength > layout.slotBytes() + 8;
      committed = backfilled ? ~BigEndian.getLong(rows, stampsAt + 8) : valid;
    }
    table.cut(key, number, label, body, valid, committed);
  }

  /** Forgets everything, after all rows were removed from the store. */
  public synchronized void clear() {
    UnitTable table = units.table;
    if (table != null) {
      long change = ++changes;
      units.changed(change);
      table.clear(change);
    }
  }

  /** What it holds and what it did. */
  public AdjacencyStatistics statistics() {
    return units.statistics();
  }
}
