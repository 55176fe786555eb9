package io.graphmeta.reads;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads of committed elements in batches, without servers and pages showing. Safe for use by many
 * threads.
 */
public final class StoredReads {
  private static final int ATTEMPTS = 5;

  /** Keys or ids in one request: it is sent again for each page of its answer. */
  private static final int MOST_ASKED = 16_384;

  private final Router router;

  public StoredReads(Router router) {
    this.router = router;
  }

  /** Receives the elements that a view sees, with their positions in the request. */
  @FunctionalInterface
  public interface ElementVisitor {
    void element(ElementPage page, int e, int position);
  }

  public void vertices(long[] keys, ReadView view, Detail detail, ElementVisitor visitor) {
    for (int from = 0; from < keys.length; from += MOST_ASKED) {
      long[] some =
          keys.length <= MOST_ASKED
              ? keys
              : Arrays.copyOfRange(keys, from, Math.min(keys.length, from + MOST_ASKED));
      someVertices(some, view, detail, from(from, visitor));
    }
  }

  private void someVertices(long[] keys, ReadView view, Detail detail, ElementVisitor visitor) {
    ServerParts parts =
        ServerParts.of(router.servers(), keys.length, position -> router.home(keys[position]));
    forEachPart(
        parts,
        (server, positions) -> {
          long[] part = positions == null ? keys : parts.part(keys, server);
          readAll(
              server,
              from -> new Request.ReadVertices(part, view, detail, from.index()),
              positions,
              visitor);
        });
  }

  /** A part of a batch; the positions are null if it is the whole batch. */
  private interface PartVisitor {
    void part(int server, int @Nullable [] positions);
  }

  private void forEachPart(ServerParts parts, PartVisitor visitor) {
    if (parts.only() >= 0) {
      visitor.part(parts.only(), null);
      return;
    }
    for (int server = 0; server < router.servers(); server++) {
      if (parts.positions(server).length > 0) {
        visitor.part(server, parts.positions(server));
      }
    }
  }

  private void readAll(
      int server,
      PageStream.PageRequest request,
      int @Nullable [] positions,
      ElementVisitor visitor) {
    PageStream elements = new PageStream(router, server, request, ReadGauge::told);
    while (elements.next()) {
      int source = elements.page().source(elements.element());
      visitor.element(
          elements.page(), elements.element(), positions == null ? source : positions[source]);
    }
  }

  public void verticesById(List<String> ids, ReadView view, ElementVisitor visitor) {
    inParts(ids, (some, first) -> someVerticesById(some, view, from(first, visitor)));
  }

  /** Some of many, of which the first has this position. */
  private interface SomeOfMany<T> {
    void read(List<T> some, int first);
  }

  private static <T> void inParts(List<T> all, SomeOfMany<T> reading) {
    for (int first = 0; first < all.size(); first += MOST_ASKED) {
      reading.read(all.subList(first, Math.min(all.size(), first + MOST_ASKED)), first);
    }
  }

  private static ElementVisitor from(int first, ElementVisitor visitor) {
    return first == 0 ? visitor : (page, e, position) -> visitor.element(page, e, first + position);
  }

  private void someVerticesById(List<String> ids, ReadView view, ElementVisitor visitor) {
    ServerParts parts = partsOf(ids);
    forEachPart(
        parts,
        (server, positions) -> {
          List<String> part = positions == null ? ids : parts.part(ids, server);
          readAll(
              server,
              from -> new Request.FindVertices(part, view, from.index()),
              positions,
              visitor);
        });
  }

  private ServerParts partsOf(List<String> ids) {
    return ServerParts.of(router.servers(), ids.size(), position -> router.home(ids.get(position)));
  }

  public void edgesById(List<String> ids, ReadView view, ElementVisitor visitor) {
    inParts(ids, (some, first) -> someEdgesById(some, view, from(first, visitor)));
  }

  private void someEdgesById(List<String> ids, ReadView view, ElementVisitor visitor) {
    if (router.servers() == 1) {
      readAll(0, from -> new Request.FindEdges(ids, view, from.index()), null, visitor);
      return;
    }
    // An edge lies with an entry of its source, its id where the id leads. At most one edge of an
    // id is seen.
    List<byte[]> rows = idRows(ids, true);
    List<EdgeKey> keys = new ArrayList<>();
    List<Integer> positions = new ArrayList<>();
    for (int position = 0; position < rows.size(); position++) {
      for (EdgeKey key : edgeKeys(rows.get(position))) {
        keys.add(key);
        positions.add(position);
      }
    }
    edges(
        keys, view, Detail.PROPERTIES, (page, e, i) -> visitor.element(page, e, positions.get(i)));
  }

  public void edges(List<EdgeKey> keys, ReadView view, Detail detail, ElementVisitor visitor) {
    inParts(keys, (some, first) -> edges(some, view, detail, from(first, visitor), ATTEMPTS));
  }

  /** Asks where the edges are, as far as is known, and learns where they are if it was wrong. */
  private void edges(
      List<EdgeKey> keys, ReadView view, Detail detail, ElementVisitor visitor, int attempts) {
    BitSet misplaced = new BitSet();
    ServerParts parts =
        ServerParts.of(router.servers(), keys.size(), position -> server(keys.get(position), view));
    forEachPart(
        parts,
        (server, positions) -> {
          List<EdgeKey> part = positions == null ? keys : parts.part(keys, server);
          try {
            readAll(
                server,
                from -> new Request.ReadEdges(part, view, detail, from.index()),
                positions,
                visitor);
          } catch (GraphMetaException e) {
            if (e.code() != ErrorCode.MISPLACED || attempts == 1) {
              throw e;
            }
            // A server refuses a batch before it answers any of it.
            for (int i = 0; i < part.size(); i++) {
              misplaced.set(positions == null ? i : positions[i]);
            }
          }
        });
    if (!misplaced.isEmpty()) {
      int[] at = misplaced.stream().toArray();
      List<EdgeKey> again = Arrays.stream(at).mapToObj(keys::get).toList();
      router.learnSplits(again.stream().map(EdgeKey::out).collect(Collectors.toSet()), true);
      edges(again, view, detail, (page, e, i) -> visitor.element(page, e, at[i]), attempts - 1);
    }
  }

  private int server(EdgeKey key, ReadView view) {
    return router.entryServer(key.out(), true, key.in(), view.snapshot());
  }

  /** Every edge that a vertex ever had, as known at the view; a loop comes twice. */
  public void edgesEver(long vertex, ReadView view, Consumer<EdgeKey> visitor) {
    for (boolean outgoing : new boolean[] {true, false}) {
      FrontierStream.Edges all =
          new FrontierStream.Edges(outgoing, new int[0], view, Detail.BODIES);
      FrontierStream stored = new FrontierStream(router, new long[] {vertex}, all);
      while (stored.next()) {
        visitor.accept(RecordDecoder.edgeKey(stored.page(), stored.element(), outgoing));
      }
    }
  }

  /**
   * All vertices that an id was given to, oldest first. Some may be of transactions that are not
   * committed, or not seen by a snapshot.
   */
  public long[] incarnations(String id) {
    return vertexKeys(idRows(List.of(id), false).get(0));
  }

  /** The keys that ids lead to, generated ones and others, without a look at the vertices. */
  public long[] vertexKeys(List<String> ids) {
    List<byte[]> rows =
        idRows(ids.stream().filter(id -> !GeneratedIds.isReserved(id)).toList(), false);
    Iterator<byte[]> given = rows.iterator();
    long[] keys = new long[ids.size()];
    int count = 0;
    for (String id : ids) {
      long[] leading =
          GeneratedIds.isReserved(id)
              ? new long[] {GeneratedIds.parseVertex(id)}
              : vertexKeys(given.next());
      for (long key : leading) {
        if (count == keys.length) {
          keys = Arrays.copyOf(keys, 2 * count);
        }
        keys[count] = key;
        count += key == 0 ? 0 : 1;
      }
    }
    return Arrays.copyOf(keys, count);
  }

  private static long[] vertexKeys(byte[] stored) {
    long[] keys = new long[stored.length / 8];
    Arrays.setAll(keys, i -> BigEndian.getLong(stored, i * 8));
    return keys;
  }

  /** As {@link #incarnations}, of edges. */
  public List<EdgeKey> edgeIncarnations(String id) {
    return edgeKeys(idRows(List.of(id), true).get(0));
  }

  private static List<EdgeKey> edgeKeys(byte[] stored) {
    List<EdgeKey> keys = new ArrayList<>();
    for (int at = 0; at < stored.length; at += RowKeys.EDGE_KEY_BYTES) {
      keys.add(RowKeys.edgeKey(stored, at));
    }
    return keys;
  }

  private List<byte[]> idRows(List<String> ids, boolean edges) {
    byte[][] found = new byte[ids.size()][];
    inParts(ids, (some, first) -> someIdRows(some, edges, first, found));
    return List.of(found);
  }

  private void someIdRows(List<String> ids, boolean edges, int first, byte[][] found) {
    ServerParts parts = partsOf(ids);
    forEachPart(
        parts,
        (server, positions) -> {
          List<String> part = positions == null ? ids : parts.part(ids, server);
          int at = 0;
          while (at < part.size()) {
            Request request = new Request.Incarnations(part, edges, at);
            for (byte[] value : router.call(server, request, Response.Rows.class).values()) {
              found[first + (positions == null ? at : positions[at])] = value;
              at++;
            }
          }
        });
  }
}
