package io.graphmeta.stage.level;

import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.stage.program.Operation;
import java.util.BitSet;

/**
 * Leads vertices into a loop, round it and out of it, with the meaning of Gremlin's {@code repeat}:
 * before a round those that leave first are let out, then those that are emitted first are copied
 * out; behind a round likewise, and those that stay go on with the next one. Belongs to one thread.
 *
 * @param <B> a batch of vertices, with what else is known of each
 */
final class LoopGate<B> {
  private final ElementFilter tests;
  private final Way<B> way;

  LoopGate(ElementFilter tests, Way<B> way) {
    this.tests = tests;
    this.way = way;
  }

  /** How batches are taken apart and where they go on. */
  interface Way<B> {
    /** The vertices of a batch. */
    VertexBatch vertices(B batch);

    /** A part of a batch. */
    B keep(B batch, BitSet positions);

    /** Goes on with a batch, which can be empty, at an operation in a round. */
    void goOn(int operation, int round, B batch);
  }

  /** Vertices come to a loop. */
  void enter(Operation.Loop loop, B batch) {
    begin(loop, 0, batch);
  }

  /** Vertices come to the end of a round. */
  void back(Operation.Loop loop, int round, B batch) {
    int next = loop.times() > 0 ? round + 1 : 0;
    B staying = loop.untilFirst() ? batch : leave(loop, next, batch);
    if (!loop.emitFirst()) {
      emit(loop, staying);
    }
    if (loop.untilFirst() || loop.emitFirst()) {
      begin(loop, next, staying);
    } else {
      way.goOn(loop.body(), next, staying);
    }
  }

  private void begin(Operation.Loop loop, int round, B batch) {
    B staying = loop.untilFirst() ? leave(loop, round, batch) : batch;
    if (loop.emitFirst()) {
      emit(loop, staying);
    }
    way.goOn(loop.body(), round, staying);
  }

  /** Lets vertices out of a loop, and returns those that stay in it. */
  private B leave(Operation.Loop loop, int round, B batch) {
    VertexBatch vertices = way.vertices(batch);
    BitSet leaving = new BitSet();
    if (loop.times() > 0 && round >= loop.times()) {
      leaving.set(0, vertices.size());
    } else if (loop.until() != null) {
      leaving = tests.passing(loop.until(), vertices);
    }
    if (leaving.isEmpty()) {
      return batch;
    }
    way.goOn(loop.exit(), 0, way.keep(batch, leaving));
    leaving.flip(0, vertices.size());
    return way.keep(batch, leaving);
  }

  private void emit(Operation.Loop loop, B batch) {
    if (loop.emit() != null) {
      BitSet emitted = tests.passing(loop.emit(), way.vertices(batch));
      way.goOn(loop.exit(), 0, way.keep(batch, emitted));
    }
  }
}
