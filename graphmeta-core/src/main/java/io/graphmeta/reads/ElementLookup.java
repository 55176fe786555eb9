package io.graphmeta.reads;

import static java.util.Objects.requireNonNull;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the vertices and edges with given keys or ids that a view sees: a batch is cut by shard,
 * all shards are asked for their parts at once, each once a page, and the answers are visited with
 * their positions in the batch. Safe for use by many threads.
 */
public final class ElementLookup {
  private static final int MAX_ATTEMPTS = 5;

  private final Router router;
  private final IdLookup ids;

  ElementLookup(Router router, IdLookup ids) {
    this.router = router;
    this.ids = ids;
  }

  /** Receives the elements that a view sees, with their positions in the batch. */
  @FunctionalInterface
  public interface ElementVisitor {
    /**
     * An element that was found.
     *
     * @param page has its rows
     * @param e its number in the page
     * @param position of its key or id in the batch
     */
    void element(ElementPage page, int e, int position);
  }

  /** Visits the vertices with some keys, those of one shard in the order of the batch. */
  public void vertices(long[] keys, ReadView view, Detail detail, ElementVisitor visitor) {
    for (int from = 0; from < keys.length; from += KeyBatches.MAX_KEYS) {
      long[] batch =
          keys.length <= KeyBatches.MAX_KEYS
              ? keys
              : Arrays.copyOfRange(keys, from, Math.min(keys.length, from + KeyBatches.MAX_KEYS));
      readVertices(batch, view, detail, shifted(from, visitor));
    }
  }

  private void readVertices(long[] keys, ReadView view, Detail detail, ElementVisitor visitor) {
    ShardParts parts =
        ShardParts.of(router.shards(), keys.length, position -> router.home(keys[position]));
    readParts(
        parts,
        (shard, positions) -> {
          long[] part = positions == null ? keys : parts.part(keys, shard);
          return from -> new Request.ReadVertices(part, view, detail, from.index());
        },
        visitor);
  }

  /** What a shard is asked for. */
  @FunctionalInterface
  private interface PartRequest {
    PageStream.PageRequest of(int shard, int @Nullable [] positions);
  }

  /** What a shard answers to its part of a batch that is cut. */
  private record AskedPart(PageStream elements, int[] positions) {}

  private void readParts(ShardParts parts, PartRequest request, ElementVisitor visitor) {
    if (parts.only() >= 0) {
      readAll(stream(parts.only(), request.of(parts.only(), null)), null, visitor);
      return;
    }
    for (AskedPart part : askAll(parts, request)) {
      readAll(part.elements, part.positions, visitor);
    }
  }

  /** Asks all shards of a batch that is cut for their first pages, before one has answered. */
  private List<AskedPart> askAll(ShardParts parts, PartRequest request) {
    List<AskedPart> asked = new ArrayList<>();
    Request[] first = new Request[router.shards()];
    parts.forEach(
        (shard, positions) -> {
          PageStream elements = stream(shard, request.of(shard, positions));
          first[shard] = elements.first();
          asked.add(new AskedPart(elements, requireNonNull(positions)));
        });
    Iterator<AskedPart> inOrder = asked.iterator();
    for (CompletableFuture<Response> coming : router.sendAll(Arrays.asList(first))) {
      if (coming != null) {
        inOrder.next().elements.asked(coming);
      }
    }
    return asked;
  }

  private PageStream stream(int shard, PageStream.PageRequest request) {
    return new PageStream(router, shard, request, ReadGauge::requireRoom);
  }

  private static void readAll(
      PageStream elements, int @Nullable [] positions, ElementVisitor visitor) {
    while (elements.next()) {
      int source = elements.page().source(elements.element());
      visitor.element(
          elements.page(), elements.element(), positions == null ? source : positions[source]);
    }
  }

  /** The visitor of a batch whose first key has a position among all keys. */
  private static ElementVisitor shifted(int first, ElementVisitor visitor) {
    return first == 0 ? visitor : (page, e, position) -> visitor.element(page, e, first + position);
  }

  /** Visits the vertices with some ids that users gave, with their properties. */
  public void verticesById(List<String> wanted, ReadView view, ElementVisitor visitor) {
    KeyBatches.forEach(
        wanted, (batch, first) -> readVerticesById(batch, view, shifted(first, visitor)));
  }

  private void readVerticesById(List<String> wanted, ReadView view, ElementVisitor visitor) {
    ShardParts parts =
        ShardParts.of(
            router.shards(), wanted.size(), position -> router.home(wanted.get(position)));
    readParts(
        parts,
        (shard, positions) -> {
          List<String> part = positions == null ? wanted : parts.part(wanted, shard);
          return from -> new Request.FindVertices(part, view, from.index());
        },
        visitor);
  }

  /** Visits the edges with some ids that users gave, with their properties. */
  public void edgesById(List<String> wanted, ReadView view, ElementVisitor visitor) {
    KeyBatches.forEach(
        wanted, (batch, first) -> readEdgesById(batch, view, shifted(first, visitor)));
  }

  private void readEdgesById(List<String> wanted, ReadView view, ElementVisitor visitor) {
    if (router.shards() == 1) {
      readAll(stream(0, from -> new Request.FindEdges(wanted, view, from.index())), null, visitor);
      return;
    }
    // An edge lies with an entry of its source, its id where the id leads. At most one edge of an
    // id is seen.
    List<List<EdgeKey>> given = ids.edges(wanted);
    List<EdgeKey> keys = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    for (int position = 0; position < given.size(); position++) {
      for (EdgeKey key : given.get(position)) {
        keys.add(key);
        positions.add(position);
      }
    }
    edges(
        keys, view, Detail.PROPERTIES, (page, e, i) -> visitor.element(page, e, positions.get(i)));
  }

  /** Visits the edges with some keys, read at their sources. */
  public void edges(List<EdgeKey> keys, ReadView view, Detail detail, ElementVisitor visitor) {
    KeyBatches.forEach(
        keys,
        (batch, first) -> readEdges(batch, view, detail, shifted(first, visitor), MAX_ATTEMPTS));
  }

  /**
   * Asks the shards where the edges are as far as this client knows. A shard that some of its part
   * is not on refuses the part; then the homes are asked how the sources are split, and the part is
   * read again.
   */
  private void readEdges(
      List<EdgeKey> keys, ReadView view, Detail detail, ElementVisitor visitor, int attempts) {
    BitSet misplaced = new BitSet();
    ShardParts parts =
        ShardParts.of(router.shards(), keys.size(), position -> shard(keys.get(position), view));
    PartRequest request =
        (shard, positions) -> {
          List<EdgeKey> part = positions == null ? keys : parts.part(keys, shard);
          return from -> new Request.ReadEdges(part, view, detail, from.index());
        };
    if (parts.only() >= 0) {
      PageStream elements = stream(parts.only(), request.of(parts.only(), null));
      if (isMisplaced(elements, null, visitor, attempts)) {
        misplaced.set(0, keys.size());
      }
    } else {
      for (AskedPart part : askAll(parts, request)) {
        if (isMisplaced(part.elements, part.positions, visitor, attempts)) {
          Arrays.stream(part.positions).forEach(misplaced::set);
        }
      }
    }
    if (!misplaced.isEmpty()) {
      int[] at = misplaced.stream().toArray();
      List<EdgeKey> again = Arrays.stream(at).mapToObj(keys::get).toList();
      router.learnSplits(again.stream().map(EdgeKey::out).collect(Collectors.toSet()), true);
      readEdges(again, view, detail, (page, e, i) -> visitor.element(page, e, at[i]), attempts - 1);
    }
  }

  /** Reads a part, unless its shard refuses it, which it does before it answers any of it. */
  private static boolean isMisplaced(
      PageStream elements, int @Nullable [] positions, ElementVisitor visitor, int attempts) {
    try {
      readAll(elements, positions, visitor);
      return false;
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.MISPLACED || attempts == 1) {
        throw e;
      }
      return true;
    }
  }

  private int shard(EdgeKey key, ReadView view) {
    return router.entryShard(key.out(), true, key.in(), view.snapshot());
  }
}
