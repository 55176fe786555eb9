package io.graphmeta.stage.level;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.program.Program;
import io.graphmeta.stage.results.Results;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scan that a traversal begins with, if it does, page by page: all vertices or edges of this
 * shard, or those of some labels. Where the plan goes on with filters, only those are read that
 * these may be true of, if they can be named. Where it wants no more than the first in an order,
 * they are read in this order, and no further than needed; where it counts, only those that are not
 * counted otherwise. Belongs to one thread at a time.
 */
final class SourceScan {
  private final Program program;
  private final ReadView view;
  private final Results results;
  private final boolean inSlices;
  private final boolean edges;
  private final int[] labels;
  private @Nullable Position from;

  /** What the plan asks of the elements first; a conjunction of nothing if it asks nothing. */
  private final Condition.And where;

  private final boolean asksNothing;
  private final @Nullable ScanOrder order;

  /** Where vertices are, the label that is being scanned. */
  private int label;

  /** The last value of the part that is being read in order; null if there is no part behind it. */
  private @Nullable Object lastOfPart;

  /** The vertices of the label that may be wanted; null for all. */
  private long @Nullable [] wanted;

  /** The edges that may be wanted; null for all. */
  private byte @Nullable [][] wantedEdges;

  /**
   * A scan.
   *
   * @param inSlices whether the first results are wanted soon, and perhaps no others
   */
  SourceScan(Program program, ReadView view, Results results, boolean inSlices) {
    this.program = program;
    this.inSlices = inSlices;
    this.view = view;
    this.results = results;
    PlanSource source = program.plan().source();
    this.edges = source.kind() == ElementKind.EDGE;
    this.labels = source instanceof PlanSource.Scan ? program.scannedLabels() : new int[0];
    this.where = program.plan().firstCondition();
    this.asksNothing = where.of().isEmpty();
    this.order = ScanOrder.of(program.plan(), results);
    this.from = source instanceof PlanSource.Scan scan && !isEmpty(scan) ? Position.START : null;
  }

  /** Whether it is of labels that do not exist; edges of no labels are all edges. */
  private boolean isEmpty(PlanSource.Scan scan) {
    return labels.length == 0 && !(edges && scan.labels().isEmpty());
  }

  /** Whether there is more to scan. */
  boolean isLeft() {
    return from != null;
  }

  /** No more is to be scanned. */
  void end() {
    from = null;
  }

  /** Whether edges are scanned. */
  boolean isOfEdges() {
    return edges;
  }

  /** The next page; while there is more, and all of the page before is among the results. */
  ElementPage next(PageReader rows, ElementCandidates candidates) {
    Position at = from == null ? Position.START : from;
    boolean isFirst = at.key().length == 0;
    if (isFirst && lastOfPart != null && !goesOn(lastOfPart)) {
      return new ElementPage.Builder(0, edges).build(null);
    }
    ElementPage page = edges ? edges(rows, candidates, at) : vertices(rows, candidates, at);
    from = page.next();
    if (from == null) {
      nextPart();
    }
    return page;
  }

  /** Whether there can be wanted elements behind a part that was read; otherwise it moves on. */
  private boolean goesOn(Object last) {
    if (order != null && order.next(last)) {
      return true;
    }
    lastOfPart = null;
    from = null;
    nextPart();
    return false;
  }

  /** Moves on to the next part of the order, or the next label. */
  private void nextPart() {
    if (lastOfPart != null) {
      from = Position.START;
    } else if (!edges && ++label < labels.length) {
      from = Position.START;
      if (order != null) {
        order.restart();
      }
    }
  }

  // Vertices

  private ElementPage vertices(PageReader rows, ElementCandidates candidates, Position at) {
    if (at.key().length == 0) {
      wanted = wanted(labels[label], candidates);
    }
    if (wanted != null) {
      return rows.scanAmong(wanted, view, Detail.KEYS, at);
    }
    return rows.scanVertices(new Request.ScanVertices(labels[label], view, Detail.KEYS, at));
  }

  /** The vertices of a label that are to be read; null for all. */
  private long @Nullable [] wanted(int labelId, ElementCandidates candidates) {
    lastOfPart = null;
    long[] uncounted = uncounted(labelId, candidates);
    if (uncounted != null) {
      return uncounted;
    }
    ViewSpan views = ViewSpan.of(view);
    if (order != null) {
      ElementCandidates.Part<long[]> part =
          candidates.verticesInOrder(labelId, where, order.part(), program.names(), views);
      if (part != null) {
        lastOfPart = part.last();
        return part.keys();
      }
    }
    return asksNothing ? null : candidates.vertices(labelId, where, program.names(), views);
  }

  /** Counts vertices of a label without reading them; null if none are. */
  private long @Nullable [] uncounted(int labelId, ElementCandidates candidates) {
    Plan plan = program.plan();
    if (!plan.endsAtScan() || !plan.range().isAll()) {
      return null;
    }
    if (plan.result() instanceof PlanResult.Count && !asksNothing) {
      ElementCandidates.Count count = candidates.count(labelId, where, program.names(), view);
      if (count != null) {
        results.addCount(count.count());
        return count.untold();
      }
    }
    String key =
        !inSlices && plan.result() instanceof PlanResult.Values values ? values.onlyKey() : null;
    ElementCandidates.ValueCounts counts =
        key == null ? null : candidates.countValues(labelId, key, where, program.names(), view);
    if (counts != null) {
      counts.counts().forEach(results::addText);
      return counts.untold();
    }
    return null;
  }

  // Edges

  private ElementPage edges(PageReader rows, ElementCandidates candidates, Position at) {
    Set<Integer> labelIds = new HashSet<>();
    for (int labelId : labels) {
      labelIds.add(labelId);
    }
    Detail detail = program.edgesNeedRows(0) ? Detail.PROPERTIES : Detail.KEYS;
    if (at.key().length == 0) {
      wantedEdges = wantedEdges(labelIds, candidates);
    }
    return wantedEdges != null
        ? rows.scanAmong(wantedEdges, view, detail, at)
        : rows.scanEdges(new Request.ScanEdges(labelIds, view, detail, at));
  }

  /** The edges of some labels that are to be read; null for all. */
  private byte @Nullable [][] wantedEdges(Set<Integer> labelIds, ElementCandidates candidates) {
    lastOfPart = null;
    if (order != null && labels.length == 1) {
      ElementCandidates.Part<byte[][]> part =
          candidates.edgesInOrder(labels[0], where, order.part(), program.names(), view);
      if (part != null) {
        lastOfPart = part.last();
        return part.keys();
      }
    }
    return asksNothing ? null : candidates.edges(labelIds, where, program.names(), view);
  }
}
