package io.graphmeta.engine;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.SplitState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.SideSize;
import io.graphmeta.router.Router;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts what lies where, of what a view sees, as of the splits that its reader's snapshot knows.
 * What lies on shards that are away can be left out. Belongs to one thread.
 */
final class PlacementProbe {
  private static final long ALL_VERTICES = -1; // the greatest unsigned number

  private final Router router;
  private final ReadView view;
  private final AnsweringShards shards;

  PlacementProbe(Router router, ReadView view) {
    this.router = router;
    this.view = view;
    this.shards = new AnsweringShards(router);
  }

  /** Where a vertex and its edges lie now, with splits that were committed a moment ago. */
  static VertexPlacement ofNow(Router router, long vertex) {
    for (boolean outgoing : new boolean[] {true, false}) {
      router.saw(splits(router, vertex, outgoing).newest());
    }
    return new PlacementProbe(router, ReadView.at(router.snapshot())).vertex(vertex);
  }

  /** Where vertices and their edges lie, in the order that they are given in. */
  List<VertexPlacement> vertices(Collection<Long> vertices) {
    return vertices.stream().map(this::vertex).toList();
  }

  /**
   * As {@link #vertices}, without what lies on shards that are away: vertices at home there, and
   * partitions of others.
   */
  List<VertexPlacement> verticesThatAnswer(Collection<Long> vertices) {
    return vertices.stream()
        .filter(vertex -> !isHomeAway(vertex))
        .flatMap(vertex -> answering(vertex).stream())
        .toList();
  }

  private Optional<VertexPlacement> answering(long vertex) {
    try {
      return Optional.of(vertex(vertex));
    } catch (GraphMetaException e) {
      if (!e.code().isAway()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  /** Whether a vertex is at home on a shard that was away. */
  boolean isHomeAway(long vertex) {
    return shards.isAway(router.home(vertex));
  }

  /** Shards that were away when they were measured, and why in words. */
  Map<Integer, String> away() {
    return shards.away();
  }

  private VertexPlacement vertex(long vertex) {
    return new VertexPlacement(
        vertex,
        VertexKeys.virtualNode(vertex),
        router.home(vertex),
        partitions(vertex, true),
        partitions(vertex, false));
  }

  private static SplitState splits(Router router, long vertex, boolean outgoing) {
    Request read = new Request.ReadSplits(new long[] {vertex}, outgoing);
    return router.call(router.home(vertex), read, Response.Splits.class).states().get(0);
  }

  private List<VertexPlacement.Partition> partitions(long vertex, boolean outgoing) {
    SplitState state = splits(router, vertex, outgoing).at(view.snapshot());
    List<VertexPlacement.Partition> partitions = new ArrayList<>();
    for (int i = 0; i < state.size(); i++) {
      int shard = router.places().holder(vertex, state.partition(i));
      if (shards.isAway(shard)) {
        continue;
      }
      partitions.add(
          new VertexPlacement.Partition(
              state.partition(i), shard, state.since(i), entries(shard, vertex, outgoing)));
    }
    return partitions;
  }

  private long entries(int shard, long vertex, boolean outgoing) {
    byte[] start = new byte[Family.VERTEX_PREFIX_BYTES];
    BigEndian.putLong(start, 0, vertex);
    long entries = 0;
    Position from = new Position(0, start);
    while (from != null) {
      Response.RowSizes page =
          router.call(
              shard,
              new Request.MeasureRows(outgoing ? Family.OUT : Family.IN, view, from, vertex, 1),
              Response.RowSizes.class);
      for (SideSize side : page.sides()) {
        entries += side.entries();
      }
      from = page.next();
    }
    return entries;
  }

  /** A page of the rows of a family; null if the shard is away. */
  Response.@Nullable RowSizes measure(int shard, Family family, Position from, long atLeast) {
    return shards.ask(
        shard,
        new Request.MeasureRows(family, view, from, ALL_VERTICES, atLeast),
        Response.RowSizes.class);
  }
}
