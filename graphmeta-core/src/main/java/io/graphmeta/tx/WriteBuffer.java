package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.EdgeKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pending writes of a transaction, found by element and, for new edges, from either end.
 * Belongs to the thread of its transaction.
 */
final class WriteBuffer {
  private static final long ASKED_EACH = 1 << 20;

  private final Map<Long, PendingElement> vertices = new LinkedHashMap<>();
  private final Map<EdgeKey, PendingElement> edges = new LinkedHashMap<>();
  private @Nullable EdgeIndex
      newEdges; // made when first asked for: most writers never read what they add
  private final Map<String, List<Long>> vertexIds = new LinkedHashMap<>();
  private final Map<String, List<EdgeKey>> edgeIds = new LinkedHashMap<>();
  private final Map<String, long[]> earlierVertices = new HashMap<>();
  private final Map<String, List<EdgeKey>> earlierEdges = new HashMap<>();
  private final Map<EdgeKey, Long> edgeEnds = new HashMap<>();
  private final long maxBytes;
  private long bytes;

  /** The size at which it was asked whether there is room in the heap. */
  private long askedAt;

  private int createdEdges;

  WriteBuffer(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  boolean isEmpty() {
    return vertices.isEmpty() && edges.isEmpty();
  }

  /** Counts the size of a write before it is taken. */
  void charge(long writeBytes) {
    requireRoom(writeBytes);
    if (bytes + writeBytes >= askedAt + ASKED_EACH) {
      HeapGauge.ofProcess().requireRoom(writeBytes, "the writes of a transaction");
      askedAt = bytes + writeBytes;
    }
    bytes += writeBytes;
  }

  /** Refuses a write that would take more than is left. */
  void requireRoom(long writeBytes) {
    if (writeBytes > maxBytes - bytes) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The transaction would hold more than "
              + maxBytes
              + " bytes of writes; commit in smaller transactions or raise"
              + " graphmeta.max-transaction-bytes (at most a quarter of the heap)");
    }
  }

  @Nullable PendingElement vertex(long key) {
    return vertices.isEmpty() ? null : vertices.get(key);
  }

  @Nullable PendingElement edge(EdgeKey key) {
    return edges.get(key);
  }

  Map<Long, PendingElement> vertices() {
    return vertices;
  }

  Map<EdgeKey, PendingElement> edges() {
    return edges;
  }

  /**
   * The vertices that this transaction gave an id to, oldest first: one at most at any valid time.
   */
  List<Long> verticesWithId(String id) {
    return vertexIds.getOrDefault(id, List.of());
  }

  /** The edges that this transaction gave an id to, oldest first: one at most at any valid time. */
  List<EdgeKey> edgesWithId(String id) {
    return edgeIds.getOrDefault(id, List.of());
  }

  /** The ids that this transaction gave to vertices. */
  Map<String, List<Long>> vertexIds() {
    return vertexIds;
  }

  /** The ids that this transaction gave to edges. */
  Map<String, List<EdgeKey>> edgeIds() {
    return edgeIds;
  }

  /** Adds a new vertex; {@code earlier} are the vertices that had its id before. */
  void createVertex(long key, PendingElement vertex, long[] earlier) {
    vertices.put(key, vertex);
    if (vertex.givenId() != null) {
      vertexIds.computeIfAbsent(vertex.givenId(), id -> new ArrayList<>(1)).add(key);
      earlierVertices.put(vertex.givenId(), earlier);
    }
  }

  /** Notes the vertices that had the id of a new vertex before. */
  void hadVertexId(String id, long[] earlier) {
    earlierVertices.put(id, earlier);
  }

  /** Notes the edges that had the id of a new edge before. */
  void hadEdgeId(String id, List<EdgeKey> earlier) {
    earlierEdges.put(id, earlier);
  }

  long[] earlierVertices(String id) {
    return earlierVertices.getOrDefault(id, new long[0]);
  }

  List<EdgeKey> earlierEdges(String id) {
    return earlierEdges.getOrDefault(id, List.of());
  }

  /** Adds a new edge; {@code earlier} are the edges that had its id before. */
  void createEdge(EdgeKey key, PendingElement edge, List<EdgeKey> earlier) {
    edges.put(key, edge);
    createdEdges++;
    if (newEdges != null) {
      newEdges.add(key);
    }
    if (edge.givenId() != null) {
      edgeIds.computeIfAbsent(edge.givenId(), id -> new ArrayList<>(1)).add(key);
      earlierEdges.put(edge.givenId(), earlier);
    }
  }

  /** An edge that is new, but ends at a time in the past. */
  void endEdge(EdgeKey key, long valid) {
    edgeEnds.put(key, valid);
  }

  @Nullable Long endOfEdge(EdgeKey key) {
    return edgeEnds.get(key);
  }

  /** A vertex that this transaction created and that is there now, or null. */
  @Nullable PendingElement newVertex(long key) {
    PendingElement vertex = vertices.get(key);
    return vertex != null && vertex.isCreated() && !vertex.isDeleted() ? vertex : null;
  }

  /** An edge that this transaction created and that is there now, or null. */
  @Nullable PendingElement newEdge(EdgeKey key) {
    PendingElement edge = edges.get(key);
    return edge != null && edge.isCreated() && !edge.isDeleted() && !edgeEnds.containsKey(key)
        ? edge
        : null;
  }

  PendingElement existingVertex(long key, @Nullable String id, String label) {
    return vertices.computeIfAbsent(key, k -> new PendingElement(false, id, label));
  }

  PendingElement existingEdge(EdgeKey key, @Nullable String id, String label) {
    return edges.computeIfAbsent(key, k -> new PendingElement(false, id, label));
  }

  /** Forgets a vertex that this transaction created. */
  void cancelVertex(long key) {
    PendingElement vertex = vertices.remove(key);
    if (vertex != null && vertex.givenId() != null) {
      vertexIds.computeIfPresent(vertex.givenId(), (id, keys) -> without(keys, key));
    }
  }

  /** Forgets an edge that this transaction created. */
  void cancelEdge(EdgeKey key) {
    PendingElement edge = edges.remove(key);
    if (edge != null && edge.givenId() != null) {
      edgeIds.computeIfPresent(edge.givenId(), (id, keys) -> without(keys, key));
    }
    createdEdges--;
    if (newEdges != null) {
      newEdges.remove(key);
    }
    edgeEnds.remove(key);
  }

  private static <K, C extends Collection<K>> @Nullable C without(C keys, K key) {
    keys.remove(key);
    return keys.isEmpty() ? null : keys;
  }

  /** New edges of a vertex in one direction, oldest first. */
  Set<EdgeKey> newEdges(long vertex, boolean outgoing) {
    if (createdEdges == 0) {
      return Set.of();
    }
    if (newEdges == null) {
      EdgeIndex index = new EdgeIndex();
      edges.forEach(
          (key, edge) -> {
            if (edge.isCreated()) {
              index.add(key);
            }
          });
      newEdges = index;
    }
    return newEdges.of(vertex, outgoing);
  }

  /** The vertices at the other ends of new edges of a vertex, oldest first. */
  long[] newNeighbours(long vertex, boolean outgoing) {
    return newEdges(vertex, outgoing).stream()
        .mapToLong(edge -> outgoing ? edge.in() : edge.out())
        .toArray();
  }

  boolean hasNewEdges() {
    return createdEdges > 0;
  }

  /** The edges that this transaction created and that are there now. */
  Collection<EdgeKey> newEdgeKeys() {
    List<EdgeKey> keys = new ArrayList<>();
    edges
        .keySet()
        .forEach(
            key -> {
              if (newEdge(key) != null) {
                keys.add(key);
              }
            });
    return keys;
  }

  /** Edges by their ends. */
  private static final class EdgeIndex {
    private final Map<Long, Set<EdgeKey>> out = new HashMap<>();
    private final Map<Long, Set<EdgeKey>> in = new HashMap<>();

    void add(EdgeKey key) {
      out.computeIfAbsent(key.out(), v -> new LinkedHashSet<>(2)).add(key);
      in.computeIfAbsent(key.in(), v -> new LinkedHashSet<>(2)).add(key);
    }

    void remove(EdgeKey key) {
      out.computeIfPresent(key.out(), (vertex, keys) -> without(keys, key));
      in.computeIfPresent(key.in(), (vertex, keys) -> without(keys, key));
    }

    Set<EdgeKey> of(long vertex, boolean outgoing) {
      return (outgoing ? out : in).getOrDefault(vertex, Set.of());
    }
  }
}
