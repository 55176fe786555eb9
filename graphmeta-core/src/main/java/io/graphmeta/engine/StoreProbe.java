package io.graphmeta.engine;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Reads what the shards of a database have stored, for a check: raw rows of one shard, and the
 * elements that a view sees, each batch cut by shard and answered page by page. Unlike the reads of
 * transactions it says where a row lies, and asks the homes of vertices where entries belong before
 * it reads them. Belongs to one thread.
 */
final class StoreProbe {
  private static final int MAX_ATTEMPTS = 16;

  private final Router router;

  StoreProbe(Router router) {
    this.router = router;
  }

  /** Receives the elements of a page. */
  @FunctionalInterface
  interface PageVisitor {
    void page(ElementPage page);
  }

  /** All raw rows of a family on one shard, page by page. */
  Response.Rows rows(int shard, Family family, Position from) {
    return router.call(shard, new Request.ScanRows(family, from), Response.Rows.class);
  }

  /** The values of rows of one shard, empty for those that are not there. */
  byte[][] values(int shard, Family family, List<byte[]> keys) {
    Request probe = new Request.ProbeRows(family, keys.toArray(new byte[0][]));
    return router.call(shard, probe, Response.Rows.class).values();
  }

  /**
   * The value of a row of OUT or IN where its entry is now, empty if it is not there. What a check
   * saw elsewhere may have been moved meanwhile, and be kept there no longer.
   */
  byte[] valueNow(Family family, byte[] key) {
    EdgeKey edge = edgeOf(key, family == Family.OUT);
    int place = -1;
    byte[] value = {};
    while (value.length == 0) {
      learnPlaces(List.of(edge));
      int now =
          family == Family.OUT
              ? router.entryShard(edge.out(), true, edge.in())
              : router.entryShard(edge.in(), false, edge.out());
      if (now == place) {
        return value;
      }
      place = now;
      value = values(place, family, List.of(key))[0];
    }
    return value;
  }

  /** What the rows of ids hold, empty for those that are not there. */
  Map<String, byte[]> idRows(Collection<String> ids, boolean edges) {
    Map<String, byte[]> found = new LinkedHashMap<>();
    byShard(new HashSet<>(ids), router::home)
        .forEach(
            (shard, some) -> {
              int at = 0;
              while (at < some.size()) {
                Request request = new Request.Incarnations(some, edges, at);
                for (byte[] value : router.call(shard, request, Response.Rows.class).values()) {
                  found.put(some.get(at++), value);
                }
              }
            });
    return found;
  }

  /** Calls the visitor for those of some vertices that a view sees. */
  void vertices(Collection<Long> keys, ReadView view, Detail detail, PageVisitor visitor) {
    byShard(new HashSet<>(keys), key -> router.home(key))
        .forEach(
            (shard, some) -> {
              long[] wanted = some.stream().mapToLong(Long::longValue).toArray();
              pages(
                  shard,
                  from -> new Request.ReadVertices(wanted, view, detail, from.index()),
                  visitor);
            });
  }

  /** Calls the visitor for those of some edges that a view sees. */
  void edges(Collection<EdgeKey> keys, ReadView view, Detail detail, PageVisitor visitor) {
    Set<EdgeKey> left = new HashSet<>(keys);
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      learnPlaces(left);
      try {
        for (Map.Entry<Integer, List<EdgeKey>> part :
            byShard(left, key -> entryShard(key, true, view)).entrySet()) {
          List<EdgeKey> some = part.getValue();
          List<ElementPage> pages = new ArrayList<>();
          pages(
              part.getKey(),
              from -> new Request.ReadEdges(some, view, detail, from.index()),
              pages::add);
          pages.forEach(visitor::page);
          some.forEach(left::remove);
        }
      } catch (GraphMetaException e) {
        // Some were moved after their places were asked for.
        if (e.code() != ErrorCode.MISPLACED || attempt == MAX_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Asks where the entries of edges are, at both their ends. */
  void learnPlaces(Collection<EdgeKey> edges) {
    if (router.shards() > 1) {
      router.learnSplits(edges.stream().map(EdgeKey::out).collect(Collectors.toSet()), true);
      router.learnSplits(edges.stream().map(EdgeKey::in).collect(Collectors.toSet()), false);
    }
  }

  /** The shard of the entry of an edge at one of its ends, by what was learned. */
  int entryShard(EdgeKey edge, boolean out, ReadView view) {
    return out
        ? router.entryShard(edge.out(), true, edge.in(), view.snapshot())
        : router.entryShard(edge.in(), false, edge.out(), view.snapshot());
  }

  /** Calls the visitor for every page of an answer. */
  void pages(int shard, Function<Position, Request> request, PageVisitor visitor) {
    Position next = Position.START;
    while (next != null) {
      ElementPage page = router.call(shard, request.apply(next), Response.Elements.class).page();
      visitor.page(page);
      next = page.next();
    }
  }

  /** The edge of a row of OUT or IN, both of which begin as the bytes of an edge key do. */
  static EdgeKey edgeOf(byte[] key, boolean out) {
    EdgeKey entry = RowKeys.edgeKey(key, 0);
    return out ? entry : new EdgeKey(entry.in(), entry.labelId(), entry.out(), entry.sequence());
  }

  /** Those of some vertices that a view sees. */
  Set<Long> seen(Collection<Long> keys, ReadView view, Detail detail) {
    Set<Long> seen = new HashSet<>();
    vertices(
        keys,
        view,
        detail,
        page -> {
          for (int e = 0; e < page.elements(); e++) {
            seen.add(page.owner(e));
          }
        });
    return seen;
  }

  private static <T> Map<Integer, List<T>> byShard(Set<T> all, ToIntFunction<T> home) {
    Map<Integer, List<T>> parts = new TreeMap<>();
    for (T each : all) {
      parts.computeIfAbsent(home.applyAsInt(each), shard -> new ArrayList<>()).add(each);
    }
    return parts;
  }
}
