package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.TypedIds;
import io.graphmeta.reads.IdLookup;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The elements that an id was given to, one after the other, and which of them an element that is
 * added with the id again extends backwards. Belongs to the thread of its transaction.
 *
 * <p>Whether an id that is given from the commit on is free need not be known at once: it is {@link
 * #askLater asked later}, for many ids at a time. Before anything is read in which two elements of
 * one id could be seen, and before the commit, {@link #settle} asks what is left. An id that is not
 * free is an error then, and again each time, so that such a transaction never commits.
 *
 * <p>Rows of ids can be {@link #lookUp read before} they are needed, many at once, at any moment
 * after the transaction began. A row that was read then is as good as one that is read later: it
 * has what the snapshot sees, and what came since makes the commit a conflict.
 */
final class GivenIds {
  private static final int MAX_KNOWN = 1 << 16;

  /** How many ids are asked for at once; what they are known by then is bounded, too. */
  private static final int MAX_UNASKED = 1 << 10;

  private final IdLookup lookup;
  private final WriteBuffer writes;
  private final Lifetimes lifetimes;
  private final Map<String, long[]> knownVertices = new HashMap<>();
  private final Map<String, List<EdgeKey>> knownEdges = new HashMap<>();
  private final Set<String> unaskedVertices = new LinkedHashSet<>();
  private final Set<String> unaskedEdges = new LinkedHashSet<>();

  GivenIds(IdLookup lookup, WriteBuffer writes, Lifetimes lifetimes) {
    this.lookup = lookup;
    this.writes = writes;
    this.lifetimes = lifetimes;
  }

  /**
   * Reads the rows of ids, and when the elements exist that they name. Of more than {@link
   * #MAX_KNOWN} ids of a kind only those that were read last are kept.
   */
  void lookUp(Collection<String> vertexIds, Collection<String> edgeIds) {
    List<String> vertices = unknown(vertexIds, knownVertices);
    List<long[]> vertexKeys = vertices.isEmpty() ? List.of() : lookup.verticesOfEach(vertices);
    for (int i = 0; i < vertices.size(); i++) {
      knownVertices.put(vertices.get(i), vertexKeys.get(i));
    }
    lifetimes.readVertices(vertexKeys.stream().flatMapToLong(Arrays::stream).toArray());
    List<String> edges = unknown(edgeIds, knownEdges);
    List<List<EdgeKey>> edgeKeys = edges.isEmpty() ? List.of() : lookup.edges(edges);
    for (int i = 0; i < edges.size(); i++) {
      knownEdges.put(edges.get(i), edgeKeys.get(i));
    }
    lifetimes.readEdges(edgeKeys.stream().flatMap(List::stream).toList());
  }

  private static List<String> unknown(Collection<String> ids, Map<String, ?> known) {
    List<String> unknown =
        ids.stream().filter(id -> !known.containsKey(id)).distinct().limit(MAX_KNOWN).toList();
    if (known.size() + unknown.size() > MAX_KNOWN) {
      known.clear();
    }
    return unknown;
  }

  /**
   * Whether it can be asked later if an id is free for a new vertex: when it is to have it from the
   * commit on, and nothing is known of the id yet.
   */
  boolean canAskLater(String vertexId, long valid) {
    return valid == Stamp.AT_COMMIT
        && !knownVertices.containsKey(vertexId)
        && writes.verticesWithId(vertexId).isEmpty();
  }

  /** As {@link #canAskLater}, of an edge. */
  boolean canAskEdgeLater(String edgeId, long valid) {
    return valid == Stamp.AT_COMMIT
        && !knownEdges.containsKey(edgeId)
        && writes.edgesWithId(edgeId).isEmpty();
  }

  /** Notes that it was not asked whether an id is free that a new vertex has. */
  void askLater(String vertexId) {
    unaskedVertices.add(vertexId);
    if (unaskedVertices.size() >= MAX_UNASKED) {
      settle();
    }
  }

  /** As {@link #askLater}, of an edge. */
  void askEdgeLater(String edgeId) {
    unaskedEdges.add(edgeId);
    if (unaskedEdges.size() >= MAX_UNASKED) {
      settle();
    }
  }

  /**
   * Asks for all ids of which it was not asked yet whether they are free.
   *
   * @throws GraphMetaException {@code ALREADY_EXISTS} if one of them is not
   */
  void settle() {
    if (unaskedVertices.isEmpty() && unaskedEdges.isEmpty()) {
      return;
    }
    unaskedVertices.removeIf(id -> writes.verticesWithId(id).isEmpty()); // taken back since
    unaskedEdges.removeIf(id -> writes.edgesWithId(id).isEmpty());
    // One id alone, as most transactions of Gremlin have it, is looked up with less ado below.
    if (unaskedVertices.size() + unaskedEdges.size() > 1) {
      lookUp(unaskedVertices, unaskedEdges);
    }
    for (String id : unaskedVertices) {
      long[] earlier = earlierVertices(id);
      vertexBehind(id, earlier, List.of(), Stamp.AT_COMMIT);
      writes.hadVertexId(id, earlier);
    }
    for (String id : unaskedEdges) {
      List<EdgeKey> earlier = earlierEdges(id);
      behind(earlier, lifetimes::ofEdge, edge(id), Stamp.AT_COMMIT);
      writes.hadEdgeId(id, earlier);
    }
    unaskedVertices.clear();
    unaskedEdges.clear();
  }

  /**
   * The committed vertices that had an id, oldest first.
   *
   * <p>The row of an id has no stamp, and can name a vertex that does not exist: that of a
   * transaction that is under way, or that was not committed. This transaction commits only if no
   * other has given the id since its snapshot; then the row must not name such a vertex any more.
   */
  long[] earlierVertices(String id) {
    long[] known = knownVertices.get(id);
    long[] given = known != null ? known : lookup.vertices(id);
    return given.length == 0
        ? given
        : Arrays.stream(given)
            .filter(vertex -> lifetimes.ofVertex(vertex) != Lifetime.NEVER)
            .toArray();
  }

  /** As {@link #earlierVertices}, of edges. */
  List<EdgeKey> earlierEdges(String id) {
    List<EdgeKey> known = knownEdges.get(id);
    return (known != null ? known : lookup.edges(id))
        .stream().filter(edge -> lifetimes.ofEdge(edge) != Lifetime.NEVER).toList();
  }

  /**
   * The vertex with an id that begins first behind a valid stamp, or null.
   *
   * @param earlier the committed vertices that had the id
   * @throws GraphMetaException {@code ALREADY_EXISTS} if one of them exists at the stamp
   */
  @Nullable Long vertexBehind(String id, long[] earlier, long valid) {
    return vertexBehind(id, earlier, writes.verticesWithId(id), valid);
  }

  private @Nullable Long vertexBehind(String id, long[] earlier, List<Long> own, long valid) {
    if (earlier.length == 0 && own.isEmpty()) {
      return null;
    }
    List<Long> candidates = new ArrayList<>(earlier.length + own.size());
    for (long vertex : earlier) {
      candidates.add(vertex);
    }
    candidates.addAll(own);
    return behind(
        candidates, lifetimes::ofVertex, "A vertex with id '" + TypedIds.given(id) + "'", valid);
  }

  /**
   * The edge with an id that begins first behind a valid stamp, or null.
   *
   * @param earlier the committed edges that had the id
   * @throws GraphMetaException {@code ALREADY_EXISTS} if one of them exists at the stamp
   */
  @Nullable EdgeKey edgeBehind(String id, List<EdgeKey> earlier, long valid) {
    List<EdgeKey> candidates = new ArrayList<>(earlier);
    candidates.addAll(writes.edgesWithId(id));
    return behind(candidates, lifetimes::ofEdge, edge(id), valid);
  }

  private static String edge(String id) {
    return "An edge with id '" + TypedIds.given(id) + "'";
  }

  private static <K> @Nullable K behind(
      List<K> candidates, Function<K, Lifetime> lifetimeOf, String what, long valid) {
    long at = PendingElement.comparable(valid);
    K first = null;
    long firstBegin = Stamp.MAX;
    for (K candidate : candidates) {
      Lifetime lifetime = lifetimeOf.apply(candidate);
      if (lifetime.contains(at)) {
        throw new GraphMetaException(
            ErrorCode.ALREADY_EXISTS,
            what
                + " exists already "
                + LifetimeRules.when(valid)
                + "; expected an id that is free then");
      }
      if (lifetime.begin() > at && lifetime != Lifetime.NEVER && lifetime.begin() <= firstBegin) {
        first = candidate;
        firstBegin = lifetime.begin();
      }
    }
    return first;
  }
}
