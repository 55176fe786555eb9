package io.graphmeta.stage.level;

import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.PageReader;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.SeenElements;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Criterion;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.program.Wanted;
import java.util.BitSet;

/**
 * Walks batches of elements over the operations of a program: up to the next hop, where they wait
 * until the hop is due, and over the hop, when it is given them again. The elements that it reaches
 * and finds go into a {@link Sink}, so that the walk is the same for frontiers and for paths.
 *
 * <p>Belongs to one thread; in an operation on a large batch other threads take part, each with a
 * walk and a sink of its own.
 */
final class OperationWalk implements LevelCrew.Member<OperationWalk> {
  /** A source of which all scanned edges come, once. */
  private static final VertexBatch ONE = VertexBatch.of(0);

  /** Vertices whose misses are sorted together, which bounds the memory for them. */
  private static final int MAX_SHARED = 1 << 18;

  private final Program program;
  private final Wanted wanted;
  private final ReadView view;
  private final SplitTable splits;
  private final Connections connections;
  private final SeenElements seen;
  private final LevelReads reads;
  private final Sink sink;
  private final boolean keepsPaths;
  private final PageReader rows;
  private final AdjacencyReader adjacency;
  private final ElementFilter filter;
  private final LoopGate loops;
  private final LevelCrew<OperationWalk> crew;
  private long rowEdges;

  /**
   * A walk at a view.
   *
   * @param splits which entries and rows are on other shards
   * @param connections what other shards have told of edges of vertices
   * @param seen what has passed the operations that keep every element once
   */
  OperationWalk(
      Program program,
      ReadView view,
      SplitTable splits,
      Connections connections,
      SeenElements seen,
      LevelReads reads,
      Sink sink) {
    this.program = program;
    this.wanted = program.wanted();
    this.view = view;
    this.splits = splits;
    this.connections = connections;
    this.seen = seen;
    this.reads = reads;
    this.sink = sink;
    this.keepsPaths = sink.keepsPaths();
    this.rows = reads.rows();
    this.adjacency = reads.cache().reader();
    this.filter = new ElementFilter(rows, adjacency, view, connections);
    this.loops = new LoopGate(filter, this::vertices);
    this.crew = new LevelCrew<>(this, reads.threads());
  }

  @Override
  public OperationWalk another() {
    return new OperationWalk(program, view, splits, connections, seen, reads, sink.another());
  }

  @Override
  public void takeAll(OperationWalk other) {
    sink.takeAll(other.sink);
    adjacency.takeRest(other.adjacency);
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

  /** Walks a batch up to the next hop, or over it if the batch waits there. */
  void run(Work work) {
    int position = work.position();
    int at = FrontierPart.operation(position);
    int round = Program.round(position);
    boolean part = Program.isPart(position);
    VertexBatch vertices = work.vertices();
    EdgeBatch edges = work.edges();
    if (vertices != null && part && program.at(at) instanceof Operation.Hop hop) {
      hop(position, hop, vertices);
    } else if (vertices != null) {
      vertices(at, round, vertices);
    } else if (edges != null && part) {
      edges(at, round, program.edgesNeedRows(at) ? withRows(edges) : edges);
    } else if (edges != null && keepsPaths && !program.edgesNeedRows(at)) {
      edges(at, round, edges);
    } else if (edges != null) {
      EdgeBatch here = sendOn(position, edges);
      sink.hopLater(Work.edges(Program.part(position, true), here));
    }
  }

  /** Walks a page of scanned edges, in the rows of their sources. */
  void scannedEdges(ElementPage page) {
    rowEdges += page.elements();
    edges(0, 0, EdgeBatch.of(page, true, ONE, program.edgesNeedRows(0)));
  }

  /** Whether an operation is not walked over, but left to the sink. */
  private boolean endsAt(Operation operation) {
    return operation instanceof Operation.Finish
        || keepsPaths
            && (operation instanceof Operation.Distinct
                || operation instanceof Operation.PathTest
                || operation instanceof Operation.End);
  }

  private void vertices(int first, int round, VertexBatch arrived) {
    int at = first;
    VertexBatch batch = arrived;
    while (batch.size() > 0) {
      Operation operation = program.at(at);
      batch = decidable(at, round, batch);
      if (endsAt(operation)) {
        find(Program.position(at, round), batch);
        return;
      } else if (operation instanceof Operation.Keep keep) {
        batch = keep(keep.criterion(), batch);
      } else if (operation instanceof Operation.Distinct distinct) {
        batch = distinct.once() ? batch.once() : seen.unseen(at, batch);
      } else if (operation instanceof Operation.Hop hop) {
        int position = Program.position(at, round);
        sendOn(position, hop, batch);
        for (boolean outgoing : Program.directions(hop.direction())) {
          sink.hopLater(Work.vertices(Program.part(position, outgoing), batch));
        }
        return;
      } else if (operation instanceof Operation.LoopEnter enter) {
        loops.enter(enter.loop(), batch);
        return;
      } else if (operation instanceof Operation.LoopBack back) {
        loops.back(back.loop(), round, batch);
        return;
      } else {
        return;
      }
      at++;
    }
  }

  /** Puts aside the vertices of which other shards are to be asked before an operation. */
  private VertexBatch decidable(int at, int round, VertexBatch batch) {
    if (splits.isTrivial() || program.connectedCriteria(at).isEmpty()) {
      return batch;
    }
    BitSet decidable = connections.decidable(program.connectedCriteria(at), batch, filter::passing);
    if (decidable.cardinality() == batch.size()) {
      return batch;
    }
    BitSet open = (BitSet) decidable.clone();
    open.flip(0, batch.size());
    sink.putAside(Program.position(at, round), batch.keep(open));
    return batch.keep(decidable);
  }

  private VertexBatch keep(Criterion criterion, VertexBatch batch) {
    if (!criterion.needsRows() || !crew.shares(batch.size())) {
      return filter.keep(criterion, batch);
    }
    BitSet passing = new BitSet(batch.size());
    crew.share(
        batch.size(),
        (by, from, to) -> {
          BitSet passed = by.filter.passing(criterion, batch.range(from, to));
          synchronized (passing) {
            passed.stream().forEach(i -> passing.set(from + i));
          }
        });
    return batch.keep(passing);
  }

  private void find(int position, VertexBatch batch) {
    if (wanted.needsRows() && wanted.canBePutTogether() && crew.shares(batch.size())) {
      crew.share(
          batch.size(),
          (by, from, to) -> {
            sink.requireNotCancelled();
            by.sink.find(position, batch.range(from, to));
          });
    } else {
      sink.find(position, batch);
    }
  }

  /** Sends vertices on to the other shards that hold entries of them, for their part of a hop. */
  private void sendOn(int position, Operation.Hop hop, VertexBatch batch) {
    if (splits.isTrivial()) {
      return;
    }
    for (boolean outgoing : Program.directions(hop.direction())) {
      int part = Program.part(position, outgoing);
      for (int i = 0; i < batch.size(); i++) {
        long key = batch.keys()[i];
        for (int other : splits.elsewhere(key, outgoing, view.snapshot())) {
          sink.sendOn(other, part, key, batch.bulk(i));
        }
      }
    }
  }

  /** Sends edges on whose rows other shards hold, and returns the rest. */
  private EdgeBatch sendOn(int position, EdgeBatch batch) {
    if (splits.isTrivial()) {
      return batch;
    }
    BitSet here = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      EdgeKey key = batch.key(i);
      int place = splits.shardOf(key.out(), true, key.in(), view.snapshot());
      if (place == splits.shard()) {
        here.set(i);
      } else {
        sink.sendOn(place, Program.part(position, true), batch, i);
      }
    }
    return batch.keep(here);
  }

  /** Makes a hop in the direction that the position says. */
  private void hop(int position, Operation.Hop hop, VertexBatch batch) {
    int at = FrontierPart.operation(position);
    boolean outgoing = Program.isPartOut(position);
    sink.hopping(at, batch);
    // Where few results are wanted, which ones is to depend on nothing but the graph.
    boolean shared = wanted.isAll() && crew.shares(batch.size());
    boolean counted = !keepsPaths && program.isFinish(at + 1) && wanted.isCount();
    if (hop.toEdges() && !counted) {
      if (shared && program.keepsApart(at + 1) && wanted.canBePutTogether()) {
        crew.share(
            batch.size(),
            (by, from, to) -> {
              sink.requireNotCancelled();
              by.hopToEdges(position, hop, outgoing, batch.range(from, to));
            });
      } else {
        hopToEdges(position, hop, outgoing, batch);
      }
      return;
    }
    int next = Program.position(at + 1, Program.round(position));
    NeighbourQuery query = new NeighbourQuery(outgoing, hop.labelIds(), view);
    if (shared) {
      shareHop(next, hop, query, batch);
    } else {
      adjacency.read(batch.keys(), 0, batch.size(), query, sink.reaching(next, hop, batch));
    }
  }

  /** A hop of several threads; what none has found in the cache is then read in one pass. */
  private void shareHop(int next, Operation.Hop hop, NeighbourQuery query, VertexBatch batch) {
    for (int begin = 0; begin < batch.size(); begin += MAX_SHARED) {
      int first = begin;
      int size = Math.min(batch.size() - first, MAX_SHARED);
      crew.share(
          size,
          (by, from, to) -> {
            sink.requireNotCancelled();
            by.adjacency.readCached(
                batch.keys(), first + from, first + to, query, by.sink.reaching(next, hop, batch));
          });
      adjacency.readRest(batch.keys(), query, sink.reaching(next, hop, batch));
    }
  }

  /**
   * Makes a hop to edges. Edges that need no rows, or whose rows are here, go on at once. Edges
   * that were reached against their direction go to the shard that has their rows, if rows are
   * needed, or if equal edges, reached along their direction, must meet them there.
   */
  private void hopToEdges(int position, Operation.Hop hop, boolean outgoing, VertexBatch batch) {
    int at = FrontierPart.operation(position);
    int round = Program.round(position);
    boolean needRows = program.edgesNeedRows(at + 1);
    boolean meet = !keepsPaths && hop.direction() == Direction.BOTH && program.edgesMeet(at + 1);
    boolean goHome = !outgoing && (needRows || meet);
    boolean rowsHere = needRows && !goHome;
    Detail detail = rowsHere ? Detail.PROPERTIES : Detail.KEYS;
    Request.Position from = Request.Position.START;
    while (from != null && !sink.isFull()) {
      ElementPage page =
          rows.expand(
              new Request.Expand(batch.keys(), outgoing, hop.labelIds(), view, detail, from, true));
      rowEdges += page.elements();
      EdgeBatch edges = EdgeBatch.of(page, outgoing, batch, rowsHere);
      if (goHome || keepsPaths) {
        reach(at + 1, round, edges, rowsHere);
      } else {
        edges(at + 1, round, edges);
      }
      from = page.next();
    }
  }

  /** Lets edges of a hop leave the walk behind the tests that can be made here. */
  private void reach(int first, int round, EdgeBatch reached, boolean rowsHere) {
    EdgeBatch batch = reached;
    int at = first;
    while (program.at(at) instanceof Operation.Keep keep
        && (rowsHere || !keep.criterion().needsRows())) {
      batch = filter.keep(keep.criterion(), batch);
      at++;
    }
    if (batch.size() > 0) {
      sink.reach(Program.position(at, round), batch);
    }
  }

  private void edges(int first, int round, EdgeBatch arrived) {
    int at = first;
    EdgeBatch batch = arrived;
    while (batch.size() > 0) {
      Operation operation = program.at(at);
      if (endsAt(operation)) {
        sink.find(Program.position(at, round), batch);
        return;
      } else if (operation instanceof Operation.Keep keep) {
        batch = filter.keep(keep.criterion(), batch);
      } else if (operation instanceof Operation.Distinct distinct) {
        batch = distinct.once() ? batch.once() : seen.unseen(at, batch);
      } else if (operation instanceof Operation.End end) {
        sink.reach(Program.position(at + 1, round), metAt(end.end(), batch));
        return;
      } else {
        return;
      }
      at++;
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

  private EdgeBatch withRows(EdgeBatch batch) {
    rowEdges += batch.size();
    return EdgeRows.read(batch, rows, view);
  }
}
