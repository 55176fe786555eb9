package io.graphmeta.traversal;

import io.graphmeta.model.EdgeKey;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends of paths at one position: each row is an element and, by its number in the rows before, the
 * path that it ends. Rows are added while they are made, and do not change afterwards. Belongs to
 * one thread.
 */
final class PathRows {
  private static final int LEAST_ROOM = 16;

  private final @Nullable PathRows parents;
  private final int length;
  private int[] parent;
  private long[] vertices;
  private EdgeKey[] edges;
  private boolean[] reached;
  private final boolean ofEdges;
  private int size;

  /** Whether no path of the rows meets an element twice, as far as that is known. */
  private boolean simple;

  /** No rows yet. */
  PathRows(@Nullable PathRows parents, boolean ofEdges) {
    this.parents = parents;
    this.length = parents == null ? 1 : parents.length + 1;
    this.ofEdges = ofEdges;
    this.parent = parents == null ? new int[0] : new int[LEAST_ROOM];
    this.vertices = ofEdges ? new long[0] : new long[LEAST_ROOM];
    this.edges = ofEdges ? new EdgeKey[LEAST_ROOM] : new EdgeKey[0];
    this.reached = ofEdges ? new boolean[LEAST_ROOM] : new boolean[0];
    this.simple = parents == null;
  }

  /** No rows yet, with the same parents, to which rows of this can be added. */
  PathRows like() {
    PathRows like = new PathRows(parents, ofEdges);
    like.simple = simple;
    return like;
  }

  int size() {
    return size;
  }

  /** Number of elements on each path. */
  int length() {
    return length;
  }

  boolean isOfEdges() {
    return ofEdges;
  }

  long vertex(int row) {
    return vertices[row];
  }

  EdgeKey edge(int row) {
    return edges[row];
  }

  /** Whether the edge of a row was reached from its source. */
  boolean isReachedFromSource(int row) {
    return reached[row];
  }

  void addVertex(int parentRow, long vertex) {
    if (size == vertices.length) {
      vertices = Arrays.copyOf(vertices, size * 2);
    }
    vertices[size] = vertex;
    addParent(parentRow);
  }

  /** Adds vertices of a range that all follow the same row. */
  void addVertices(int parentRow, long[] from, int start, int count) {
    int room = size + count;
    if (room > vertices.length) {
      vertices = Arrays.copyOf(vertices, Math.max(room, size * 2));
    }
    if (room > parent.length) {
      parent = Arrays.copyOf(parent, Math.max(room, size * 2));
    }
    System.arraycopy(from, start, vertices, size, count);
    Arrays.fill(parent, size, room, parentRow);
    size = room;
  }

  void addEdge(int parentRow, EdgeKey edge, boolean fromSource) {
    if (size == edges.length) {
      edges = Arrays.copyOf(edges, size * 2);
      reached = Arrays.copyOf(reached, size * 2);
    }
    edges[size] = edge;
    reached[size] = fromSource;
    addParent(parentRow);
  }

  private void addParent(int parentRow) {
    if (parents != null) {
      if (size == parent.length) {
        parent = Arrays.copyOf(parent, size * 2);
      }
      parent[size] = parentRow;
    }
    size++;
  }

  /** Takes over a row of {@link #like rows with the same parents}. */
  void addRow(PathRows of, int row) {
    int parentRow = parents == null ? 0 : of.parent[row];
    if (ofEdges) {
      addEdge(parentRow, of.edges[row], of.reached[row]);
    } else {
      addVertex(parentRow, of.vertices[row]);
    }
  }

  /** The elements from a place on, on the path that a row ends. */
  List<Object> path(int row, int from) {
    Object[] path = new Object[length - from];
    int at = row;
    for (PathRows rows = this; rows != null && rows.length > from; rows = rows.parents) {
      path[rows.length - 1 - from] = rows.ofEdges ? rows.edges[at] : (Object) rows.vertices[at];
      at = rows.parents == null ? 0 : rows.parent[at];
    }
    return Arrays.asList(path);
  }

  /** How many elements the path of a row and one of other rows are known to begin with, both. */
  int shared(int row, PathRows others, int other) {
    int at = row;
    int otherAt = other;
    PathRows rows = this;
    PathRows otherRows = others;
    while (rows != null && otherRows != null && rows.length == otherRows.length) {
      if (rows == otherRows && at == otherAt) {
        return rows.length;
      }
      at = rows.parents == null ? 0 : rows.parent[at];
      otherAt = otherRows.parents == null ? 0 : otherRows.parent[otherAt];
      rows = rows.parents;
      otherRows = otherRows.parents;
    }
    return 0;
  }

  /** The rows whose paths meet no element twice, or the rows whose paths do. */
  PathRows keepSimple(boolean wanted) {
    PathRows kept = like();
    kept.simple = wanted;
    for (int row = 0; row < size; row++) {
      if (isSimple(row) == wanted) {
        kept.addRow(this, row);
      }
    }
    return kept;
  }

  private boolean isSimple(int row) {
    PathRows rows = this;
    int at = row;
    while (rows != null && !rows.simple) {
      if (rows.isOnWay(at)) {
        return false;
      }
      at = rows.parents == null ? 0 : rows.parent[at];
      rows = rows.parents;
    }
    return true;
  }

  /** Whether the element of a row stands on the path before it. */
  private boolean isOnWay(int row) {
    int at = row;
    for (PathRows rows = this; rows.parents != null; ) {
      at = rows.parent[at];
      rows = rows.parents;
      if (rows.ofEdges == ofEdges
          && (ofEdges
              ? Objects.equals(rows.edges[at], edges[row])
              : rows.vertices[at] == vertices[row])) {
        return true;
      }
    }
    return false;
  }
}
