package io.graphmeta.tx;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads of committed elements in batches, without servers and pages showing. Safe for use by many
 * threads.
 */
final class StoredReads {
  private final Router router;

  StoredReads(Router router) {
    this.router = router;
  }

  /** Receives the elements that a view sees, with their positions in the request. */
  @FunctionalInterface
  interface ElementVisitor {
    void element(ElementPage page, int e, int position);
  }

  void vertices(long[] keys, ReadView view, Detail detail, ElementVisitor visitor) {
    for (int from = 0; from < keys.length; ) {
      int end = router.endOfRun(keys, from);
      long[] run = from == 0 && end == keys.length ? keys : Arrays.copyOfRange(keys, from, end);
      int server = router.home(keys[from]);
      int next = 0;
      do {
        ElementPage page =
            router.call(
                server, new Request.ReadVertices(run, view, detail, next), ElementPage.class);
        visit(page, from, visitor);
        next = page.next() == null ? run.length : page.next().index();
      } while (next < run.length);
      from = end;
    }
  }

  void verticesById(List<String> ids, ReadView view, ElementVisitor visitor) {
    if (router.servers() == 1) {
      visit(router.call(0, new Request.FindVertices(ids, view), ElementPage.class), 0, visitor);
      return;
    }
    for (int i = 0; i < ids.size(); i++) {
      Request find = new Request.FindVertices(List.of(ids.get(i)), view);
      visit(router.call(router.home(ids.get(i)), find, ElementPage.class), i, visitor);
    }
  }

  void edgesById(List<String> ids, ReadView view, ElementVisitor visitor) {
    for (int i = 0; i < ids.size(); i++) {
      Request find = new Request.FindEdges(List.of(ids.get(i)), view);
      visit(router.call(router.home(ids.get(i)), find, ElementPage.class), i, visitor);
    }
  }

  void edges(List<EdgeKey> keys, ReadView view, Detail detail, ElementVisitor visitor) {
    long[] owners = keys.stream().mapToLong(EdgeKey::out).toArray();
    for (int from = 0; from < owners.length; ) {
      int end = router.endOfRun(owners, from);
      List<EdgeKey> run = keys.subList(from, end);
      int next = 0;
      do {
        Request read = new Request.ReadEdges(run, view, detail, next);
        ElementPage page = router.call(router.home(owners[from]), read, ElementPage.class);
        visit(page, from, visitor);
        next = page.next() == null ? run.size() : page.next().index();
      } while (next < run.size());
      from = end;
    }
  }

  private static void visit(ElementPage page, int offset, ElementVisitor visitor) {
    for (int e = 0; e < page.elements(); e++) {
      visitor.element(page, e, offset + page.source(e));
    }
  }

  /** Every edge that a vertex ever had, as known at the view; a loop comes twice. */
  void edgesEver(long vertex, ReadView view, Consumer<EdgeKey> visitor) {
    for (boolean outgoing : new boolean[] {true, false}) {
      Position next = Position.START;
      while (next != null) {
        Request expand =
            new Request.Expand(
                new long[] {vertex}, outgoing, new int[0], view, Detail.BODIES, next);
        ElementPage page = router.call(router.home(vertex), expand, ElementPage.class);
        for (int e = 0; e < page.elements(); e++) {
          visitor.accept(RecordDecoder.edgeKey(page, e, outgoing));
        }
        next = page.next();
      }
    }
  }

  /** All vertices that an id was ever given to, oldest first. */
  long[] incarnations(String id) {
    byte[] stored = idRow(id, false);
    long[] keys = new long[stored.length / 8];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = BigEndian.getLong(stored, i * 8);
    }
    return keys;
  }

  /** All edges that an id was ever given to, oldest first. */
  List<EdgeKey> edgeIncarnations(String id) {
    byte[] stored = idRow(id, true);
    List<EdgeKey> keys = new ArrayList<>();
    for (int at = 0; at < stored.length; at += RowKeys.EDGE_KEY_BYTES) {
      keys.add(RowKeys.edgeKey(stored, at));
    }
    return keys;
  }

  private byte[] idRow(String id, boolean edges) {
    Request request = new Request.Incarnations(List.of(id), edges);
    return router.call(router.home(id), request, Response.Rows.class).values()[0];
  }
}
