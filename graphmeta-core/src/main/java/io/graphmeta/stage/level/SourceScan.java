package io.graphmeta.stage.level;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.program.Program;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scan that a traversal begins with, if it does, page by page: all vertices or edges of this
 * shard, or those of some labels. Where the plan goes on with filters, only those are read that
 * these may be true of, if they can be named. Belongs to one thread at a time.
 */
final class SourceScan {
  private final Program program;
  private final ReadView view;
  private final boolean edges;
  private final int[] labels;
  private @Nullable Position from;

  /** What the plan asks of the elements first; null for nothing. */
  private final @Nullable Condition where;

  /** Where vertices are, the label that is being scanned. */
  private int label;

  /** The vertices of the label that may be wanted; null for all. */
  private long @Nullable [] wanted;

  /** The edges that may be wanted; null for all. */
  private byte @Nullable [][] wantedEdges;

  SourceScan(Program program, ReadView view) {
    this.program = program;
    this.view = view;
    PlanSource source = program.plan().source();
    this.edges = source.kind() == ElementKind.EDGE;
    this.labels = source instanceof PlanSource.Scan ? program.scannedLabels() : new int[0];
    this.where = firstCondition(program.plan().steps());
    this.from = source instanceof PlanSource.Scan scan && !isEmpty(scan) ? Position.START : null;
  }

  private static @Nullable Condition firstCondition(List<PlanStep> steps) {
    List<Condition> conditions = new ArrayList<>();
    for (PlanStep step : steps) {
      if (!(step instanceof PlanStep.Filter filter)) {
        break;
      }
      conditions.add(filter.condition());
    }
    return conditions.isEmpty() ? null : new Condition.And(conditions);
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

  /** The next page; while there is more. */
  ElementPage next(PageReader rows, ElementCandidates candidates) {
    Position at = from == null ? Position.START : from;
    ElementPage page = edges ? edges(rows, candidates, at) : vertices(rows, candidates, at);
    from = page.next();
    if (from == null && !edges && ++label < labels.length) {
      from = Position.START;
    }
    return page;
  }

  private ElementPage vertices(PageReader rows, ElementCandidates candidates, Position at) {
    if (at.key().length == 0) {
      wanted =
          where == null
              ? null
              : candidates.vertices(labels[label], where, program.names(), ViewSpan.of(view));
    }
    if (wanted != null) {
      return rows.scanAmong(wanted, view, Detail.KEYS, at);
    }
    return rows.scanVertices(new Request.ScanVertices(labels[label], view, Detail.KEYS, at));
  }

  private ElementPage edges(PageReader rows, ElementCandidates candidates, Position at) {
    Set<Integer> labelIds = new HashSet<>();
    for (int labelId : labels) {
      labelIds.add(labelId);
    }
    Detail detail = program.edgesNeedRows(0) ? Detail.PROPERTIES : Detail.KEYS;
    if (at.key().length == 0) {
      wantedEdges = where == null ? null : candidates.edges(labelIds, where, program.names(), view);
    }
    return wantedEdges != null
        ? rows.scanAmong(wantedEdges, view, detail, at)
        : rows.scanEdges(new Request.ScanEdges(labelIds, view, detail, at));
  }
}
