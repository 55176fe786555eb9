package io.graphmeta.stage.level;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.flow.Arrivals;
import io.graphmeta.stage.flow.SeenElements;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.results.Results;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one traversal holds on one shard: its program and view, and the elements that are under way.
 * It runs nothing; {@link LevelLoop} does.
 *
 * <p>An element under way is in one of the places of this picture.
 *
 * <pre>
 *  intake: for a level                       intake: sent on within a level
 *          |                                              |
 *          v                                              v
 *  +----> work ---------- operations up to a hop ------> hops
 *  |      |  ^ |                                          |
 *  |      v  | +--> onward: sent to other shards         | the hop
 *  |     aside      at once, within the level             |
 *  |                                                      v
 *  +------------- next level ---------------- reached: for this shard
 *                                             reached: for other shards, sent at the end
 *                                             results
 * </pre>
 *
 * <ul>
 *   <li>{@code work}: elements of the level that is being run, in batches.
 *   <li>{@code aside}: vertices of which other shards must be asked first whether they have edges;
 *       they become work again when the shards have answered.
 *   <li>{@code onward}: vertices and edges of which other shards hold entries or rows.
 *   <li>{@code hops}: vertices that have come through the operations before a hop and are to make
 *       it here, and edges whose rows are here.
 *   <li>{@code reached}: elements for the next level, by shard, and the results.
 * </ul>
 *
 * <p>Belongs to one thread at a time, which the caller sees to; only {@link #cancel} may be called
 * by any thread.
 */
public final class TraversalState {
  final TraversalId id;
  final Program program;
  public final ReadView view;
  final SplitTable splits;

  /** Answers of other shards about edges of vertices. */
  public final Connections connections;

  /** Vertices that wait for such answers. */
  final Arrivals aside;

  final Reached reached;
  public final Results results;
  final SeenElements seen;
  final SourceScan source;
  final ArrayDeque<Work> work = new ArrayDeque<>();
  final ArrayDeque<Work> hops = new ArrayDeque<>();
  final VirtualNodeMap map;
  final int maxFrontier;

  /** How it is run. */
  final Manner manner;

  /** The level that was begun last: elements reached here are for the next one. */
  int begun = -1;

  /** Elements that have become work or hops since this number was told last. */
  long frontier;

  private final @Nullable Arrivals[] onward;
  private volatile boolean cancelled;

  /**
   * A traversal that was not run yet.
   *
   * @param maxFrontier most elements at one position, and most results, on this shard
   * @param manner how it is run
   */
  public TraversalState(
      TraversalId id,
      Program program,
      ReadView view,
      VirtualNodeMap map,
      SplitTable splits,
      int maxFrontier,
      Manner manner) {
    this.id = id;
    this.program = program;
    this.view = view;
    this.map = map;
    this.splits = splits;
    this.maxFrontier = maxFrontier;
    this.manner = manner;
    this.connections = new Connections(splits, view, maxFrontier);
    this.aside = new Arrivals(program, maxFrontier);
    this.reached = new Reached(program, splits.shard(), map.shards(), maxFrontier);
    this.results = reached.results();
    this.seen = new SeenElements(maxFrontier);
    this.source = new SourceScan(program, view, results, manner.isInSlices());
    this.onward = new Arrivals[map.shards()];
  }

  int shard() {
    return splits.shard();
  }

  /** Number of shards. */
  public int shards() {
    return map.shards();
  }

  /** The shard that is the home of a vertex. */
  public int home(long vertex) {
    return map.shard(VertexKeys.virtualNode(vertex));
  }

  /**
   * The shard that an edge goes to for its rows: the home of its source, which sends it on if they
   * are elsewhere; or where they are, if that is the same for ever.
   */
  int edgeHome(EdgeKey edge) {
    EntryPlaces places = splits.places();
    return places.initial().isWhole()
        ? home(edge.out())
        : places.shard(places.initial(), edge.out(), edge.in());
  }

  /** What is to be sent on to a shard within the level. */
  Arrivals onward(int to) {
    Arrivals there = onward[to];
    if (there == null) {
      there = new Arrivals(program, maxFrontier);
      onward[to] = there;
    }
    return there;
  }

  /** Takes away what is to be sent on to a shard. */
  List<FrontierPart> takeOnward(int to) {
    Arrivals there = onward[to];
    return there == null ? List.of() : there.drainParts();
  }

  /** Ends the traversal soon, if it is being run. */
  public void cancel() {
    cancelled = true;
  }

  /**
   * Requires that the traversal goes on.
   *
   * @throws GraphMetaException {@code CANCELLED} if it was cancelled, or its thread interrupted
   */
  void requireNotCancelled() {
    if (cancelled || Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(ErrorCode.CANCELLED, "The traversal was ended by its client");
    }
  }
}
