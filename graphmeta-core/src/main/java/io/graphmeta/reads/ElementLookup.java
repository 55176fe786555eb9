package io.graphmeta.reads;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the vertices and edges with given keys or ids that a view sees: a batch is cut by shard,
 * each shard is asked for its part once a page, and the answers are visited with their positions in
 * the batch. Safe for use by many threads.
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
    parts.forEach(
        (shard, positions) -> {
          long[] part = positions == null ? keys : parts.part(keys, shard);
          readAll(
              shard,
              from -> new Request.ReadVertices(part, view, detail, from.index()),
              positions,
              visitor);
        });
  }

  private void readAll(
      int shard,
      PageStream.PageRequest request,
      int @Nullable [] positions,
      ElementVisitor visitor) {
    PageStream elements = new PageStream(router, shard, request, ReadGauge::requireRoom);
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
    parts.forEach(
        (shard, positions) -> {
          List<String> part = positions == null ? wanted : parts.part(wanted, shard);
          readAll(
              shard,
              from -> new Request.FindVertices(part, view, from.index()),
              positions,
              visitor);
        });
  }

  /** Visits the edges with some ids that users gave, with their properties. */
  public void edgesById(List<String> wanted, ReadView view, ElementVisitor visitor) {
    KeyBatches.forEach(
        wanted, (batch, first) -> readEdgesById(batch, view, shifted(first, visitor)));
  }

  private void readEdgesById(List<String> wanted, ReadView view, ElementVisitor visitor) {
    if (router.shards() == 1) {
      readAll(0, from -> new Request.FindEdges(wanted, view, from.index()), null, visitor);
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
    parts.forEach(
        (shard, positions) -> {
          List<EdgeKey> part = positions == null ? keys : parts.part(keys, shard);
          try {
            readAll(
                shard,
                from -> new Request.ReadEdges(part, view, detail, from.index()),
                positions,
                visitor);
          } catch (GraphMetaException e) {
            if (e.code() != ErrorCode.MISPLACED || attempts == 1) {
              throw e;
            }
            // A shard refuses a batch before it answers any of it.
            for (int i = 0; i < part.size(); i++) {
              misplaced.set(positions == null ? i : positions[i]);
            }
          }
        });
    if (!misplaced.isEmpty()) {
      int[] at = misplaced.stream().toArray();
      List<EdgeKey> again = Arrays.stream(at).mapToObj(keys::get).toList();
      router.learnSplits(again.stream().map(EdgeKey::out).collect(Collectors.toSet()), true);
      readEdges(again, view, detail, (page, e, i) -> visitor.element(page, e, at[i]), attempts - 1);
    }
  }

  private int shard(EdgeKey key, ReadView view) {
    return router.entryShard(key.out(), true, key.in(), view.snapshot());
  }
}
