package io.graphmeta.traversal;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.PathOperation;
import io.graphmeta.protocol.PathSteps;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Follows paths. Belongs to one thread.
 *
 * <p>Paths stand in {@link PathRows}, which share what they have in common. Rows at one position
 * are taken in chunks: what is at their ends is asked of the shards, once for each element, and
 * each row becomes as many as its element leads to. What a chunk became is gone on with before the
 * chunks behind it, so that rows are kept for what is under way at each length, and results come
 * before all is read. Where few results may be wanted, chunks are small at first, and become larger
 * when one leads no further.
 *
 * <p>Only if the plan keeps the first path to an element, which is that of the earliest round, rows
 * are taken in the order in which they came.
 */
final class PathSearch {
  /** Ends of paths that may be kept without asking whether there is room in the heap. */
  private static final int UNASKED_ROWS = 1 << 14;

  private static final long ROW_BYTES = 64;

  private static final int FIRST_LIMITED_CHUNK = 8;
  private static final int FIRST_CHUNK = 1024;
  private static final int MAX_CHUNK = 4096;

  private final PathShards shards;
  private final int maxRows;
  private final boolean inOrder;
  private final boolean limited;
  private final PathMemo memo = new PathMemo();
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final Deque<PathRows> found = new ArrayDeque<>();
  private final Map<Integer, Set<Object>> seen = new HashMap<>();
  private long rows;
  private int chunk;

  /**
   * Nothing to follow yet.
   *
   * @param maxRows most rows kept at a time
   * @param inOrder whether rows are taken in the order in which they came
   * @param limited whether few results are wanted
   */
  PathSearch(PathShards shards, int maxRows, boolean inOrder, boolean limited) {
    this.shards = shards;
    this.maxRows = maxRows;
    this.inOrder = inOrder;
    this.limited = limited;
    this.chunk = limited ? FIRST_LIMITED_CHUNK : FIRST_CHUNK;
  }

  /** Rows of which those before {@code next} are done. */
  private static final class Pending {
    final int position;
    final PathRows rows;
    int next;

    Pending(int position, PathRows rows) {
      this.position = position;
      this.rows = rows;
    }
  }

  /** Adds paths of one element at the beginning of the plan. */
  void start(PathRows starts) {
    push(0, starts);
  }

  /** The next paths found, or null if there are none but of paths yet to be started. */
  @Nullable PathRows next() {
    while (found.isEmpty() && !pending.isEmpty()) {
      Pending first = pending.getFirst();
      if (first.next == first.rows.size()) {
        pending.removeFirst();
        rows -= first.rows.size();
        continue;
      }
      int from = first.next;
      first.next = Math.min(first.rows.size(), from + chunk);
      int waiting = pending.size();
      extend(first.position, first.rows, from, first.next);
      boolean ledNoFurther = pending.size() == waiting;
      if (first.next == from + chunk && (ledNoFurther || !limited || inOrder)) {
        chunk = Math.min(MAX_CHUNK, chunk * 2);
      }
    }
    return found.poll();
  }

  private void push(int position, PathRows more) {
    if (more.size() == 0) {
      return;
    }
    rows += more.size();
    if (rows > maxRows) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal keeps more than "
              + maxRows
              + " ends of paths at a time; expected fewer (narrow it, take fewer rounds, or raise"
              + " graphmeta.max-frontier)");
    }
    if (rows > UNASKED_ROWS) {
      HeapGauge.ofProcess().requireRoom(ROW_BYTES * more.size(), "the paths of a traversal");
    }
    Pending added = new Pending(position, more);
    if (inOrder) {
      pending.addLast(added);
    } else {
      pending.addFirst(added);
    }
  }

  private void extend(int position, PathRows of, int from, int to) {
    ask(position, of, from, to);
    Children children = new Children(of);
    for (int row = from; row < to; row++) {
      children.row = row;
      memo.visit(position, element(of, row), children);
    }
    memo.trim();
    children.unchanged.forEach(this::arrive);
    children.longer.forEach(this::arrive);
  }

  private static Object element(PathRows of, int row) {
    return of.isOfEdges() ? (Object) of.edge(row) : (Object) of.vertex(row);
  }

  private void ask(int position, PathRows of, int from, int to) {
    Map<Integer, List<Object>> byShard = new HashMap<>();
    Set<Object> unknown = new LinkedHashSet<>();
    for (int row = from; row < to; row++) {
      Object element = element(of, row);
      if (memo.isUnknown(position, element) && unknown.add(element)) {
        long home = of.isOfEdges() ? of.edge(row).out() : of.vertex(row);
        byShard.computeIfAbsent(shards.home(home), any -> new ArrayList<>()).add(element);
      }
    }
    if (!unknown.isEmpty()) {
      shards.ask(of.length() - 1, position, of.isOfEdges(), byShard, memo::add);
    }
  }

  /** What the rows of a chunk become, by position. */
  private final class Children implements PathMemo.Visitor {
    final PathRows of;
    final Map<Integer, PathRows> unchanged = new HashMap<>();
    final Map<Integer, PathRows> longer = new HashMap<>();
    int row;

    Children(PathRows of) {
      this.of = of;
    }

    @Override
    public void stays(int position) {
      unchanged.computeIfAbsent(position, any -> of.like()).addRow(of, row);
    }

    @Override
    public void follow(int position, PathSteps steps, int start, int count) {
      boolean edges = memo.isOfEdges(position);
      PathRows children = longer.computeIfAbsent(position, any -> new PathRows(of, edges));
      if (edges) {
        for (int i = start; i < start + count; i++) {
          children.addEdge(row, steps.edges().get(i), steps.reached()[i]);
        }
      } else {
        children.addVertices(row, steps.vertices(), start, count);
      }
      if (rows + children.size() > maxRows) {
        push(position, children); // which fails
      }
    }
  }

  /** Does at a position what needs no shard. */
  private void arrive(int position, PathRows arrived) {
    PathRows here = arrived;
    int at = position;
    for (PathOperation operation : memo.operations(position)) {
      if (operation == PathOperation.FINISH) {
        if (here.size() > 0) {
          found.addLast(here);
        }
        return;
      }
      here =
          switch (operation) {
            case SIMPLE -> here.keepSimple(true);
            case CYCLIC -> here.keepSimple(false);
            case DISTINCT -> distinct(at, here);
            default -> ends(operation, here);
          };
      at++;
    }
    push(at, here);
  }

  private PathRows distinct(int position, PathRows of) {
    Set<Object> before =
        seen.computeIfAbsent(FrontierPart.operation(position), any -> new HashSet<>());
    PathRows kept = of.like();
    for (int row = 0; row < of.size(); row++) {
      if (before.add(element(of, row))) {
        kept.addRow(of, row);
      }
    }
    return kept;
  }

  private static PathRows ends(PathOperation operation, PathRows of) {
    PathRows ends = new PathRows(of, false);
    for (int row = 0; row < of.size(); row++) {
      EdgeKey edge = of.edge(row);
      boolean fromSource = of.isReachedFromSource(row);
      boolean other = operation == PathOperation.END_OTHER;
      boolean both = operation == PathOperation.END_BOTH;
      if (both || operation == PathOperation.END_OUT || other && !fromSource) {
        ends.addVertex(row, edge.out());
      }
      if (both || operation == PathOperation.END_IN || other && fromSource) {
        ends.addVertex(row, edge.in());
      }
    }
    return ends;
  }
}
