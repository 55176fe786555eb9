package io.graphmeta.reads;

import static java.util.Objects.requireNonNull;

import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.router.Router;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stored edges of a frontier in one direction, in the order of the frontier, those of a vertex
 * in the order of their keys (label, vertex at the other end, sequence), wherever they lie.
 *
 * <p>A home is asked for its whole part of the frontier when the first vertex of that part is due,
 * and answers in order. The first page with a vertex that is split also names the other shards that
 * hold edges of the vertex (referrals). When the edges of the first such vertex are due, all those
 * shards are asked at the same time, each for all vertices that the homes have referred to it so
 * far: a batch for each shard. So the pages in memory are one of each home and one of each batch
 * that has not ended; a page of a home begins one batch for each shard at most. Belongs to one
 * thread.
 */
final class FrontierStream {
  private final Router router;
  private final long[] frontier;
  private final Edges edges;
  private final ShardParts parts;
  private final @Nullable Head[] homes;
  private final List<Head> batches = new ArrayList<>();

  /** Positions of split vertices whose edges on other shards have not been asked for. */
  private final BitSet referred = new BitSet();

  private final Map<Integer, TreeSet<Integer>> referredTo = new TreeMap<>();
  private @Nullable Head current;
  private int index;

  FrontierStream(Router router, long[] frontier, Edges edges) {
    this.router = router;
    this.frontier = frontier;
    this.edges = edges;
    this.parts = ShardParts.of(router.shards(), frontier.length, i -> router.home(frontier[i]));
    this.homes = new Head[router.shards()];
  }

  /**
   * What is wanted of the edges.
   *
   * @param labelIds of the labels, in rising order; empty for all
   */
  record Edges(boolean outgoing, int[] labelIds, ReadView view, Detail detail) {
    Request.Expand of(long[] part, Position from, boolean partOnly) {
      return new Request.Expand(part, outgoing, labelIds, view, detail, from, partOnly);
    }
  }

  /** A shard's answer on some vertices, and which of them it is at. */
  private final class Head {
    final int @Nullable [] positions;
    final PageStream stream;
    int at;

    Head(int shard, int @Nullable [] positions, long[] part, boolean partOnly) {
      this.positions = positions;
      this.stream =
          new PageStream(router, shard, from -> edges.of(part, from, partOnly), this::received);
    }

    int position(int source) {
      return positions == null ? source : positions[source];
    }

    void advance() {
      at = stream.next() ? position(stream.page().source(stream.element())) : frontier.length;
    }

    private void received(ElementPage page) {
      ReadGauge.requireRoom(page);
      refer(page);
    }

    private void refer(ElementPage page) {
      for (int referral = 0; referral < page.referrals(); referral++) {
        int position = position(page.referredSource(referral));
        referred.set(position);
        referredTo
            .computeIfAbsent(page.referredShard(referral), any -> new TreeSet<>())
            .add(position);
      }
    }

    boolean isBefore(Head other) {
      ElementPage page = stream.page();
      ElementPage otherPage = other.stream.page();
      return page.compareEdges(stream.element(), otherPage, other.stream.element()) < 0;
    }
  }

  /** Moves to the next element; false at the end, and ever after. */
  boolean next() {
    if (current != null) {
      current.advance();
      current = null;
    }
    while (index < frontier.length) {
      Head first = home(index);
      if (referred.get(index)) {
        askOthers();
      }
      for (Head batch : batches) {
        if (batch.at == index && (first.at != index || batch.isBefore(first))) {
          first = batch;
        }
      }
      if (first.at == index) {
        current = first;
        return true;
      }
      batches.removeIf(batch -> batch.at == frontier.length);
      // With nothing on other shards, what the only home is at is what comes next.
      index = parts.only() >= 0 && referred.isEmpty() && batches.isEmpty() ? first.at : index + 1;
    }
    return false;
  }

  private Head home(int position) {
    int shard = parts.only() >= 0 ? parts.only() : router.home(frontier[position]);
    Head home = homes[shard];
    if (home == null) {
      home =
          parts.only() >= 0
              ? new Head(shard, null, frontier, false)
              : new Head(shard, parts.positions(shard), parts.part(frontier, shard), false);
      homes[shard] = home;
      home.advance();
    }
    return home;
  }

  private void askOthers() {
    int first = batches.size();
    referredTo.forEach(
        (shard, those) -> {
          int[] positions = those.stream().mapToInt(Integer::intValue).toArray();
          long[] part = those.stream().mapToLong(position -> frontier[position]).toArray();
          Head batch = new Head(shard, positions, part, true);
          batch.stream.ask();
          batches.add(batch);
        });
    referred.clear();
    referredTo.clear();
    batches.subList(first, batches.size()).forEach(Head::advance);
  }

  /** The position in the frontier that the element belongs to. */
  int index() {
    return index;
  }

  /** The page of the element. Only after a move that returned true. */
  ElementPage page() {
    return requireNonNull(current).stream.page();
  }

  /** The element's number in its page. */
  int element() {
    return requireNonNull(current).stream.element();
  }
}
