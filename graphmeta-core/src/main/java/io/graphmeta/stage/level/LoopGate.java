package io.graphmeta.stage.level;

import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.stage.program.Operation;
import java.util.BitSet;

/**
 * Leads vertices into a loop, round it and out of it, with the meaning of Gremlin's {@code repeat}.
 * Before a round the vertices for which an {@code until} in front of the loop holds leave it, then
 * the vertices for which an {@code emit} in front of the loop holds are copied out. Behind a round
 * the same is done for {@code until} and {@code emit} behind the loop, and the vertices that stay
 * go on with the next round. Belongs to one thread.
 */
final class LoopGate {
  private final ElementFilter filter;
  private final Way way;

  LoopGate(ElementFilter filter, Way way) {
    this.filter = filter;
    this.way = way;
  }

  /** Where vertices go on. */
  @FunctionalInterface
  interface Way {
    /** Goes on with a batch, which can be empty, at an operation in a round. */
    void goOn(int operation, int round, VertexBatch batch);
  }

  /** Vertices come to a loop. */
  void enter(Operation.Loop loop, VertexBatch batch) {
    begin(loop, 0, batch);
  }

  /** Vertices come to the end of a round. */
  void back(Operation.Loop loop, int round, VertexBatch batch) {
    int next = loop.times() > 0 ? round + 1 : 0;
    VertexBatch staying = loop.untilFirst() ? batch : leave(loop, next, batch);
    if (!loop.emitFirst()) {
      emit(loop, staying);
    }
    if (loop.untilFirst() || loop.emitFirst()) {
      begin(loop, next, staying);
    } else {
      way.goOn(loop.body(), next, staying);
    }
  }

  private void begin(Operation.Loop loop, int round, VertexBatch batch) {
    VertexBatch staying = loop.untilFirst() ? leave(loop, round, batch) : batch;
    if (loop.emitFirst()) {
      emit(loop, staying);
    }
    way.goOn(loop.body(), round, staying);
  }

  /** Lets vertices out of a loop, and returns the vertices that stay in it. */
  private VertexBatch leave(Operation.Loop loop, int round, VertexBatch batch) {
    BitSet leaving = new BitSet();
    if (loop.times() > 0 && round >= loop.times()) {
      leaving.set(0, batch.size());
    } else if (loop.until() != null) {
      leaving = filter.passing(loop.until(), batch);
    }
    if (leaving.isEmpty()) {
      return batch;
    }
    way.goOn(loop.exit(), 0, batch.keep(leaving));
    leaving.flip(0, batch.size());
    return batch.keep(leaving);
  }

  private void emit(Operation.Loop loop, VertexBatch batch) {
    if (loop.emit() != null) {
      BitSet emitted = filter.passing(loop.emit(), batch);
      way.goOn(loop.exit(), 0, batch.keep(emitted));
    }
  }
}
