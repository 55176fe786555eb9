package io.graphmeta.shard.retention;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.Stamp;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.function.IntToLongFunction;

/**
 * Refuses what an open shard cannot answer, since versions were dropped: a view (V, K) is let
 * through where both stamps are at or above the watermark of each label that the request can have
 * to do with. A request that does not tell its labels has to do with all. Where rows are dropped
 * while the shard is open the bound is raised long before. Safe for use by many threads.
 */
public final class HistoryBound {
  private volatile Horizons watermarks;
  private volatile long newest;

  /** That of a store. */
  public HistoryBound(StorageEngine storage) {
    watermarks = DroppedHistory.of(storage).watermarks();
    newest = watermarks.newest();
  }

  /** From now on what lies below these is refused, too. */
  synchronized void raise(Horizons horizons) {
    watermarks = watermarks.later(horizons);
    newest = watermarks.newest(); // behind: who finds it looks at the others
  }

  /** Takes note of what an entry says that is missing. */
  public void changed(RowBatch written) {
    written.forEach(
        (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
          if (family == Family.META
              && valueLength > 0
              && DroppedHistory.isKey(rows, keyAt, keyLength)) {
            byte[] value = Arrays.copyOfRange(rows, valueAt, valueAt + valueLength);
            raise(DroppedHistory.read(value).watermarks());
          }
        });
  }

  /** All rows were removed, and nothing is missing of what comes. */
  public synchronized void clear() {
    newest = 0;
    watermarks = new Horizons(Map.of(), Map.of());
  }

  /**
   * Lets a read through.
   *
   * @throws GraphMetaException {@code BELOW_WATERMARK}
   */
  public void require(Request.OfView read) {
    if (!allows(read)) {
      throw below("A view of " + Stamp.format(from(read)), of(read));
    }
  }

  /** Whether a read is let through. */
  public boolean allows(Request.OfView read) {
    long all = newest;
    if (all == 0) {
      return true;
    }
    long from = from(read);
    return from >= all || from >= of(read);
  }

  private static long from(Request.OfView read) {
    ReadView view = read.view();
    long valid =
        read instanceof Request.SearchDuring during ? during.views().validFrom() : view.validAt();
    return Math.min(valid, view.knownAt());
  }

  /**
   * Lets the rows of a transaction through: whether what they say of an earlier time can be true
   * nobody knows there.
   *
   * @throws GraphMetaException {@code BELOW_WATERMARK}
   */
  public void require(StagedRows rows) {
    if (newest == 0) {
      return;
    }
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
          if (stamped && valid != Stamp.AT_COMMIT && valid < newest && family.byVertex()) {
            long bound =
                family == Family.ATTRIBUTES
                    ? watermarks.ofVertices(VertexKeys.labelId(BigEndian.getLong(buffer, slotAt)))
                    : watermarks.ofEdges(BigEndian.getShort(buffer, slotAt + 8));
            if (valid < bound) {
              throw below("A write for " + Stamp.format(valid), bound);
            }
          }
        });
  }

  private long of(Request.OfView read) {
    if (read instanceof Request.ReadVertices vertices) {
      long bound = 0;
      for (long key : vertices.keys()) {
        bound = Math.max(bound, watermarks.ofVertices(VertexKeys.labelId(key)));
      }
      return bound;
    } else if (read instanceof Request.ReadEdges edges) {
      return newest(edges.keys().stream().map(EdgeKey::labelId).toList(), watermarks::ofEdges);
    } else if (read instanceof Request.ScanVertices scan) {
      return ofVertices(scan.labelId());
    } else if (read instanceof Request.SearchVertices search) {
      return ofVertices(search.labelId());
    } else if (read instanceof Request.SearchDuring search) {
      return ofVertices(search.labelId());
    } else if (read instanceof Request.ScanEdges scan) {
      return ofEdges(scan.labelIds());
    } else if (read instanceof Request.SearchEdges search) {
      return ofEdges(search.labelIds());
    } else if (read instanceof Request.Expand expand) {
      return ofEdges(Arrays.stream(expand.labelIds()).boxed().toList());
    }
    return newest;
  }

  private long ofVertices(int labelId) {
    return labelId == 0 ? watermarks.newestOfVertices() : watermarks.ofVertices(labelId);
  }

  private long ofEdges(Collection<Integer> labelIds) {
    return labelIds.isEmpty() ? watermarks.newestOfEdges() : newest(labelIds, watermarks::ofEdges);
  }

  private static long newest(Collection<Integer> labelIds, IntToLongFunction bounds) {
    return labelIds.stream().mapToLong(label -> bounds.applyAsLong(label)).max().orElse(0);
  }

  private static GraphMetaException below(String what, long bound) {
    return new GraphMetaException(
        ErrorCode.BELOW_WATERMARK,
        what
            + " lies below "
            + Stamp.format(bound)
            + ", before which versions were dropped by retention; ask for that time or a later one,"
            + " or restore the archive into a copy of the database ('graphmeta archive restore')");
  }
}
