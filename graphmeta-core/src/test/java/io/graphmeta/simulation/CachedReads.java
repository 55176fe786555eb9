package io.graphmeta.simulation;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.rows.PageReader;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.StorageEngine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whatever clients read is read from the cache and from the store, and must be the same; what they
 * expand is read from the cache of neighbours too.
 */
final class CachedReads {
  private static final int PAGE_BYTES = 1 << 20;

  /** What tells of edges that have ended, too, which the cache of neighbours does not have. */
  private static final Set<Detail> ENDED_TOO = EnumSet.of(Detail.BODIES, Detail.HISTORY);

  private CachedReads() {}

  static void requireAgreement(
      int number, EntryPlaces places, Shard shard, StorageEngine storage, Request asked) {
    if (from(asked, Position.START) == null) {
      return;
    }
    if (!shard.handle(new Call(Simulation.EPOCH, 1000, asked)).isDone()) {
      return; // of a snapshot that an earlier run gave, and that is not resolved again yet
    }
    SplitTable splits = new SplitTable(number, places, storage);
    PageReader stored =
        new PageReader(storage, splits, new AdjacencyCache(storage, splits, 0), PAGE_BYTES);
    List<String> expected;
    try {
      expected = elements(asked, request -> page(stored, request));
    } catch (GraphMetaException e) {
      return; // of an entry that is elsewhere, or of a snapshot from before the newest split
    }
    requireSame(
        number,
        asked,
        expected,
        elements(
            asked,
            request ->
                ((Response.Elements) shard.handle(new Call(Simulation.EPOCH, 1000, request)).join())
                    .page()));
    if (asked instanceof Request.Expand expand && !ENDED_TOO.contains(expand.detail())) {
      requireSame(number, asked, neighbours(stored, expand), neighbours(shard, expand));
    }
  }

  private static void requireSame(
      int shard, Request asked, List<String> stored, List<String> cached) {
    if (!stored.equals(cached)) {
      throw new Violation(
          Invariant.SNAPSHOT_READS,
          "s" + shard,
          "The cache of shard %d has %s for %s; the store has %s"
              .formatted(shard, cached, asked, stored));
    }
  }

  private static ElementPage page(PageReader reads, Request request) {
    if (request instanceof Request.Expand expand) {
      return reads.expand(expand);
    } else if (request instanceof Request.FindVertices find) {
      return reads.findVertices(find);
    } else if (request instanceof Request.FindEdges find) {
      return reads.findEdges(find);
    } else if (request instanceof Request.ReadVertices read) {
      return reads.readVertices(read);
    }
    return reads.readEdges((Request.ReadEdges) request);
  }

  /** The same read from another position on, or null if it is none of these reads. */
  private static @Nullable Request from(Request asked, Position at) {
    if (asked instanceof Request.Expand all) {
      return new Request.Expand(
          all.frontier(),
          all.outgoing(),
          all.labelIds(),
          all.view(),
          all.detail(),
          at,
          all.partOnly());
    } else if (asked instanceof Request.ReadVertices all) {
      return new Request.ReadVertices(all.keys(), all.view(), all.detail(), at.index());
    } else if (asked instanceof Request.ReadEdges all) {
      return new Request.ReadEdges(all.keys(), all.view(), all.detail(), at.index());
    }
    return asked instanceof Request.FindVertices || asked instanceof Request.FindEdges
        ? asked
        : null;
  }

  private static List<String> elements(Request asked, Function<Request, ElementPage> read) {
    List<String> found = new ArrayList<>();
    Request next = from(asked, Position.START);
    while (next != null) {
      ElementPage page = read.apply(next);
      for (int e = 0; e < page.elements(); e++) {
        StringBuilder text = new StringBuilder();
        text.append(page.source(e)).append(':').append(page.owner(e));
        for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
          text.append(' ').append(page.propertyKey(row)).append('.').append(page.valueId(row));
          text.append('@').append(page.valid(row)).append('/').append(page.committed(row));
          text.append(
              Arrays.toString(
                  Arrays.copyOfRange(page.data(), page.valueStart(row), page.valueEnd(row))));
        }
        found.add(text.toString());
      }
      Position at = page.next();
      next = at == null ? null : from(asked, at);
    }
    return found;
  }

  private static List<String> neighbours(PageReader stored, Request.Expand asked) {
    List<String> found = new ArrayList<>();
    Request next = from(asked, Position.START);
    while (next instanceof Request.Expand expand) {
      ElementPage page = stored.expand(expand);
      for (int e = 0; e < page.elements(); e++) {
        found.add(page.source(e) + ":" + page.label(e) + ":" + page.other(e));
      }
      Position at = page.next();
      next = at == null ? null : from(asked, at);
    }
    found.sort(null);
    return found;
  }

  private static List<String> neighbours(Shard shard, Request.Expand asked) {
    List<String> found = new ArrayList<>();
    try (AdjacencyReader reader = shard.adjacency().reader()) {
      reader.read(
          asked.frontier(),
          0,
          asked.frontier().length,
          new NeighbourQuery(asked.outgoing(), asked.labelIds(), asked.view()),
          (index, label, others, from, to) -> {
            for (int i = from; i < to; i++) {
              found.add(index + ":" + label + ":" + others[i]);
            }
            return true;
          });
    }
    found.sort(null);
    return found;
  }
}
