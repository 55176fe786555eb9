package io.graphmeta.stage.flow;

import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.frontier.Ways;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Elements that wait at positions for the next level, equal ones counted together. Belongs to one
 * thread at a time.
 */
public final class Arrivals {
  private final Program program;
  private final int maxSize;
  private final Map<Integer, LongBulkMap> vertices = new LinkedHashMap<>();
  private final Map<Integer, Map<ReachedEdge, long[]>> edges = new LinkedHashMap<>();

  /**
   * No elements yet.
   *
   * @param maxSize most vertices, and most edges, that may wait at one position
   */
  public Arrivals(Program program, int maxSize) {
    this.program = program;
    this.maxSize = maxSize;
  }

  /** An edge with the end that it was reached from. */
  private record ReachedEdge(EdgeKey key, boolean fromSource) {}

  /** What waits at a position, to add to. */
  public LongBulkMap vertices(int position) {
    LongBulkMap waiting = vertices.get(position);
    if (waiting == null) {
      boolean counting = !program.isDistinct(FrontierPart.operation(position));
      waiting = new LongBulkMap(counting, maxSize);
      vertices.put(position, waiting);
    }
    return waiting;
  }

  /** Adds an edge that was reached in a number of ways. */
  public void addEdge(int position, EdgeKey key, boolean fromSource, long bulk) {
    Map<ReachedEdge, long[]> waiting =
        edges.computeIfAbsent(position, any -> new LinkedHashMap<>());
    long[] held = waiting.computeIfAbsent(new ReachedEdge(key, fromSource), any -> new long[1]);
    held[0] = Ways.sum(held[0], bulk);
    HoldLimit.require(waiting.size(), maxSize);
  }

  /** Adds the elements of a message. */
  public void add(FrontierPart part) {
    if (part.vertices().length > 0) {
      long[] bulks = part.bulks().length == 0 ? null : part.bulks();
      vertices(part.position()).addAll(new VertexBatch(part.vertices(), bulks));
    }
    for (int i = 0; i < part.edges().size(); i++) {
      addEdge(part.position(), part.edges().get(i), part.reached()[i], part.bulk(i));
    }
  }

  /** Number of elements, equal ones counted once. */
  public long size() {
    long size = 0;
    for (LongBulkMap waiting : vertices.values()) {
      size += waiting.size();
    }
    for (Map<ReachedEdge, long[]> waiting : edges.values()) {
      size += waiting.size();
    }
    return size;
  }

  /** Shows the vertices that wait at each position. */
  public void forEachVertices(BiConsumer<Integer, long[]> visitor) {
    vertices.forEach((position, waiting) -> visitor.accept(position, waiting.keys()));
  }

  /** Takes all away, as work. */
  public List<Work> drain() {
    // Where few results are wanted, which ones is to depend on nothing but the graph.
    boolean inOrder = !program.wanted().isAll();
    List<Work> work = new ArrayList<>();
    vertices.forEach(
        (position, waiting) -> {
          if (waiting.size() > 0) {
            work.add(Work.vertices(position, inOrder ? waiting.drainSorted() : waiting.drain()));
          }
        });
    edges.forEach((position, waiting) -> work.add(edgeWork(position, waiting)));
    vertices.clear();
    edges.clear();
    return work;
  }

  private static Work edgeWork(int position, Map<ReachedEdge, long[]> waiting) {
    List<EdgeKey> keys = new ArrayList<>(waiting.size());
    boolean[] fromSource = new boolean[waiting.size()];
    long[] bulks = new long[waiting.size()];
    waiting.forEach(
        (reached, bulk) -> {
          fromSource[keys.size()] = reached.fromSource();
          bulks[keys.size()] = bulk[0];
          keys.add(reached.key());
        });
    return Work.edges(position, EdgeBatch.of(keys, fromSource, bulks));
  }

  /** Adds all of another, which is empty afterwards. */
  public void takeAll(Arrivals other) {
    other.vertices.forEach(
        (position, waiting) -> {
          if (waiting.size() > 0) {
            vertices(position).addAll(waiting.drain());
          }
        });
    other.edges.forEach(
        (position, waiting) ->
            waiting.forEach(
                (edge, bulk) -> addEdge(position, edge.key(), edge.fromSource(), bulk[0])));
    other.edges.clear();
  }

  /** Takes all away, as parts of a message. */
  public List<FrontierPart> drainParts() {
    List<FrontierPart> parts = new ArrayList<>();
    for (Work work : drain()) {
      VertexBatch batch = work.vertices();
      EdgeBatch edgeBatch = work.edges();
      long[] bulks = batch != null ? batch.bulks() : edgeBatch != null ? edgeBatch.bulks() : null;
      parts.add(
          new FrontierPart(
              work.position(),
              batch == null ? new long[0] : batch.keys(),
              edgeBatch == null ? List.of() : edgeBatch.keys(),
              edgeBatch == null ? new boolean[0] : edgeBatch.fromSource(),
              bulks == null ? new long[0] : bulks));
    }
    return parts;
  }
}
