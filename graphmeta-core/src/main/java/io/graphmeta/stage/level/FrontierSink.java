package io.graphmeta.stage.level;

import io.graphmeta.adjacency.NeighbourVisitor;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.frontier.Ways;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.NeighboursByHome;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.program.Wanted;
import io.graphmeta.stage.results.Results;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Adds the elements that a walk reaches to the frontier of the next level, on the shard of each
 * element, and those that it finds to the results. Bulks are numbers of ways. Belongs to one
 * thread.
 */
final class FrontierSink implements Sink {
  /** Vertices that are expected to be reached from each at least, to make room for. */
  private static final int LEAST_FAN_OUT = 2;

  private final TraversalState state;
  private final Program program;
  private final Wanted wanted;
  private final Reached reached;
  private final Results results;
  private final IdleTime idleTime;
  private final PageReader rows;

  /**
   * A sink for what a traversal, or one of its threads, reaches.
   *
   * @param idleTime is told of hops
   * @param rows where values that are wanted of results are read
   */
  FrontierSink(TraversalState state, Reached reached, IdleTime idleTime, PageReader rows) {
    this.state = state;
    this.program = state.program;
    this.wanted = program.wanted();
    this.reached = reached;
    this.results = reached.results();
    this.idleTime = idleTime;
    this.rows = rows;
  }

  @Override
  public Sink another() {
    return new FrontierSink(state, reached.another(), idleTime, rows);
  }

  @Override
  public void takeAll(Sink other) {
    reached.takeAll(((FrontierSink) other).reached);
  }

  @Override
  public boolean keepsPaths() {
    return false;
  }

  @Override
  public boolean isFull() {
    return results.isFull();
  }

  @Override
  public void requireNotCancelled() {
    state.requireNotCancelled();
  }

  @Override
  public void find(int position, VertexBatch batch) {
    results.add(batch, rows, state.view);
  }

  @Override
  public void find(int position, EdgeBatch batch) {
    results.add(batch);
  }

  @Override
  public void reach(int position, VertexBatch batch) {
    boolean last = program.isFinish(FrontierPart.operation(position));
    if (last && (wanted.isCount() || foundHere())) {
      results.add(batch, rows, state.view);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      long key = batch.keys()[i];
      reached.arrivals(state.home(key)).vertices(position).add(key, batch.bulk(i));
    }
  }

  @Override
  public void reach(int position, EdgeBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      reached
          .arrivals(state.edgeHome(batch.key(i)))
          .addEdge(position, batch.key(i), batch.fromSource()[i], batch.bulks()[i]);
    }
  }

  @Override
  public NeighbourVisitor reaching(int position, Operation.Hop hop, VertexBatch batch) {
    boolean last = program.isFinish(FrontierPart.operation(position));
    if (last && wanted.isCount()) {
      return counting(batch, hop.wanted());
    } else if (last && foundHere()) {
      return finding(batch, hop.wanted());
    } else if (state.shards() == 1) {
      return reachingHere(position, batch, hop.wanted());
    }
    return reachingHomes(position, batch, hop.wanted());
  }

  /** Whether vertices are results where they are met, and need not go home first. */
  private boolean foundHere() {
    return wanted.isElementsAlone() || state.shards() == 1 && wanted.isElements();
  }

  private NeighbourVisitor counting(VertexBatch batch, @Nullable BitSet labelIds) {
    return (index, label, others, from, to) -> {
      long number =
          labelIds == null ? to - from : Operation.Hop.select(others, from, to, labelIds).length;
      results.addCount(Ways.product(number, batch.bulk(index)));
      return !results.isFull();
    };
  }

  private NeighbourVisitor finding(VertexBatch batch, @Nullable BitSet labelIds) {
    return (index, label, others, from, to) -> {
      if (labelIds == null) {
        results.addVertices(others, from, to, batch.bulk(index));
      } else {
        long[] selected = Operation.Hop.select(others, from, to, labelIds);
        results.addVertices(selected, 0, selected.length, batch.bulk(index));
      }
      return true; // to the end of the batch, so that it is always the same ones
    };
  }

  private NeighbourVisitor reachingHere(
      int position, VertexBatch batch, @Nullable BitSet labelIds) {
    LongBulkMap next = reached.own().vertices(position);
    next.makeRoom(LEAST_FAN_OUT * batch.size());
    if (labelIds == null) {
      return (index, label, others, from, to) -> {
        next.addAll(others, from, to, batch.bulk(index));
        return true;
      };
    }
    return (index, label, others, from, to) -> {
      long[] selected = Operation.Hop.select(others, from, to, labelIds);
      next.addAll(selected, 0, selected.length, batch.bulk(index));
      return true;
    };
  }

  private NeighbourVisitor reachingHomes(
      int position, VertexBatch batch, @Nullable BitSet labelIds) {
    LongBulkMap[] byShard = reached.vertices(position);
    for (LongBulkMap next : byShard) {
      next.makeRoom(LEAST_FAN_OUT * batch.size() / byShard.length);
    }
    NeighboursByHome neighbours = new NeighboursByHome(state.map, byShard);
    return (index, label, others, from, to) -> {
      neighbours.add(others, from, to, labelIds, batch.bulk(index));
      return true;
    };
  }

  @Override
  public void hopLater(Work hop) {
    state.hops.add(hop);
  }

  @Override
  public void hopping(int operation, VertexBatch batch) {
    idleTime.note(operation, batch.keys());
  }

  @Override
  public void putAside(int position, VertexBatch batch) {
    state.aside.vertices(position).addAll(batch);
  }

  @Override
  public void sendOn(int shard, int position, long vertex, long bulk) {
    state.onward(shard).vertices(position).add(vertex, bulk);
  }

  @Override
  public void sendOn(int shard, int position, EdgeBatch batch, int index) {
    state
        .onward(shard)
        .addEdge(position, batch.key(index), batch.fromSource()[index], batch.bulks()[index]);
  }
}
