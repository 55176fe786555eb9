package io.graphmeta.engine;

import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.SideSize;
import io.graphmeta.protocol.VirtualNodeSize;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Counts all rows of all shards, page by page; the shards count, and rows stay where they are.
 *
 * <p>The entries of a vertex can lie on several shards. Each tells its part, in the order of
 * vertices, so that the parts are added up in one pass with one page of each shard in memory. A
 * vertex whose entries are all on one shard is told only if it may be among the hottest. Belongs to
 * one thread.
 *
 * <p>Of a shard that is away the report says so; what it counts is what lies on the others.
 */
final class PlacementScan {
  private final VirtualNodeMap map;
  private final PlacementProbe probe;
  private final int most;
  private final LongConsumer progress;
  private final StoredSizes[] shards;
  private final StoredSizes[] virtualNodes;
  private final long[] keptRows;
  private final long[] keptBytes;
  private long rows;

  /**
   * A count of everything.
   *
   * @param most vertices to be told
   * @param progress is told the number of rows counted so far
   */
  PlacementScan(PlacementProbe probe, VirtualNodeMap map, int most, LongConsumer progress) {
    this.probe = probe;
    this.map = map;
    this.most = most;
    this.progress = progress;
    this.shards = new StoredSizes[map.shards()];
    this.virtualNodes = new StoredSizes[map.virtualNodes()];
    this.keptRows = new long[map.shards()];
    this.keptBytes = new long[map.shards()];
    Arrays.fill(shards, StoredSizes.NONE);
    Arrays.fill(virtualNodes, StoredSizes.NONE);
  }

  /** A vertex with a number of entries in one direction. */
  private record Side(long vertex, long entries) implements Comparable<Side> {
    @Override
    public int compareTo(Side other) {
      int byEntries = Long.compare(other.entries, entries);
      return byEntries != 0 ? byEntries : Long.compareUnsigned(vertex, other.vertex);
    }
  }

  PlacementReport run() {
    for (int shard = 0; shard < map.shards(); shard++) {
      Pages pages = new Pages(shard, Family.ATTRIBUTES);
      while (pages.hasNext()) {
        pages.read(1);
      }
    }
    TreeSet<Side> hottest = hottest(Family.OUT);
    hottest.addAll(hottest(Family.IN));
    Set<Long> vertices = new LinkedHashSet<>();
    for (Side side : hottest) {
      if (vertices.size() < most) {
        vertices.add(side.vertex());
      }
    }
    return new PlacementReport(
        IntStream.range(0, shards.length)
            .mapToObj(
                shard ->
                    new PlacementReport.Shard(
                        shard,
                        shards[shard],
                        keptRows[shard],
                        keptBytes[shard],
                        probe.away().getOrDefault(shard, "")))
            .toList(),
        IntStream.range(0, virtualNodes.length)
            .mapToObj(
                number ->
                    new PlacementReport.VirtualNode(
                        number, map.shard(number), virtualNodes[number]))
            .toList(),
        probe.verticesThatAnswer(vertices));
  }

  /** The pages of one shard, of which the last read is in memory. */
  private final class Pages {
    private final int shard;
    private final Family family;
    private @Nullable Position next = Position.START;
    private List<SideSize> sides = List.of();
    private int at;

    Pages(int shard, Family family) {
      this.shard = shard;
      this.family = family;
    }

    boolean hasNext() {
      return next != null;
    }

    void read(long atLeast) {
      Position from = next;
      if (from != null) {
        Response.RowSizes page = probe.measure(shard, family, from, atLeast);
        if (page == null) {
          next = null;
          return;
        }
        add(page);
        next = page.next();
        sides = page.sides();
        at = 0;
      }
    }

    private void add(Response.RowSizes page) {
      for (VirtualNodeSize size : page.virtualNodes()) {
        StoredSizes sizes = sizes(family, size);
        shards[shard] = shards[shard].plus(sizes);
        virtualNodes[size.virtualNode()] = virtualNodes[size.virtualNode()].plus(sizes);
        rows += size.rows();
      }
      keptRows[shard] += page.keptRows();
      keptBytes[shard] += page.keptBytes();
      rows += page.keptRows();
      progress.accept(rows);
    }

    /** The vertex that comes next; null at the end. */
    @Nullable SideSize head(long atLeast) {
      while (at == sides.size() && hasNext()) {
        read(atLeast);
      }
      return at < sides.size() ? sides.get(at) : null;
    }

    void pass() {
      at++;
    }
  }

  private static StoredSizes sizes(Family family, VirtualNodeSize size) {
    return new StoredSizes(
        family == Family.ATTRIBUTES ? size.elements() : 0,
        family == Family.OUT ? size.elements() : 0,
        family == Family.IN ? size.elements() : 0,
        size.rows(),
        size.bytes());
  }

  private TreeSet<Side> hottest(Family family) {
    TreeSet<Side> hottest = new TreeSet<>();
    List<Pages> all = new ArrayList<>();
    for (int shard = 0; shard < map.shards(); shard++) {
      all.add(new Pages(shard, family));
    }
    Long vertex = least(all, 1);
    while (vertex != null) {
      // Of as many entries, the vertex with the lesser key counts, and that has been there.
      long atLeast = hottest.size() < most ? 1 : hottest.last().entries() + 1;
      long entries = 0;
      for (Pages pages : all) {
        SideSize head = pages.head(atLeast);
        while (head != null && head.vertex() == vertex) {
          entries += head.entries();
          pages.pass();
          head = pages.head(atLeast);
        }
      }
      if (!probe.isHomeAway(vertex)) {
        hottest.add(new Side(vertex, entries));
      }
      if (hottest.size() > most) {
        hottest.pollLast();
      }
      vertex = least(all, atLeast);
    }
    return hottest;
  }

  private static @Nullable Long least(List<Pages> all, long atLeast) {
    Long least = null;
    for (Pages pages : all) {
      SideSize head = pages.head(atLeast);
      if (head != null && (least == null || Long.compareUnsigned(head.vertex(), least) < 0)) {
        least = head.vertex();
      }
    }
    return least;
  }
}
