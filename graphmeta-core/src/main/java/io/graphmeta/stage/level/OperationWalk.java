package io.graphmeta.stage.level;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.adjacency.NeighbourVisitor;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.frontier.Ways;
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
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.NeighboursByHome;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Criterion;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.program.Wanted;
import io.graphmeta.stage.results.Results;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Runs the operations of a program on batches of elements, each up to the next hop, and the hops,
 * when it is given them: what is reached there waits for the next level, on this server or on its
 * way to another. Belongs to one thread; in an operation on a large batch other threads take part,
 * each with a run of its own.
 */
final class OperationWalk implements LevelCrew.Member<OperationWalk> {
  /** A source of which all scanned edges come, once. */
  private static final VertexBatch ONE = VertexBatch.of(0);

  /** Vertices whose misses are sorted together, which bounds the memory for them. */
  private static final int MAX_SHARED = 1 << 18;

  /** Vertices that are expected to be reached from each at least, to make room for. */
  private static final int LEAST_FAN_OUT = 2;

  private final TraversalState state;
  private final IdleTime idleTime;
  private final LevelReads reads;
  private final Program program;
  private final Wanted wanted;
  private final ReadView view;
  private final RowReads rows;
  private final AdjacencyReader adjacency;
  private final Reached reached;
  private final Results results;
  private final ElementFilter tests;
  private final LoopGate<VertexBatch> loops;
  private final SplitTable splits;
  private final LevelCrew<OperationWalk> crew;
  private final boolean shares;
  private long rowEdges;

  /** A run whose elements go to what the traversal, or one of its threads, has reached. */
  OperationWalk(TraversalState state, Reached reached, IdleTime idleTime, LevelReads reads) {
    this.state = state;
    this.idleTime = idleTime;
    this.reads = reads;
    this.program = state.program;
    this.wanted = program.wanted();
    this.view = state.view;
    this.splits = state.splits;
    this.rows = reads.rows();
    this.adjacency = reads.cache().reader();
    this.reached = reached;
    this.results = reached.results();
    this.tests = new ElementFilter(rows, adjacency, view, state.connections);
    this.loops = new LoopGate<>(tests, new WholeBatches());
    this.crew = new LevelCrew<>(this, reads.threads());
    // Where few results are wanted, which ones is to depend on nothing but the graph.
    this.shares = wanted.isAll();
  }

  /** A run for another thread that takes part. */
  @Override
  public OperationWalk another() {
    return new OperationWalk(state, reached.another(), idleTime, reads);
  }

  /** Takes over what another run has come to, and what it has left to read. */
  @Override
  public void takeAll(OperationWalk other) {
    reached.takeAll(other.reached);
    adjacency.takeRest(other.adjacency);
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
      OperationWalk.this.vertices(operation, round, batch);
    }
  }

  /** What was read, by all threads that took part. */
  ReadCounts counts() {
    ReadCounts counts = ReadCounts.of(adjacency, rowEdges);
    for (OperationWalk other : crew.others()) {
      counts = counts.plus(other.counts());
    }
    return counts;
  }

  @Override
  public void close() {
    crew.close();
    adjacency.close();
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
      state.hops.add(Work.edges(Program.part(work.position(), true), here));
    }
  }

  /** Sends vertices on to the other servers that hold entries of them, for their part of a hop. */
  private void sendOn(int position, Operation.Hop hop, VertexBatch batch) {
    if (splits.isTrivial()) {
      return;
    }
    for (boolean outgoing : Program.directions(hop.direction())) {
      int part = Program.part(position, outgoing);
      for (int i = 0; i < batch.size(); i++) {
        long key = batch.keys()[i];
        for (int other : splits.elsewhere(key, outgoing, view.snapshot())) {
          state.onward(other).vertices(part).add(key, batch.bulk(i));
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
        state
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
        batch = keep(keep.criterion(), batch);
      } else if (operation instanceof Operation.Distinct distinct) {
        batch = distinct.once() ? batch.once() : state.seen.unseen(at, batch);
      } else if (operation instanceof Operation.Hop hop) {
        int position = Program.position(at, round);
        sendOn(position, hop, batch);
        for (boolean outgoing : Program.directions(hop.direction())) {
          state.hops.add(Work.vertices(Program.part(position, outgoing), batch));
        }
        return;
      } else if (operation instanceof Operation.LoopEnter enter) {
        loops.enter(enter.loop(), batch);
        return;
      } else if (operation instanceof Operation.LoopBack back) {
        loops.back(back.loop(), round, batch);
        return;
      } else if (operation instanceof Operation.Finish) {
        finish(batch);
        return;
      } else {
        return;
      }
      at++;
    }
  }

  private VertexBatch keep(Criterion criterion, VertexBatch batch) {
    if (!criterion.needsRows() || !crew.shares(batch.size())) {
      return tests.keep(criterion, batch);
    }
    BitSet passing = new BitSet(batch.size());
    crew.share(
        batch.size(),
        (by, from, to) -> {
          BitSet passed = by.tests.passing(criterion, batch.range(from, to));
          synchronized (passing) {
            passed.stream().forEach(i -> passing.set(from + i));
          }
        });
    return batch.keep(passing);
  }

  private void finish(VertexBatch batch) {
    if (wanted.needsRows() && wanted.canBePutTogether() && shares && crew.shares(batch.size())) {
      crew.share(
          batch.size(),
          (by, from, to) -> {
            state.requireNotCancelled();
            by.results.add(batch.range(from, to), rows, view);
          });
    } else {
      results.add(batch, rows, view);
    }
  }

  /** Puts aside the vertices of which other servers are to be asked before an operation. */
  private VertexBatch decidable(int at, int round, VertexBatch batch) {
    if (splits.isTrivial() || program.connectedCriteria(at).isEmpty()) {
      return batch;
    }
    BitSet decidable =
        state.connections.decidable(program.connectedCriteria(at), batch, tests::passing);
    LongBulkMap aside = state.aside.vertices(Program.position(at, round));
    for (int i = decidable.nextClearBit(0); i < batch.size(); i = decidable.nextClearBit(i + 1)) {
      aside.add(batch.keys()[i], batch.bulk(i));
    }
    return batch.keep(decidable);
  }

  private void hop(int position, Operation.Hop hop, VertexBatch batch) {
    int at = FrontierPart.operation(position);
    idleTime.note(at, batch.keys());
    boolean shared = shares && crew.shares(batch.size());
    boolean toEdges = hop.toEdges() && !(program.isFinish(at + 1) && wanted.isCount());
    for (boolean outgoing : Program.directions(position, hop.direction())) {
      if (!toEdges && shared) {
        shareHop(position, hop, outgoing, batch);
      } else if (!toEdges) {
        NeighbourVisitor visitor = visitor(position, hop, batch);
        adjacency.read(batch.keys(), 0, batch.size(), query(hop, outgoing), visitor);
      } else if (shared && program.keepsApart(at + 1) && wanted.canBePutTogether()) {
        crew.share(
            batch.size(),
            (by, from, to) -> {
              state.requireNotCancelled();
              by.hopToEdges(position, hop, outgoing, batch.range(from, to));
            });
      } else {
        hopToEdges(position, hop, outgoing, batch);
      }
    }
  }

  /** A hop of several threads; what none has found in the cache is then read in one pass. */
  private void shareHop(int position, Operation.Hop hop, boolean outgoing, VertexBatch batch) {
    NeighbourQuery query = query(hop, outgoing);
    for (int begin = 0; begin < batch.size(); begin += MAX_SHARED) {
      int first = begin;
      int size = Math.min(batch.size() - first, MAX_SHARED);
      crew.share(
          size,
          (by, from, to) -> {
            state.requireNotCancelled();
            by.adjacency.readCached(
                batch.keys(), first + from, first + to, query, by.visitor(position, hop, batch));
          });
      adjacency.readRest(batch.keys(), query, visitor(position, hop, batch));
    }
  }

  private NeighbourQuery query(Operation.Hop hop, boolean outgoing) {
    return new NeighbourQuery(outgoing, hop.labelIds(), view);
  }

  /** What becomes of the neighbours of a batch. */
  private NeighbourVisitor visitor(int position, Operation.Hop hop, VertexBatch batch) {
    int next = FrontierPart.operation(position) + 1;
    boolean last = program.isFinish(next);
    if (last && wanted.isCount()) {
      return counting(batch, hop.wanted());
    } else if (last && foundHere()) {
      return finding(batch, hop.wanted());
    }
    return reaching(Program.position(next, Program.round(position)), batch, hop.wanted());
  }

  /** Whether vertices are results where they are met, and need not go home first. */
  private boolean foundHere() {
    return wanted.isElementsAlone() || state.servers() == 1 && wanted.isElements();
  }

  private NeighbourVisitor counting(VertexBatch batch, @Nullable BitSet wanted) {
    return (index, label, others, from, to) -> {
      long number =
          wanted == null ? to - from : Operation.Hop.select(others, from, to, wanted).length;
      results.addCount(Ways.product(number, batch.bulk(index)));
      return !results.isFull();
    };
  }

  private NeighbourVisitor finding(VertexBatch batch, @Nullable BitSet wanted) {
    return (index, label, others, from, to) -> {
      if (wanted == null) {
        results.addVertices(others, from, to, batch.bulk(index));
      } else {
        long[] selected = Operation.Hop.select(others, from, to, wanted);
        results.addVertices(selected, 0, selected.length, batch.bulk(index));
      }
      return true; // to the end of the batch, so that it is always the same ones
    };
  }

  private NeighbourVisitor reaching(int position, VertexBatch batch, @Nullable BitSet wanted) {
    if (state.servers() == 1) {
      LongBulkMap next = reached.own().vertices(position);
      next.makeRoom(LEAST_FAN_OUT * batch.size());
      if (wanted == null) {
        return (index, label, others, from, to) -> {
          next.addAll(others, from, to, batch.bulk(index));
          return true;
        };
      }
      return (index, label, others, from, to) -> {
        long[] selected = Operation.Hop.select(others, from, to, wanted);
        next.addAll(selected, 0, selected.length, batch.bulk(index));
        return true;
      };
    }
    LongBulkMap[] byServer = reached.vertices(position);
    for (LongBulkMap next : byServer) {
      next.makeRoom(LEAST_FAN_OUT * batch.size() / byServer.length);
    }
    NeighboursByHome neighbours = new NeighboursByHome(state.map, byServer);
    return (index, label, others, from, to) -> {
      neighbours.add(others, from, to, wanted, batch.bulk(index));
      return true;
    };
  }

  private void hopToEdges(int position, Operation.Hop hop, boolean outgoing, VertexBatch batch) {
    int at = FrontierPart.operation(position);
    int round = Program.round(position);
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
          reached
              .arrivals(state.edgeHome(key))
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
        batch = tests.keep(keep.criterion(), batch);
      } else if (operation instanceof Operation.Distinct distinct) {
        batch = distinct.once() ? batch.once() : state.seen.unseen(at, batch);
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

  private void ends(int next, int round, PlanStep.End end, EdgeBatch batch) {
    VertexBatch met = metAt(end, batch);
    if (program.isFinish(next) && (wanted.isCount() || foundHere())) {
      results.add(met, rows, view);
      return;
    }
    int position = Program.position(next, round);
    for (int i = 0; i < met.size(); i++) {
      long key = met.keys()[i];
      reached.arrivals(state.home(key)).vertices(position).add(key, met.bulk(i));
    }
  }

  private static VertexBatch metAt(PlanStep.End end, EdgeBatch batch) {
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
