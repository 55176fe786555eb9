package io.graphmeta.stage.level;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.adjacency.NeighbourQuery;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.PathOperation;
import io.graphmeta.protocol.PathSteps;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.rows.RowReads;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells where elements at a position lead, for a client that keeps paths: runs the operations from
 * there up to the next hop, or up to one that only the client can run, and keeps nothing. Belongs
 * to one thread.
 *
 * <p>Elements are taken in blocks. A block that leads to more than an answer holds is cut in half
 * and begun again; one element that does is answered in several parts, each of which passes over
 * what those before it had: what an element leads to under a view comes in the same order each
 * time.
 */
public final class PathExtension {
  private static final int BLOCK = 256;

  private final Program program;
  private final ReadView view;
  private final RowReads rows;
  private final AdjacencyReader adjacency;
  private final ElementFilter tests;
  private final LoopGate<Group> loops;
  private final SplitTable splits;
  private final Connections connections;
  private final int mostSize;
  private PathSteps.Builder steps = new PathSteps.Builder();
  private int rowEdges;

  /** Of the block under way: what may still be added, and what is passed over. */
  private int room;

  private long passOver;
  private long passed;
  private boolean cut;

  private PathExtension(
      Program program,
      ReadView view,
      RowReads rows,
      AdjacencyReader adjacency,
      SplitTable splits,
      Connections connections,
      int pageBytes) {
    this.splits = splits;
    this.connections = connections;
    this.program = program;
    this.view = view;
    this.rows = rows;
    this.adjacency = adjacency;
    this.tests = new ElementFilter(rows, adjacency, view, connections);
    this.loops = new LoopGate<>(tests, new Groups());
    this.mostSize = Math.max(64, pageBytes / 8);
  }

  /**
   * Answers a request. If this leads to questions to other servers, the answer is none, and the
   * request is to be answered again when theirs are known.
   */
  public static PathSteps extend(
      Request.ExtendPaths request,
      Program program,
      RowReads rows,
      AdjacencyCache cache,
      SplitTable splits,
      Connections connections,
      int pageBytes) {
    try (AdjacencyReader adjacency = cache.reader()) {
      PathExtension extension =
          new PathExtension(
              program, request.view(), rows, adjacency, splits, connections, pageBytes);
      LevelMeter meter = new LevelMeter(() -> ReadCounts.of(adjacency, extension.rowEdges));
      return extension.run(request, meter);
    }
  }

  /** Elements with their places in the request. */
  private record Group(int[] sources, VertexBatch batch) {
    Group keep(BitSet positions) {
      return new Group(select(sources, positions), batch.keep(positions));
    }

    int size() {
      return sources.length;
    }
  }

  private final class Groups implements LoopGate.Way<Group> {
    @Override
    public VertexBatch vertices(Group group) {
      return group.batch();
    }

    @Override
    public Group keep(Group group, BitSet positions) {
      return group.keep(positions);
    }

    @Override
    public void goOn(int operation, int round, Group group) {
      PathExtension.this.vertices(operation, round, group);
    }
  }

  private static int[] select(int[] sources, BitSet positions) {
    return positions.cardinality() == sources.length
        ? sources
        : positions.stream().map(i -> sources[i]).toArray();
  }

  private PathSteps run(Request.ExtendPaths request, LevelMeter meter) {
    int size = request.part().size();
    int index = request.fromIndex();
    long skip = request.skip();
    int block = skip > 0 ? 1 : BLOCK;
    while (index < size && steps.size() < mostSize) {
      int to = Math.min(size, index + block);
      PathSteps.Builder before = steps;
      boolean alone = before.size() == 0 && block == 1;
      PathSteps.Builder tried = new PathSteps.Builder();
      steps = tried;
      cut = false;
      room = mostSize;
      passOver = skip;
      passed = 0;
      block(request, index, to);
      if (cut && !alone) {
        steps = before;
        if (before.size() > 0) {
          break;
        }
        block = Math.max(1, block / 4);
        continue;
      }
      steps = before.size() == 0 ? tried : joined(before, tried);
      if (cut) {
        return build(index, passed, size, meter);
      }
      skip = 0;
      index = to;
    }
    return build(index < size ? index : -1, 0, size, meter);
  }

  private static PathSteps.Builder joined(PathSteps.Builder first, PathSteps.Builder second) {
    first.addAll(second);
    return first;
  }

  private PathSteps build(int next, long skip, int size, LevelMeter meter) {
    List<PathSteps.Stop> stops = new ArrayList<>();
    for (int position : steps.positions()) {
      int at = FrontierPart.operation(position);
      stops.add(new PathSteps.Stop(position, program.isOfEdges(at), clientOperations(at)));
    }
    return steps.build(stops, next, skip, meter.read(size, 0));
  }

  /** What the client does from an operation on, as far as it can. */
  private List<PathOperation> clientOperations(int first) {
    List<PathOperation> operations = new ArrayList<>();
    for (int at = first; ; at++) {
      PathOperation operation = clientOperation(program.at(at));
      if (operation == null) {
        return operations;
      }
      operations.add(operation);
      if (operation == PathOperation.FINISH) {
        return operations;
      }
    }
  }

  private static @Nullable PathOperation clientOperation(Operation operation) {
    if (operation instanceof Operation.PathTest test) {
      return test.simple() ? PathOperation.SIMPLE : PathOperation.CYCLIC;
    } else if (operation instanceof Operation.Distinct) {
      return PathOperation.DISTINCT;
    } else if (operation instanceof Operation.Finish) {
      return PathOperation.FINISH;
    } else if (operation instanceof Operation.End end) {
      return switch (end.end()) {
        case OUT -> PathOperation.END_OUT;
        case IN -> PathOperation.END_IN;
        case BOTH -> PathOperation.END_BOTH;
        case OTHER -> PathOperation.END_OTHER;
      };
    }
    return null;
  }

  private void block(Request.ExtendPaths request, int from, int to) {
    int position = request.part().position();
    int at = FrontierPart.operation(position);
    int round = Program.round(request.part().position());
    int[] sources = new int[to - from];
    Arrays.setAll(sources, i -> from + i);
    if (request.part().edges().isEmpty()) {
      long[] keys = Arrays.copyOfRange(request.part().vertices(), from, to);
      Group group = new Group(sources, VertexBatch.of(keys));
      if (Program.isPart(position) && program.at(at) instanceof Operation.Hop hop) {
        hop(position, hop, group);
      } else {
        vertices(at, round, group);
      }
    } else {
      EdgeBatch batch =
          EdgeBatch.of(
              request.part().edges().subList(from, to),
              Arrays.copyOfRange(request.part().reached(), from, to));
      if (!program.edgesNeedRows(at)) {
        edges(at, round, sources, batch);
        return;
      }
      BitSet here = Program.isPart(position) ? all(batch.size()) : sendOn(position, sources, batch);
      edges(at, round, select(sources, here), readRows(batch.keep(here)));
    }
  }

  private static BitSet all(int size) {
    BitSet all = new BitSet(size);
    all.set(0, size);
    return all;
  }

  /** Sends edges on whose rows are on other servers, and returns those whose rows are here. */
  private BitSet sendOn(int position, int[] sources, EdgeBatch batch) {
    BitSet here = all(batch.size());
    for (int i = 0; i < batch.size() && !splits.isTrivial(); i++) {
      EdgeKey key = batch.key(i);
      int place = splits.serverOf(key.out(), true, key.in(), view.snapshot());
      if (place != splits.server()) {
        here.clear(i);
        if (passOver == 0) {
          steps.sendOn(sources[i], Program.part(position, true), place);
        }
      }
    }
    return here;
  }

  /** Sends vertices on to the other servers that hold entries of them. */
  private void sendOn(int position, Operation.Hop hop, Group group) {
    if (splits.isTrivial() || passOver > 0) {
      return; // It was said in the first part of the answer.
    }
    for (boolean outgoing : Program.directions(hop.direction())) {
      int part = Program.part(position, outgoing);
      for (int i = 0; i < group.size(); i++) {
        long key = group.batch().keys()[i];
        for (int other : splits.elsewhere(key, outgoing, view.snapshot())) {
          steps.sendOn(group.sources()[i], part, other);
        }
      }
    }
  }

  private EdgeBatch readRows(EdgeBatch batch) {
    rowEdges += batch.size();
    return batch.withRows(rows, view);
  }

  private void vertices(int first, int round, Group arrived) {
    int at = first;
    Group group = arrived;
    while (group.size() > 0) {
      Operation operation = program.at(at);
      if (!splits.isTrivial() && !program.connectedCriteria(at).isEmpty()) {
        connections.decidable(program.connectedCriteria(at), group.batch(), tests::passing);
      }
      if (operation instanceof Operation.Keep keep) {
        group = group.keep(tests.passing(keep.criterion(), group.batch()));
      } else if (operation instanceof Operation.Hop hop) {
        int position = Program.position(at, round);
        sendOn(position, hop, group);
        hop(position, hop, group);
        return;
      } else if (operation instanceof Operation.LoopEnter enter) {
        loops.enter(enter.loop(), group);
        return;
      } else if (operation instanceof Operation.LoopBack back) {
        loops.back(back.loop(), round, group);
        return;
      } else if (operation instanceof Operation.Nowhere) {
        return;
      } else {
        stay(at, round, group.sources());
        return;
      }
      at++;
    }
  }

  private void stay(int at, int round, int[] sources) {
    if (passOver > 0) {
      return; // It was said in the first part of the answer.
    }
    int position = Program.position(at, round);
    for (int source : sources) {
      steps.stays(source, position);
    }
  }

  private void hop(int position, Operation.Hop hop, Group group) {
    int at = FrontierPart.operation(position);
    int round = Program.round(position);
    for (boolean outgoing : Program.directions(position, hop.direction())) {
      if (cut) {
        return;
      }
      if (hop.toEdges()) {
        hopToEdges(at, round, hop, outgoing, group);
      } else {
        hopToVertices(Program.position(at + 1, round), hop, outgoing, group);
      }
    }
  }

  private void hopToVertices(int position, Operation.Hop hop, boolean outgoing, Group group) {
    BitSet wanted = hop.wanted();
    adjacency.read(
        group.batch().keys(),
        0,
        group.size(),
        new NeighbourQuery(outgoing, hop.labelIds(), view),
        (index, label, others, from, to) -> {
          for (int i = from; i < to && !cut; i++) {
            if ((wanted == null || Operation.Hop.isWanted(others[i], wanted)) && hasRoom()) {
              steps.vertex(group.sources()[index], position, others[i]);
            }
          }
          return !cut;
        });
  }

  /** Whether one more is to be added: it was not before, and there is room. */
  private boolean hasRoom() {
    if (passed < passOver) {
      passed++;
      return false;
    }
    if (room <= 0) {
      cut = true;
      return false;
    }
    room--;
    passed++;
    return true;
  }

  private void hopToEdges(int at, int round, Operation.Hop hop, boolean outgoing, Group group) {
    boolean rowsHere = outgoing && program.edgesNeedRows(at + 1);
    Detail detail = rowsHere ? Detail.PROPERTIES : Detail.KEYS;
    Request.Position from = Request.Position.START;
    while (from != null && !cut) {
      ElementPage page =
          rows.expand(
              new Request.Expand(
                  group.batch().keys(), outgoing, hop.labelIds(), view, detail, from, true));
      rowEdges += page.elements();
      int[] sources = new int[page.elements()];
      Arrays.setAll(sources, e -> group.sources()[page.source(e)]);
      EdgeBatch batch = EdgeBatch.of(page, outgoing, group.batch(), rowsHere);
      int next = at + 1;
      while (program.at(next) instanceof Operation.Keep keep
          && (rowsHere || !keep.criterion().needsRows())) {
        BitSet passing = tests.passing(keep.criterion(), batch);
        sources = select(sources, passing);
        batch = batch.keep(passing);
        next++;
      }
      int position = Program.position(next, round);
      for (int i = 0; i < batch.size() && !cut; i++) {
        if (hasRoom()) {
          steps.edge(sources[i], position, batch.key(i), outgoing);
        }
      }
      from = page.next();
    }
  }

  private void edges(int first, int round, int[] sources0, EdgeBatch arrived) {
    int[] sources = sources0;
    EdgeBatch batch = arrived;
    int at = first;
    while (program.at(at) instanceof Operation.Keep keep) {
      BitSet passing = tests.passing(keep.criterion(), batch);
      sources = select(sources, passing);
      batch = batch.keep(passing);
      at++;
    }
    if (!(program.at(at) instanceof Operation.Nowhere)) {
      stay(at, round, sources);
    }
  }
}
