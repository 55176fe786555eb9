package io.graphmeta.gtravel;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.PlanStep.End;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.stability.Experimental;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A traversal in the words of the paper (GraphMeta, section 4.2): vertex selectors {@code v}, edge
 * selectors {@code e}, attribute filters {@code va} and {@code ea} of the types {@link
 * AttributeTest}, the return indicator {@code rtn}, {@code repeat}, and {@code return_fp}, which is
 * {@link #returnFullPath} here. The validation of a result (section 2) is
 *
 * <pre>
 * GTravel.in(tx).v(r).e("wasWrittenBy").v().e("read").repeat().returnFullPath()
 * </pre>
 *
 * <p>A traversal goes from working set to working set; a working set holds each element once.
 * Nothing is read before {@link #travel} or {@link #returnFullPath}. Belongs to the thread of its
 * transaction; each call changes the traversal and returns it.
 */
@Experimental
public final class GTravel {
  /** Most results without a limit of one's own. */
  public static final int MAX_RESULTS = 1_000_000;

  /** The paper's names of relations from their other end (Table 1), by the label of the edge. */
  private static final Map<String, String> REVERSED =
      Map.of(
          "wasRunBy", Vocabulary.RAN,
          "exedBy", Vocabulary.EXE,
          "wasReadBy", Vocabulary.READ,
          "wasWrittenBy", Vocabulary.WROTE,
          "belongsTo", Vocabulary.CONTAINS);

  private final GraphTransaction tx;
  private final List<Leg> legs = new ArrayList<>();
  private List<String> ids = List.of();
  private PlanSource source = new PlanSource.Given(ElementKind.VERTEX);
  private ReadView view;
  private Engine engine = Engine.PREFETCH;
  private long limit = Long.MAX_VALUE;

  /** The end of an edge that {@code v()} goes to; set by the edge selector before it. */
  private End end = End.IN;

  private List<String> labels = List.of();

  private GTravel(GraphTransaction tx) {
    this.tx = tx;
    this.view = tx.snapshot();
  }

  /** A traversal in a transaction, under its snapshot. */
  public static GTravel in(GraphTransaction tx) {
    return new GTravel(tx);
  }

  /** The engine that runs it; {@link Engine#PREFETCH} unless told otherwise. */
  public GTravel engine(Engine chosen) {
    engine = chosen;
    return this;
  }

  /** Most results wanted; which ones is left open. */
  public GTravel limit(long results) {
    limit = new ResultRange(0, results).high();
    return this;
  }

  // Versions

  /**
   * Lets the selectors that follow see the graph as it was at a moment, given as {@link
   * Stamp#viewpoint} takes it.
   */
  public GTravel asOf(Object moment) {
    return asOf(tx.view(Stamp.viewpoint(moment), null));
  }

  /** Lets the selectors that follow see the graph under a view. */
  public GTravel asOf(ReadView newView) {
    view = newView;
    return this;
  }

  // Selectors

  /**
   * At the beginning, the vertices with these ids, of which those that the view does not see are
   * left out; without ids, all vertices. Behind an edge selector, without ids, the vertices at the
   * other ends of the edges.
   */
  public GTravel v(String... vertexIds) {
    if (!legs.isEmpty()) {
      require(vertexIds.length == 0, "v(" + String.join(", ", vertexIds) + ") behind another step");
      require(leg().kind() == ElementKind.EDGE, "v() behind vertices");
      toVertices();
      return this;
    }
    ids = List.of(vertexIds);
    if (ids.isEmpty()) {
      source = new PlanSource.Scan(ElementKind.VERTEX, List.of());
    }
    legs.add(new Leg(ElementKind.VERTEX, view));
    return this;
  }

  /** At the beginning, all vertices of some labels; the types of the paper's schema. */
  public GTravel ofLabel(String... vertexLabels) {
    require(legs.isEmpty(), "ofLabel(...) behind another step");
    source = new PlanSource.Scan(ElementKind.VERTEX, List.of(vertexLabels));
    legs.add(new Leg(ElementKind.VERTEX, view));
    return this;
  }

  /**
   * The edges of the vertices by their labels; all that leave them if none is given. The names of
   * the paper's Table 1 for a relation seen from its other end ({@code wasRunBy}, {@code exedBy},
   * {@code wasReadBy}, {@code wasWrittenBy}, {@code belongsTo}) select the edges of the relation
   * that enter.
   */
  public GTravel e(String... edgeLabels) {
    long reversed = List.of(edgeLabels).stream().filter(REVERSED::containsKey).count();
    require(
        reversed == 0 || reversed == edgeLabels.length,
        "e(" + String.join(", ", edgeLabels) + ") in both directions at once");
    if (reversed == 0) {
      return eOut(edgeLabels);
    }
    return eIn(
        List.of(edgeLabels).stream()
            .map(name -> Objects.requireNonNull(REVERSED.get(name)))
            .toArray(String[]::new));
  }

  /** The edges that leave the vertices, by the labels that they were given. */
  public GTravel eOut(String... edgeLabels) {
    return edges(Direction.OUT, End.OUT, End.IN, edgeLabels);
  }

  /** The edges that enter the vertices, by the labels that they were given. */
  public GTravel eIn(String... edgeLabels) {
    return edges(Direction.IN, End.IN, End.OUT, edgeLabels);
  }

  private GTravel edges(Direction direction, End from, End to, String... edgeLabels) {
    requireBegun("an edge selector");
    if (leg().kind() == ElementKind.EDGE) {
      toVertices();
    }
    boolean filteredEntry = legs.size() == 1 && !leg().isEmpty() && !leg().hasMoves();
    selectorLeg(filteredEntry);
    end = to;
    labels = List.of(edgeLabels);
    leg()
        .add(
            new PlanStep.Expand(direction, labels, true),
            new PlanStep.EdgeEnd(from),
            ElementKind.EDGE);
    return this;
  }

  private void toVertices() {
    selectorLeg(false);
    leg()
        .add(
            new PlanStep.EdgeEnd(end),
            new PlanStep.Expand(end == End.IN ? Direction.IN : Direction.OUT, labels, true),
            ElementKind.VERTEX);
  }

  /** The leg that a selector belongs to: another one behind what is returned, or under a view. */
  private void selectorLeg(boolean another) {
    Leg last = leg();
    if (another || last.isMarked() || last.isRepeated() || !last.view().equals(view)) {
      legs.add(new Leg(last.kind(), view));
    }
  }

  // Filters

  /** Keeps the vertices with a value of the attribute that passes; several filters all must. */
  public GTravel va(String key, AttributeTest test, Object... operands) {
    return filter(ElementKind.VERTEX, "va", key, test.of(key, operands));
  }

  /** Keeps the edges whose value of the attribute passes; several filters all must. */
  public GTravel ea(String key, AttributeTest test, Object... operands) {
    return filter(ElementKind.EDGE, "ea", key, test.of(key, operands));
  }

  private GTravel filter(ElementKind kind, String name, String key, ValueTest test) {
    requireBegun(name + "('" + key + "', ...)");
    require(leg().kind() == kind, name + "('" + key + "', ...) behind a " + leg().kind());
    require(!leg().isMarked(), name + "('" + key + "', ...) behind rtn()");
    require(!leg().isRepeated(), name + "('" + key + "', ...) behind repeat()");
    PlanStep step = new PlanStep.Filter(new Condition.Property(key, test));
    leg().add(step, step, kind);
    return this;
  }

  // What is returned

  /**
   * Marks the working set behind the step before for return: of its elements those from which the
   * rest of the traversal leads to its end. Without a mark the last working set is returned.
   */
  public GTravel rtn() {
    requireBegun("rtn()");
    leg().mark();
    return this;
  }

  /**
   * Goes through all steps behind the first selector again and again, as long as they lead on; what
   * each round ends at is in the result. Behind edges it includes the step to their other ends.
   */
  public GTravel repeat() {
    return repeat(0);
  }

  /** As {@link #repeat()}, but so many rounds at most; 0 for no limit. */
  public GTravel repeat(int times) {
    requireBegun("repeat()");
    require(!leg().isMarked(), "repeat() behind rtn()");
    if (leg().kind() == ElementKind.EDGE) {
      toVertices();
    }
    require(
        legs.stream().limit(legs.size() - 1).allMatch(leg -> leg == legs.get(0) && entry(leg)),
        "repeat() with rtn() or another version on the way");
    leg().repeat(times);
    return this;
  }

  private boolean entry(Leg leg) {
    return !leg.hasMoves() && leg.view().equals(view);
  }

  // Running

  /**
   * Runs the traversal.
   *
   * @return the marked working sets in the order of the marks, or the last one
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} for more than {@value #MAX_RESULTS} elements
   *     in a set without a limit
   */
  public List<WorkingSet> travel() {
    requireBegun("travel()");
    if (legs.stream().noneMatch(Leg::isMarked)) {
      leg().mark();
    }
    List<Seeds> reached = forward();
    int first = 0;
    while (!legs.get(first).isMarked()) {
      first++;
    }
    for (int i = legs.size() - 1; i > first; i--) {
      Seeds before = run(legs.get(i).backward(), reached.get(i), legs.get(i).view());
      reached.set(i - 1, inBoth(reached.get(i - 1), before));
    }
    List<WorkingSet> sets = new ArrayList<>();
    for (int i = first; i < legs.size(); i++) {
      if (legs.get(i).isMarked()) {
        sets.add(read(reached.get(i), legs.get(i).view()));
      }
    }
    return sets;
  }

  /** What each leg ends at. */
  private List<Seeds> forward() {
    List<Seeds> reached = new ArrayList<>();
    Seeds at = entries();
    for (int i = 0; i < legs.size(); i++) {
      Leg leg = legs.get(i);
      ElementKind kind = i == 0 ? ElementKind.VERTEX : legs.get(i - 1).kind();
      if (i > 0 && !leg.view().equals(legs.get(i - 1).view())) {
        at = living(at, leg.view());
      }
      PlanSource from = i == 0 ? source : new PlanSource.Given(kind);
      boolean last = i == legs.size() - 1;
      ResultRange range = last ? new ResultRange(0, limit) : ResultRange.ALL;
      at = run(leg.forward(from, range), at, leg.view());
      reached.add(at);
    }
    return reached;
  }

  private Seeds entries() {
    if (source instanceof PlanSource.Scan) {
      return Seeds.NONE;
    }
    Set<Long> keys = new LinkedHashSet<>();
    for (VertexRecord vertex : tx.verticesById(ids, legs.get(0).view())) {
      if (vertex != null) {
        keys.add(vertex.key());
      }
    }
    return Seeds.vertices(keys.stream().mapToLong(Long::longValue).toArray());
  }

  private Seeds living(Seeds set, ReadView under) {
    WorkingSet seen = read(set, under);
    return new Seeds(
        seen.vertices().stream().mapToLong(VertexRecord::key).toArray(),
        seen.edges().stream().map(edge -> edge.key()).toList());
  }

  private Seeds run(Plan plan, Seeds from, ReadView under) {
    boolean toVertices = plan.finalKind() == ElementKind.VERTEX;
    Elements found = new Elements();
    try (PlanCursor run = tx.run(plan, from, under, engine)) {
      for (int results = 1; run.next(); results++) {
        requireResults(results);
        if (toVertices) {
          found.vertices.add(run.vertex());
        } else {
          found.edges.add(run.edge());
        }
      }
    }
    return found.seeds();
  }

  private void requireResults(int results) {
    if (results > MAX_RESULTS && limit == Long.MAX_VALUE) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal has more than "
              + MAX_RESULTS
              + " results in one set; expected fewer (narrow it, or set limit(...))");
    }
  }

  private static Seeds inBoth(Seeds one, Seeds other) {
    Elements both = new Elements();
    Elements others = new Elements(other);
    for (long vertex : one.vertices()) {
      if (others.vertices.contains(vertex)) {
        both.vertices.add(vertex);
      }
    }
    both.edges.addAll(one.edges());
    both.edges.retainAll(others.edges);
    return both.seeds();
  }

  private WorkingSet read(Seeds set, ReadView under) {
    return new WorkingSet(
        tx.vertices(set.vertices(), under).stream().filter(Objects::nonNull).toList(),
        tx.edges(set.edges(), under).stream().filter(Objects::nonNull).toList());
  }

  /**
   * Runs the traversal and returns every way from its beginning to its end, edges included. In a
   * repetition a way meets no element twice.
   *
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} for more than {@value #MAX_RESULTS} ways
   *     without a limit
   */
  public List<FullPath> returnFullPath() {
    Plan plan = pathPlan();
    List<List<Object>> ways = new ArrayList<>();
    try (PlanCursor run = tx.run(plan, entries(), legs.get(0).view(), engine)) {
      while (run.next()) {
        requireResults(ways.size() + 1);
        ways.add(run.path());
      }
    }
    return new PathReader(tx, legs.get(0).view()).read(ways);
  }

  /** The plan that {@link #returnFullPath} runs. */
  Plan pathPlan() {
    requireBegun("returnFullPath()");
    List<PlanStep> steps = new ArrayList<>();
    for (Leg leg : legs) {
      require(
          leg.view().equals(legs.get(0).view()),
          "returnFullPath() with several versions on the way");
      require(!leg.isMarked(), "returnFullPath() with rtn()");
      steps.addAll(leg.pathSteps());
    }
    return new Plan(source, steps, new ResultRange(0, limit), new PlanResult.Paths());
  }

  private Leg leg() {
    return legs.get(legs.size() - 1);
  }

  private void requireBegun(String step) {
    require(!legs.isEmpty(), step + " at the beginning");
  }

  private static void require(boolean fits, String what) {
    if (!fits) {
      throw GraphMetaException.invalid(
          "A traversal has "
              + what
              + "; expected v(...), then e(...) and v() in turn, each with its filters, then"
              + " repeat() if wanted");
    }
  }

  private static final class Elements {
    private final Set<Long> vertices = new LinkedHashSet<>();
    private final Set<EdgeKey> edges = new LinkedHashSet<>();

    Elements() {}

    Elements(Seeds seeds) {
      for (long vertex : seeds.vertices()) {
        vertices.add(vertex);
      }
      edges.addAll(seeds.edges());
    }

    Seeds seeds() {
      return new Seeds(vertices.stream().mapToLong(Long::longValue).toArray(), List.copyOf(edges));
    }
  }
}
