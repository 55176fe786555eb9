package io.graphmeta.stage.level;

import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.PathOperation;
import io.graphmeta.protocol.PathSteps;
import io.graphmeta.protocol.Request;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.SeenElements;
import io.graphmeta.stage.flow.Work;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells where elements at a position lead, for a client that keeps paths: walks the operations from
 * there over the next hop, or up to an operation that only the client can do, and keeps nothing.
 * Belongs to one thread at a time.
 *
 * <p>Elements are taken in blocks. A block that leads to more elements than an answer holds is cut
 * and begun again; one element that does is answered in several parts, each of which passes over
 * what the parts before it had.
 *
 * <p>For elements that have entries or rows on other shards, these shards are asked for their parts
 * ({@link #elsewhere}) within the same request, and the parts are added to the answer. If the part
 * of a shard does not fit into one of its answers, the client is told to ask that shard itself for
 * the elements that are left.
 */
public final class PathExtension {
  private static final int BLOCK = 256;
  private static final int LEAST_SIZE = 64;

  /** About what an element that follows takes in an answer, in bytes. */
  private static final int ELEMENT_BYTES = 8;

  private final Request.ExtendPaths request;
  private final Program program;
  private final int mostSize;
  private final PathSink sink = new PathSink();
  private final List<PathSink.SentOn> sentOn = new ArrayList<>();
  private PathSteps.@Nullable Builder collected;
  private int nextIndex;
  private long skip;
  private LevelWork work = LevelWork.NONE;

  private PathExtension(Request.ExtendPaths request, Program program, int pageBytes) {
    this.request = request;
    this.program = program;
    this.mostSize = Math.max(LEAST_SIZE, pageBytes / ELEMENT_BYTES);
  }

  /**
   * Answers a request as far as this shard can. If that leads to questions to other shards, the
   * request is to be answered again when their answers are known.
   *
   * @param connections takes the questions, and has the answers
   * @param pageBytes about the size of an answer, in bytes
   */
  public static PathExtension extend(
      Request.ExtendPaths request,
      Program program,
      LevelReads reads,
      SplitTable splits,
      Connections connections,
      int pageBytes) {
    PathExtension extension = new PathExtension(request, program, pageBytes);
    try (OperationWalk walk =
        new OperationWalk(
            program,
            request.view(),
            splits,
            connections,
            new SeenElements(0), // nothing is kept once here
            reads,
            extension.sink)) {
      LevelMeter meter = new LevelMeter(walk::counts);
      extension.run(walk);
      extension.work = meter.read(request.part().size(), extension.otherShards());
    }
    return extension;
  }

  private int otherShards() {
    Set<Integer> shards = new HashSet<>();
    sentOn.forEach(sent -> shards.add(sent.shard()));
    return shards.size();
  }

  private void run(OperationWalk walk) {
    int size = request.part().size();
    int index = request.fromIndex();
    long passOver = request.skip();
    int block = passOver > 0 ? 1 : BLOCK;
    while (index < size && hasRoom()) {
      int to = Math.min(size, index + block);
      boolean alone = isEmpty() && block == 1;
      sink.begin(mostSize, passOver);
      runBlock(walk, index, to);
      boolean cut = sink.isFull();
      if (cut && !alone) {
        if (!isEmpty()) {
          break;
        }
        block = Math.max(1, block / 4);
        continue;
      }
      collect();
      if (cut) {
        nextIndex = index;
        skip = sink.passed();
        return;
      }
      passOver = 0;
      index = to;
    }
    nextIndex = index < size ? index : -1;
  }

  private boolean isEmpty() {
    return (collected == null || collected.size() == 0) && sentOn.isEmpty();
  }

  /** Whether the answer, with what the other shards are about to add, is not a page yet. */
  private boolean hasRoom() {
    return collected == null
        || collected.size() + 2 * sentOn.size() < mostSize / (1 + sink.otherShards());
  }

  private void runBlock(OperationWalk walk, int from, int to) {
    long[] sources = new long[to - from];
    Arrays.setAll(sources, i -> from + i);
    FrontierPart part = request.part();
    if (part.edges().isEmpty()) {
      long[] keys = Arrays.copyOfRange(part.vertices(), from, to);
      walk.run(Work.vertices(part.position(), new VertexBatch(keys, sources)));
    } else {
      walk.run(
          Work.edges(
              part.position(),
              EdgeBatch.of(
                  part.edges().subList(from, to),
                  Arrays.copyOfRange(part.reached(), from, to),
                  sources)));
    }
    for (Work hop = sink.nextHop(); hop != null && !sink.isFull(); hop = sink.nextHop()) {
      walk.run(hop);
    }
  }

  private void collect() {
    PathSteps.Builder before = collected;
    if (before == null) {
      collected = sink.steps();
    } else {
      before.addAll(sink.steps());
    }
    sentOn.addAll(sink.sentOn());
  }

  /**
   * What another shard is to be asked.
   *
   * @param sources of each element that it is asked for, its number in the request answered here
   */
  public record Elsewhere(int shard, Request.ExtendPaths request, int[] sources) {}

  /** What the other shards are to be asked, each once for each position. */
  public List<Elsewhere> elsewhere() {
    Map<Integer, Map<Integer, List<Integer>>> byPosition = new TreeMap<>();
    for (PathSink.SentOn sent : sentOn) {
      byPosition
          .computeIfAbsent(sent.position(), any -> new TreeMap<>())
          .computeIfAbsent(sent.shard(), any -> new ArrayList<>())
          .add(sent.source());
    }
    List<Elsewhere> elsewhere = new ArrayList<>();
    byPosition.forEach(
        (position, shards) ->
            shards.forEach(
                (shard, of) -> {
                  int[] sources = of.stream().mapToInt(Integer::intValue).toArray();
                  elsewhere.add(new Elsewhere(shard, asking(position, sources), sources));
                }));
    return elsewhere;
  }

  private Request.ExtendPaths asking(int position, int[] sources) {
    FrontierPart part = request.part();
    boolean vertices = part.edges().isEmpty();
    long[] keys = new long[vertices ? sources.length : 0];
    List<EdgeKey> edges = new ArrayList<>();
    boolean[] reached = new boolean[vertices ? 0 : sources.length];
    for (int i = 0; i < sources.length; i++) {
      if (vertices) {
        keys[i] = part.vertices()[sources[i]];
      } else {
        edges.add(part.edges().get(sources[i]));
        reached[i] = part.reached()[sources[i]];
      }
    }
    return new Request.ExtendPaths(
        request.plan(),
        request.names(),
        request.view(),
        new FrontierPart(position, keys, edges, reached, new long[0]),
        0,
        0);
  }

  /** Adds what another shard has answered. */
  public void add(Elsewhere asked, PathSteps answer) {
    PathSteps.Builder to = builder();
    int answered = answer.nextIndex() < 0 ? asked.sources().length : answer.nextIndex();
    to.addAll(answer, asked.sources(), answered);
    for (int i = answered; i < asked.sources().length; i++) {
      to.sendOn(asked.sources()[i], asked.request().part().position(), asked.shard());
    }
    work = work.plus(answer.work());
  }

  private PathSteps.Builder builder() {
    PathSteps.Builder builder = collected;
    if (builder == null) {
      builder = new PathSteps.Builder();
      collected = builder;
    }
    return builder;
  }

  /** The answer, when what the other shards have answered was added. */
  public PathSteps steps() {
    PathSteps.Builder builder = builder();
    List<PathSteps.Stop> stops = new ArrayList<>();
    for (int position : builder.positions()) {
      boolean edges = program.isOfEdges(FrontierPart.operation(position));
      stops.add(new PathSteps.Stop(position, edges, clientOperations(position)));
    }
    return builder.build(stops, nextIndex, skip, work);
  }

  /** What the client does from a position on, as far as it can. */
  private List<PathOperation> clientOperations(int position) {
    List<PathOperation> operations = new ArrayList<>();
    for (int at = FrontierPart.operation(position); ; at++) {
      PathOperation operation =
          program.isFinish(at, Program.round(position))
              ? PathOperation.FINISH
              : clientOperation(program.at(at));
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
}
