package io.graphmeta.engine;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.VertexKeys;
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

/**
 * Counts what lies where, of what a view sees, as of the splits that its reader's snapshot knows.
 * Belongs to one thread.
 */
final class PlacementProbe {
  private final Router router;
  private final ReadView view;

  PlacementProbe(Router router, ReadView view) {
    this.router = router;
    this.view = view;
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
      Response.RowSizes page = measure(shard, outgoing ? Family.OUT : Family.IN, from, vertex, 1);
      for (SideSize side : page.sides()) {
        entries += side.entries();
      }
      from = page.next();
    }
    return entries;
  }

  /** A page of the rows of a family up to a vertex. */
  Response.RowSizes measure(
      int shard, Family family, Position from, long lastVertex, long atLeast) {
    return router.call(
        shard,
        new Request.MeasureRows(family, view, from, lastVertex, atLeast),
        Response.RowSizes.class);
  }
}
