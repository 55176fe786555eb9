package io.graphmeta.traversal;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.LevelWork;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A plan whose results depend on the way to them: a {@link PathSearch} from what the plan begins
 * with. What is wanted of the elements at the ends of the paths, other than themselves, is asked in
 * a further plan that begins with them.
 */
final class PathCursor implements PlanCursor {
  /** Paths after which it is asked again whether there is room in the heap. */
  private static final int ASKED_EACH = 1 << 12;

  private static final long PATH_BYTES = 256;

  private static final int STARTS = 1024;

  private final Plan plan;
  private final Engine engine;
  private final PathShards shards;
  private final PathSearch search;
  private final OtherPlans others;
  private final int maxRows;
  private final long startedNanos = System.nanoTime();
  private @Nullable Seeds seeds;
  private @Nullable PlanCursor scan;
  private @Nullable PlanCursor projection;
  private @Nullable PathRows rows;
  private int row = -1;

  /** The result before. */
  private @Nullable PathRows lastRows;

  private int lastRow;
  private long passed;
  private long bulk = 1;
  private boolean over;
  private boolean closed;

  /** Runs plans that need no paths. */
  @FunctionalInterface
  interface OtherPlans {
    PlanCursor run(Plan plan, Seeds seeds, Demand demand);
  }

  PathCursor(
      Plan plan,
      Seeds seeds,
      Engine engine,
      PathShards shards,
      int maxRows,
      Demand demand,
      OtherPlans others) {
    this.plan = plan;
    this.engine = engine;
    this.shards = shards;
    this.others = others;
    this.maxRows = maxRows;
    boolean inOrder = plan.hasDedup();
    boolean few = !plan.range().isAll() || demand == Demand.AS_ASKED;
    this.search = new PathSearch(shards, maxRows, inOrder, few);
    if (plan.source() instanceof PlanSource.Scan) {
      // The filters go along, so that indexes can name what they let through; ways begin with them.
      List<PlanStep> filters =
          plan.steps().stream().takeWhile(PlanStep.Filter.class::isInstance).toList();
      Plan all = new Plan(plan.source(), filters, ResultRange.ALL, new PlanResult.Elements());
      this.scan = others.run(all, Seeds.NONE, few ? Demand.AS_ASKED : Demand.ALL);
      if (inOrder) {
        startAll();
      }
    } else {
      this.seeds = seeds;
    }
  }

  /** What comes first is decided over all that the plan begins with. */
  private void startAll() {
    boolean started = false;
    try {
      for (PathRows starts = scanned(); starts != null; starts = scanned()) {
        search.start(starts);
      }
      started = true;
    } finally {
      if (!started) {
        close();
      }
    }
  }

  @Override
  public boolean next() {
    if (closed) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The traversal was closed; run it again");
    }
    if (plan.result() instanceof PlanResult.Count) {
      boolean first = !over;
      bulk = first ? count() : bulk;
      return first;
    } else if (plan.result() instanceof PlanResult.Values
        || plan.result() instanceof PlanResult.Reduced
        || plan.result() instanceof PlanResult.Top) {
      PlanCursor running = projection;
      if (running == null) {
        running = others.run(projecting(), ends(), Demand.ALL);
        projection = running;
      }
      return running.next();
    }
    return nextPath();
  }

  /** Moves to the next path within the range. */
  private boolean nextPath() {
    lastRows = row < 0 ? null : rows;
    lastRow = row;
    while (!over) {
      PathRows current = rows;
      if (current != null && row + 1 < current.size()) {
        if (passed >= plan.range().high()) {
          break;
        }
        row++;
        if ((passed & ASKED_EACH - 1) == ASKED_EACH - 1) {
          HeapGauge.ofProcess().requireRoom(ASKED_EACH * PATH_BYTES, "the paths of a traversal");
        }
        if (passed++ >= plan.range().low()) {
          return true;
        }
      } else if (passed >= plan.range().high()) {
        break;
      } else {
        rows = search.next();
        row = -1;
        over = rows == null && !startMore();
      }
    }
    over = true;
    return false;
  }

  private boolean startMore() {
    PathRows starts = seeds != null ? given(seeds) : scanned();
    seeds = null;
    if (starts != null) {
      search.start(starts);
    }
    return starts != null;
  }

  private PathRows given(Seeds begin) {
    boolean edges = plan.source().kind() == ElementKind.EDGE;
    PathRows starts = new PathRows(null, edges);
    if (edges) {
      begin.edges().forEach(edge -> starts.addEdge(0, edge, true));
    } else {
      for (long vertex : begin.vertices()) {
        starts.addVertex(0, vertex);
      }
    }
    return starts;
  }

  private @Nullable PathRows scanned() {
    PlanCursor scanning = scan;
    if (scanning == null) {
      return null;
    }
    boolean edges = plan.source().kind() == ElementKind.EDGE;
    PathRows starts = new PathRows(null, edges);
    while (starts.size() < STARTS && scanning.next()) {
      for (long times = scanning.bulk(); times > 0; times--) {
        if (edges) {
          starts.addEdge(0, scanning.edge(), true);
        } else {
          starts.addVertex(0, scanning.vertex());
        }
      }
    }
    if (starts.size() < STARTS) {
      scan = null;
      scanning.close();
    }
    return starts.size() == 0 ? null : starts;
  }

  private long count() {
    long count = 0;
    while (nextPath()) {
      count++;
    }
    return count;
  }

  private Plan projecting() {
    return new Plan(
        new PlanSource.Given(plan.finalKind()), List.of(), ResultRange.ALL, plan.result());
  }

  /** The elements at the ends of all paths. */
  private Seeds ends() {
    List<Long> vertices = new ArrayList<>();
    List<EdgeKey> edges = new ArrayList<>();
    while (nextPath()) {
      PathRows current = current();
      if (current.isOfEdges()) {
        edges.add(current.edge(row));
      } else {
        vertices.add(current.vertex(row));
      }
      if (vertices.size() + edges.size() > maxRows) {
        throw new GraphMetaException(
            ErrorCode.LIMIT_EXCEEDED,
            "A traversal has more than "
                + maxRows
                + " paths of which properties are wanted; expected fewer (narrow it, or raise"
                + " graphmeta.max-frontier)");
      }
    }
    return new Seeds(vertices.stream().mapToLong(Long::longValue).toArray(), edges);
  }

  private PathRows current() {
    PathRows current = rows;
    if (current == null || row < 0 || over) {
      throw new NoSuchElementException("The traversal stands at no result; call next() first");
    }
    return current;
  }

  @Override
  public long bulk() {
    return projection != null ? projection.bulk() : bulk;
  }

  @Override
  public long vertex() {
    return projection != null ? projection.vertex() : current().vertex(row);
  }

  @Override
  public @Nullable VertexRecord vertexRecord() {
    return null;
  }

  @Override
  public EdgeKey edge() {
    return projection != null ? projection.edge() : current().edge(row);
  }

  @Override
  public Object value(int column) {
    if (projection == null) {
      throw new NoSuchElementException("The traversal stands at no result; call next() first");
    }
    return projection.value(column);
  }

  @Override
  public List<Object> path(int from) {
    return current().path(row, from);
  }

  @Override
  public int pathShared() {
    PathRows before = lastRows;
    return before == null ? 0 : current().shared(row, before, lastRow);
  }

  @Override
  public TraversalProfile profile() {
    List<TraversalProfile.Part> parts = new ArrayList<>();
    Iterator<PathShards.Done> all = shards.done().iterator();
    while (all.hasNext()) {
      PathShards.Done done = all.next();
      LevelWork work = done.work();
      parts.add(
          new TraversalProfile.Part(
              done.level(),
              done.shard(),
              work.frontier(),
              work.edges(),
              work.bytes(),
              work.messages(),
              work.cacheHits(),
              work.cacheMisses(),
              0,
              0,
              0,
              work.workNanos(),
              0,
              0));
    }
    return new TraversalProfile(engine, System.nanoTime() - startedNanos, parts);
  }

  @Override
  public void close() {
    closed = true;
    PlanCursor scanning = scan;
    if (scanning != null) {
      scanning.close();
    }
    PlanCursor running = projection;
    if (running != null) {
      running.close();
    }
  }
}
