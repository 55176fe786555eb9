package io.graphmeta.reads;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Shards without storage that hold lists of elements and answer scans and expansions with pages of
 * a few elements each. The first virtual nodes have the shards of their own numbers.
 */
final class PagedShards implements Transport {
  /** An element; the label is 0 for a vertex. */
  record Element(long owner, int label, long other, long sequence) {
    /** The order of keys. */
    static final Comparator<Element> ORDER =
        Comparator.comparing(Element::owner, Long::compareUnsigned)
            .thenComparing(Element::label)
            .thenComparing(Element::other, Long::compareUnsigned)
            .thenComparing(Element::sequence);

    static Element at(ElementPage page, int e, boolean edge) {
      return edge
          ? new Element(page.owner(e), page.label(e), page.other(e), page.sequence(e))
          : new Element(page.owner(e), 0, 0, 0);
    }
  }

  private static final int VIRTUAL_NODES = 16;

  private final List<List<Element>> stored = new ArrayList<>();
  private final int[] requests;
  private final int pageElements;
  private Router router;

  PagedShards(int shards, int pageElements) {
    this.requests = new int[shards];
    this.pageElements = pageElements;
    IntStream.range(0, shards).forEach(shard -> stored.add(new ArrayList<>()));
  }

  /** A client of these shards. */
  Router router() {
    if (router == null) {
      HybridClock clock = new HybridClock(InstantSource.system(), 0, 1_000_000);
      VirtualNodeMap map = VirtualNodeMap.roundRobin(1, VIRTUAL_NODES, stored.size());
      router = new Router(this, map, Placements.DIDO, clock, 1000, 1);
    }
    return router;
  }

  /** The elements of a shard, in the order of their keys. */
  List<Element> on(int shard) {
    return stored.get(shard);
  }

  /** How many requests for elements a shard has had. */
  int requests(int shard) {
    return requests[shard];
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    if (call.request() instanceof Request.ReadSchema) {
      return CompletableFuture.completedFuture(new Response.Schema(SchemaImage.EMPTY));
    }
    requests[shard]++;
    ElementPage page;
    if (call.request() instanceof Request.ScanVertices scan) {
      page = scan(shard, scan.from().index(), false);
    } else if (call.request() instanceof Request.ScanEdges scan) {
      page = scan(shard, scan.from().index(), true);
    } else {
      page = expand(shard, (Request.Expand) call.request());
    }
    return CompletableFuture.completedFuture(new Response.Elements(page));
  }

  private ElementPage scan(int shard, int from, boolean edges) {
    List<Element> all = stored.get(shard);
    int to = Math.min(all.size(), from + pageElements);
    ElementPage.Builder page = new ElementPage.Builder(to - from, edges);
    all.subList(from, to).forEach(element -> add(page, 0, element, edges));
    return page.build(to == all.size() ? null : new Position(to, new byte[0]));
  }

  private static void add(ElementPage.Builder page, int source, Element element, boolean edge) {
    if (edge) {
      page.beginEdge(source, element.owner, element.label, element.other, element.sequence);
    } else {
      page.beginVertex(source, element.owner);
    }
    page.addRow(0, 0, 1, 1, new byte[1], 1);
  }

  /** The edges of the vertices asked for; their home refers to the other shards that have some. */
  private ElementPage expand(int shard, Request.Expand asked) {
    ElementPage.Builder page = new ElementPage.Builder(pageElements, true);
    int at = 0;
    int added = 0;
    for (int source = 0; source < asked.frontier().length; source++) {
      long vertex = asked.frontier()[source];
      if (at >= asked.from().index() && !asked.partOnly()) {
        for (int other = 0; other < stored.size(); other++) {
          boolean holds = stored.get(other).stream().anyMatch(edge -> edge.owner == vertex);
          if (other != VertexKeys.virtualNode(vertex) && holds) {
            page.refer(source, other);
          }
        }
      }
      at++; // a vertex is a place to go on, too: the referrals of each come once
      for (Element edge : stored.get(shard)) {
        if (edge.owner == vertex) {
          if (at++ >= asked.from().index()) {
            add(page, source, edge, true);
            added++;
          }
          if (added == pageElements) {
            return page.build(new Position(at, new byte[0]));
          }
        }
      }
    }
    return page.build(null);
  }
}
