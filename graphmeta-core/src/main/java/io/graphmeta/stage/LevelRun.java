package io.graphmeta.stage;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourVisitor;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.RowReads;
import io.graphmeta.split.SplitTable;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of a program on batches of elements, each up to the next hop, and the hops,
 * when it is given them: what is reached there waits for the next level, on this server or on its
 * way to another. Belongs to one thread.
 */
final class LevelRun {
  private static final int[] NO_ELEMENTS = {};

  /** A source of which all scanned edges come, once. */
  private static final VertexBatch ONE = VertexBatch.of(0);

  private final ServerTraversal traversal;
  private final Program program;
  private final ReadView view;
  private final RowReads rows;
  private final AdjacencyReader adjacency;
  private final Results results;
  private final Tests tests;
  private final LoopGate<VertexBatch> loops;
  private final SplitTable splits;
  private long rowEdges;

  LevelRun(ServerTraversal traversal, RowReads rows, AdjacencyReader adjacency) {
    this.traversal = traversal;
    this.program = traversal.program();
    this.view = traversal.view();
    this.splits = traversal.splits();
    this.rows = rows;
    this.adjacency = adjacency;
    this.results = traversal.results();
    this.tests = new Tests(rows, adjacency, view, traversal.connections());
    this.loops = new LoopGate<>(tests, new WholeBatches());
  }

  private final class WholeBatches implements LoopGate.Way<VertexBatch> {
    @Override
    public VertexBatch vertices(VertexBatch batch) {
      return batch;
    }

    @Override
    public VertexBatch keep(VertexBatch batch, BitSet positions) {
      return batch.keep(positions);
    }

    @Override
    public void goOn(int operation, int round, VertexBatch batch) {
      LevelRun.this.vertices(operation, round, batch);
    }
  }

  /** Edges that were read with their rows. */
  long rowEdges() {
    return rowEdges;
  }

  void run(Work work) {
    int at = FrontierPart.operation(work.position());
    int round = Program.round(work.position());
    boolean part = Program.isPart(work.position());
    VertexBatch vertices = work.vertices();
    EdgeBatch edges = work.edges();
    if (vertices != null && part && program.at(at) instanceof Operation.Hop hop) {
      hop(work.position(), hop, vertices);
    } else if (vertices != null) {
      vertices(at, round, vertices);
    } else if (edges != null && part) {
      edges(at, round, program.edgesNeedRows(at) ? withRows(edges) : edges);
    } else if (edges != null) {
      EdgeBatch here = sendOn(work.position(), edges);
      traversal.addHop(Work.edges(Program.part(work.position(), true), here));
    }
  }

  /** Sends vertices on to the other servers that hold entries of them, for their part of a hop. */
  private void sendOn(int position, Operation.Hop hop, VertexBatch batch) {
    if (splits.isTrivial()) {
      return;
    }
    for (boolean outgoing : Tests.directions(hop.direction())) {
      int part = Program.part(position, outgoing);
      for (int i = 0; i < batch.size(); i++) {
        long key = batch.keys()[i];
        for (int other : splits.elsewhere(key, outgoing, view.snapshot())) {
          traversal.onward(other).vertices(part).add(key, batch.bulk(i));
        }
      }
    }
  }

  /** Sends edges on whose rows other servers hold, and returns the rest. */
  private EdgeBatch sendOn(int position, EdgeBatch batch) {
    if (splits.isTrivial()) {
      return batch;
    }
    BitSet here = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      EdgeKey key = batch.key(i);
      int place = splits.serverOf(key.out(), true, key.in(), view.snapshot());
      if (place == splits.server()) {
        here.set(i);
      } else {
        traversal
            .onward(place)
            .addEdge(Program.part(position, true), key, batch.fromSource()[i], batch.bulks()[i]);
      }
    }
    return batch.keep(here);
  }

  private void vertices(int first, int round, VertexBatch arrived) {
    int at = first;
    VertexBatch batch = arrived;
    while (batch.size() > 0) {
      Operation operation = program.at(at);
      batch = decidable(at, round, batch);
      if (operation instanceof Operation.Keep keep) {
        batch = tests.keep(keep.test(), batch);
      } else if (operation instanceof Operation.Distinct distinct) {
        batch = distinct.once() ? batch.once() : unseen(at, batch);
      } else if (operation instanceof Operation.Hop hop) {
        int position = Program.position(at, round);
        sendOn(position, hop, batch);
        for (boolean outgoing : Tests.directions(hop.direction())) {
          traversal.addHop(Work.vertices(Program.part(position, outgoing), batch));
        }
        return;
      } else if (operation instanceof Operation.LoopEnter enter) {
        loops.enter(enter.loop(), batch);
        return;
      } else if (operation instanceof Operation.LoopBack back) {
        loops.back(back.loop(), round, batch);
        return;
      } else if (operation instanceof Operation.Finish) {
        results.add(batch, rows, view);
        return;
      } else {
        return;
      }
      at++;
    }
  }

  /** Puts aside the vertices of which other servers are to be asked before an operation. */
  private VertexBatch decidable(int at, int round, VertexBatch batch) {
    if (splits.isTrivial() || program.connectedTests(at).isEmpty()) {
      return batch;
    }
    BitSet decidable = traversal.connections().decidable(program.connectedTests(at), batch, tests);
    LongBulkMap aside = traversal.aside().vertices(Program.position(at, round));
    for (int i = decidable.nextClearBit(0); i < batch.size(); i = decidable.nextClearBit(i + 1)) {
      aside.add(batch.keys()[i], batch.bulk(i));
    }
    return batch.keep(decidable);
  }

  private VertexBatch unseen(int at, VertexBatch batch) {
    LongBulkMap seen = traversal.seenVertices(at);
    seen.reserve(batch.size());
    BitSet fresh = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      fresh.set(i, seen.add(batch.keys()[i], 1));
    }
    return batch.keep(fresh).once();
  }

  private void hop(int position, Operation.Hop hop, VertexBatch batch) {
    int at = FrontierPart.operation(position);
    int round = Program.round(position);
    boolean[] directions = Program.directions(position, hop.direction());
    ReadAhead ahead = traversal.readAhead();
    if (ahead != null) {
      ahead.ask(at, batch.keys(), batch.size());
    }
    boolean last = program.isFinish(at + 1);
    if (hop.toEdges() && !(last && results.isCount())) {
      for (boolean outgoing : directions) {
        hopToEdges(at, round, hop, outgoing, batch);
      }
      return;
    }
    NeighbourVisitor visitor;
    if (last && results.isCount()) {
      visitor = counting(batch, hop.wanted());
    } else if (last && foundHere()) {
      visitor = finding(batch, hop.wanted());
    } else {
      visitor = reaching(Program.position(at + 1, round), batch, hop.wanted());
    }
    for (boolean outgoing : directions) {
      adjacency.read(batch.keys(), 0, batch.size(), outgoing, hop.labelIds(), view, visitor);
    }
  }

  /** Whether vertices are results where they are met, and need not go home first. */
  private boolean foundHere() {
    return results.isElementsAlone() || traversal.isOnlyServer() && results.isElements();
  }

  private NeighbourVisitor counting(VertexBatch batch, @Nullable BitSet wanted) {
    return (index, label, others, from, to) -> {
      long number =
          wanted == null ? to - from : ServerTraversal.select(others, from, to, wanted).length;
      results.addCount(Math.multiplyExact(number, batch.bulk(index)));
      return !results.isFull();
    };
  }

  private NeighbourVisitor finding(VertexBatch batch, @Nullable BitSet wanted) {
    return (index, label, others, from, to) -> {
      if (wanted == null) {
        results.addVertices(others, from, to, batch.bulk(index));
      } else {
        long[] selected = ServerTraversal.select(others, from, to, wanted);
        results.addVertices(selected, 0, selected.length, batch.bulk(index));
      }
      return true; // to the end of the batch, so that it is always the same ones
    };
  }

  private NeighbourVisitor reaching(int position, VertexBatch batch, @Nullable BitSet wanted) {
    if (traversal.isOnlyServer()) {
      LongBulkMap next = traversal.own().vertices(position);
      if (wanted == null) {
        return (index, label, others, from, to) -> {
          next.addAll(others, from, to, batch.bulk(index));
          return true;
        };
      }
      return (index, label, others, from, to) -> {
        long[] selected = ServerTraversal.select(others, from, to, wanted);
        next.addAll(selected, 0, selected.length, batch.bulk(index));
        return true;
      };
    }
    LongBulkMap[] byServer = traversal.vertices(position);
    return (index, label, others, from, to) -> {
      long bulk = batch.bulk(index);
      for (int i = from; i < to; i++) {
        if (wanted == null || ServerTraversal.isWanted(others[i], wanted)) {
          byServer[traversal.home(others[i])].add(others[i], bulk);
        }
      }
      return true;
    };
  }

  private void hopToEdges(
      int at, int round, Operation.Hop hop, boolean outgoing, VertexBatch batch) {
    boolean needRows = program.edgesNeedRows(at + 1);
    boolean goHome =
        !outgoing && (needRows || hop.direction() == Direction.BOTH && program.edgesMeet(at + 1));
    Detail detail = needRows && !goHome ? Detail.PROPERTIES : Detail.KEYS;
    Request.Position from = Request.Position.START;
    while (from != null && !results.isFull()) {
      ElementPage page =
          rows.expand(
              new Request.Expand(batch.keys(), outgoing, hop.labelIds(), view, detail, from, true));
      rowEdges += page.elements();
      if (goHome) {
        for (int e = 0; e < page.elements(); e++) {
          EdgeKey key = EdgeBatch.key(page, e, false);
          traversal
              .arrivals(traversal.edgeHome(key))
              .addEdge(Program.position(at + 1, round), key, false, batch.bulk(page.source(e)));
        }
      } else {
        edges(at + 1, round, EdgeBatch.of(page, outgoing, batch, detail == Detail.PROPERTIES));
      }
      from = page.next();
    }
  }

  private EdgeBatch withRows(EdgeBatch batch) {
    rowEdges += batch.size();
    return batch.withRows(rows, view);
  }

  private void edges(int first, int round, EdgeBatch arrived) {
    int at = first;
    EdgeBatch batch = arrived;
    while (batch.size() > 0) {
      Operation operation = program.at(at);
      if (operation instanceof Operation.Keep keep) {
        batch = tests.keep(keep.test(), batch);
      } else if (operation instanceof Operation.Distinct distinct) {
        batch = distinct.once() ? batch.once() : unseen(at, batch);
      } else if (operation instanceof Operation.End end) {
        ends(at + 1, round, end.end(), batch);
        return;
      } else if (operation instanceof Operation.Finish) {
        results.add(batch);
        return;
      } else {
        return;
      }
      at++;
    }
  }

  private EdgeBatch unseen(int at, EdgeBatch batch) {
    Set<EdgeKey> seen = traversal.seenEdges(at);
    BitSet fresh = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      fresh.set(i, seen.add(batch.key(i)));
    }
    traversal.requireWithinLimit(seen.size());
    return batch.keep(fresh).once();
  }

  private void ends(int next, int round, PlanStep.End end, EdgeBatch batch) {
    VertexBatch reached = reached(end, batch);
    if (program.isFinish(next) && (results.isCount() || foundHere())) {
      results.add(reached, rows, view);
      return;
    }
    int position = Program.position(next, round);
    for (int i = 0; i < reached.size(); i++) {
      long key = reached.keys()[i];
      traversal.arrivals(traversal.home(key)).vertices(position).add(key, reached.bulk(i));
    }
  }

  private static VertexBatch reached(PlanStep.End end, EdgeBatch batch) {
    boolean both = end == PlanStep.End.BOTH;
    long[] keys = new long[both ? 2 * batch.size() : batch.size()];
    long[] bulks = new long[keys.length];
    int size = 0;
    for (int i = 0; i < batch.size(); i++) {
      boolean other = end == PlanStep.End.OTHER;
      EdgeKey key = batch.key(i);
      if (both || end == PlanStep.End.OUT || other && !batch.fromSource()[i]) {
        keys[size] = key.out();
        bulks[size++] = batch.bulks()[i];
      }
      if (both || end == PlanStep.End.IN || other && batch.fromSource()[i]) {
        keys[size] = key.in();
        bulks[size++] = batch.bulks()[i];
      }
    }
    return new VertexBatch(keys, bulks);
  }

  /** Runs the operations on a page of scanned edges, in the rows of their sources. */
  void scannedEdges(ElementPage page) {
    rowEdges += page.elements();
    edges(0, 0, EdgeBatch.of(page, true, ONE, program.edgesNeedRows(0)));
  }
}
