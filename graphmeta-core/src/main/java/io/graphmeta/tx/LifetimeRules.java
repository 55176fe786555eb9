package io.graphmeta.tx;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.ElementLookup;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.time.Stamp;

/**
 * The rules of lifetimes, on which reads rely. This class refuses writes that would break them.
 *
 * <ul>
 *   <li>An element exists from its first body to its tombstone, and is never put again behind it.
 *   <li>At any valid time at most one element of a kind has an id. An id that is given again before
 *       an element that has it extends that element backwards; behind one, it makes a new element
 *       ({@link GivenIds}).
 *   <li>An edge exists only while both its ends do: deleting a vertex deletes its edges at the same
 *       stamp, and an edge that is backfilled between vertices that ended later ends with them.
 *   <li>Nothing begins or ends in the future, and no deletion in the past cuts off what is known to
 *       have been there afterwards.
 * </ul>
 *
 * Belongs to the thread of its transaction.
 */
final class LifetimeRules {
  private final ElementLookup lookup;
  private final Lifetimes lifetimes;
  private final ReadView snapshot;

  LifetimeRules(ElementLookup lookup, Lifetimes lifetimes, ReadView snapshot) {
    this.lookup = lookup;
    this.lifetimes = lifetimes;
    this.snapshot = snapshot;
  }

  /** Refuses a valid stamp in the future of the transaction. */
  void requirePast(long valid) {
    if (valid != Stamp.AT_COMMIT && (valid < Stamp.MIN || valid > snapshot.validAt())) {
      throw GraphMetaException.invalid(
          "Valid time "
              + (valid < 0 ? Long.toString(valid) : Stamp.format(valid))
              + " lies in the future of this transaction ("
              + Stamp.format(snapshot.validAt())
              + "); expected a time in the past, or none for now");
    }
  }

  /** Refuses a write to a vertex that does not exist at a valid stamp. */
  void requireVertex(long vertex, long valid) {
    boolean exists =
        valid == Stamp.AT_COMMIT
            ? lifetimes.isThere(vertex)
            : lifetimes.ofVertex(vertex).contains(valid);
    if (!exists) {
      throw absent("Vertex " + shown(vertex), valid);
    }
  }

  /**
   * Refuses what was written to a vertex that does not exist now, apart from what this transaction
   * has done to it since.
   */
  void requireVertexBefore(long vertex) {
    if (!lifetimes.wasThere(vertex)) {
      throw absent("Vertex " + shown(vertex), Stamp.AT_COMMIT);
    }
  }

  /** Refuses a write to an edge that does not exist at a valid stamp. */
  void requireEdge(EdgeKey edge, long valid) {
    if (!lifetimes.ofEdge(edge).contains(PendingElement.comparable(valid))) {
      throw absent("Edge " + GeneratedIds.ofEdge(edge), valid);
    }
  }

  private static GraphMetaException absent(String element, long valid) {
    return new GraphMetaException(ErrorCode.NOT_FOUND, element + " does not exist " + when(valid));
  }

  /** Refuses to delete an edge at a stamp in the past behind which it is known to exist. */
  void requireEdgeEnds(EdgeKey edge, long valid) {
    long newest = lifetimes.ofEdge(edge).newestBody();
    if (valid != Stamp.AT_COMMIT && newest > valid) {
      throw knownLater("Edge " + GeneratedIds.ofEdge(edge), valid, newest);
    }
  }

  /** Refuses to delete a vertex at a stamp in the past behind which it is known to exist. */
  void requireVertexEnds(long vertex, long valid) {
    long newest = lifetimes.ofVertex(vertex).newestBody();
    if (newest > valid) {
      throw knownLater("Vertex " + shown(vertex), valid, newest);
    }
  }

  private static GraphMetaException knownLater(String element, long valid, long newest) {
    return GraphMetaException.invalid(
        element
            + " cannot end at "
            + Stamp.format(valid)
            + ": it is known to exist at "
            + Stamp.format(newest));
  }

  /** Refuses to delete a vertex at a stamp in the past behind which an edge of it begins. */
  void requireBegun(long vertex, EdgeKey edge, long valid) {
    long begin = lifetimes.ofEdge(edge).newestBody();
    if (begin > valid) {
      throw GraphMetaException.invalid(
          "Vertex "
              + shown(vertex)
              + " cannot end at "
              + Stamp.format(valid)
              + ": its edge "
              + GeneratedIds.ofEdge(edge)
              + " begins "
              + (begin == Stamp.MAX ? "with this commit" : "at " + Stamp.format(begin))
              + "; end it then or later");
    }
  }

  /** A vertex as errors name it: by the id that a user gave it, if there is one. */
  String shown(long vertex) {
    String[] shown = {GeneratedIds.ofVertex(vertex)};
    ReadView ever = new ReadView(Stamp.MAX, snapshot.knownAt());
    lookup.vertices(
        new long[] {vertex},
        ever,
        Detail.HISTORY,
        (page, e, position) -> {
          for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
            String given =
                page.propertyKey(row) == RowKeys.BODY ? RecordDecoder.bodyId(page, row) : null;
            shown[0] = given != null ? given : shown[0];
          }
        });
    return "'" + shown[0] + "'";
  }

  /** A valid stamp as errors name it. */
  static String when(long valid) {
    return valid == Stamp.AT_COMMIT ? "now" : "at " + Stamp.format(valid);
  }
}
