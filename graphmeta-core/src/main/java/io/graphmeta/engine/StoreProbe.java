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
import io.graphmeta.schema.NameKind;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads what the shards of a database have stored, for a check: raw rows of one shard, and the
 * elements that a view sees, each batch cut by shard and answered page by page. Unlike the reads of
 * transactions it says where a row lies, and asks the homes of vertices where entries belong before
 * it reads them. Belongs to one thread.
 *
 * <p>Of what lies on a shard that is away nothing is known; an answer says so, or leaves it out.
 */
final class StoreProbe {
  private static final int MAX_ATTEMPTS = 16;

  private final Router router;
  private final AnsweringShards shards;

  StoreProbe(Router router) {
    this.router = router;
    this.shards = new AnsweringShards(router);
  }

  /** Receives the elements of a page. */
  @FunctionalInterface
  interface PageVisitor {
    void page(ElementPage page);
  }

  /** Why shards could not be asked for all, in words that name them. */
  List<String> away() {
    return shards.away().entrySet().stream()
        .map(shard -> "shard " + shard.getKey() + ": " + shard.getValue())
        .toList();
  }

  /** Whether a shard is away, so that nothing is known of what lies there. */
  boolean isAway(int shard) {
    return shards.isAway(shard);
  }

  /** An answer of a shard; null if it is away. */
  <R extends Response> @Nullable R ask(int shard, Request request, Class<R> type) {
    return shards.ask(shard, request, type);
  }

  /** Whether a name is defined, or the shard that has the names is away. */
  boolean mayBeDefined(NameKind kind, int id) {
    try {
      return router.schemaWith(kind, id).has(kind, id);
    } catch (GraphMetaException e) {
      if (e.code().isAway()) {
        return true;
      }
      throw e;
    }
  }

  /** All raw rows of a family on one shard, page by page; null if it is away. */
  Response.@Nullable Rows rows(int shard, Family family, Position from) {
    return ask(shard, new Request.ScanRows(family, from), Response.Rows.class);
  }

  /** The values of rows of one shard, empty for those that are not there; null if it is away. */
  byte @Nullable [][] values(int shard, Family family, List<byte[]> keys) {
    Request probe = new Request.ProbeRows(family, keys.toArray(new byte[0][]));
    Response.Rows rows = ask(shard, probe, Response.Rows.class);
    return rows == null ? null : rows.values();
  }

  /**
   * The value of a row of OUT or IN where its entry is now, empty if it is not there, null if that
   * cannot be known. What a check saw elsewhere may have been moved meanwhile, and be kept there no
   * longer.
   */
  byte @Nullable [] valueNow(Family family, byte[] key) {
    EdgeKey edge = edgeOf(key, family == Family.OUT);
    int place = -1;
    byte[] value = {};
    while (value.length == 0) {
      learnPlaces(List.of(edge));
      if (!knowsPlace(edge, family == Family.OUT)) {
        return null;
      }
      int now =
          family == Family.OUT
              ? router.entryShard(edge.out(), true, edge.in())
              : router.entryShard(edge.in(), false, edge.out());
      if (now == place) {
        return value;
      }
      place = now;
      byte[][] values = values(place, family, List.of(key));
      if (values == null) {
        return null;
      }
      value = values[0];
    }
    return value;
  }

  /**
   * What the rows of ids hold, empty for those that are not there; those on shards that are away
   * are left out.
   */
  Map<String, byte[]> idRows(Collection<String> ids, boolean edges) {
    Map<String, byte[]> found = new LinkedHashMap<>();
    byShard(new HashSet<>(ids), router::home)
        .forEach(
            (shard, some) -> {
              int at = 0;
              while (at < some.size()) {
                Response.Rows rows =
                    ask(shard, new Request.Incarnations(some, edges, at), Response.Rows.class);
                if (rows == null) {
                  return;
                }
                for (byte[] value : rows.values()) {
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
      left.removeIf(edge -> !knowsPlace(edge, true));
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
      learnSplits(edges.stream().map(EdgeKey::out).collect(Collectors.toSet()), true);
      learnSplits(edges.stream().map(EdgeKey::in).collect(Collectors.toSet()), false);
    }
  }

  private void learnSplits(Set<Long> vertices, boolean outgoing) {
    byShard(vertices, key -> router.home(key))
        .forEach(
            (shard, some) ->
                shards.ask(
                    shard,
                    () -> {
                      router.learnSplits(some, outgoing);
                      return true;
                    }));
  }

  /** Whether it was learned where the entry of an edge is at one of its ends. */
  boolean knowsPlace(EdgeKey edge, boolean out) {
    return !isAway(router.home(out ? edge.out() : edge.in()));
  }

  /** The shard of the entry of an edge at one of its ends, by what was learned. */
  int entryShard(EdgeKey edge, boolean out, ReadView view) {
    return out
        ? router.entryShard(edge.out(), true, edge.in(), view.snapshot())
        : router.entryShard(edge.in(), false, edge.out(), view.snapshot());
  }

  /** Calls the visitor for every page of an answer; for no more once the shard is away. */
  void pages(int shard, Function<Position, Request> request, PageVisitor visitor) {
    Position next = Position.START;
    while (next != null) {
      Response.Elements answer = ask(shard, request.apply(next), Response.Elements.class);
      if (answer == null) {
        return;
      }
      visitor.page(answer.page());
      next = answer.page().next();
    }
  }

  /** The edge of a row of OUT or IN, both of which begin as the bytes of an edge key do. */
  static EdgeKey edgeOf(byte[] key, boolean out) {
    EdgeKey entry = RowKeys.edgeKey(key, 0);
    return out ? entry : new EdgeKey(entry.in(), entry.labelId(), entry.out(), entry.sequence());
  }

  /** Those of some vertices that a view sees, or of which nothing can be known. */
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
    keys.stream().filter(key -> isAway(router.home(key))).forEach(seen::add);
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
