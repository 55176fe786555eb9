package io.graphmeta.stage.program;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.protocol.FrontierPart;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan as operations in a row, with ids in the place of names. Immutable.
 *
 * <p>A <i>position</i> is where an element stands: the operation to go on with in the low bits,
 * above them the round of the loop it is in, if rounds are counted there.
 *
 * <p>Between them, two bits say that vertices at the position have come to the hop at the operation
 * and are to make it, along the edges or against them. They make it at their home and at each shard
 * that holds some of their entries, to which their home sends them on within the level. Edges are
 * sent on in the same way to the shard that has their rows, and go on there.
 */
public final class Program {
  private static final int ROUND_SHIFT = 16;
  private static final int PART_OUT = 1 << FrontierPart.OPERATION_BITS;
  private static final int PART_IN = PART_OUT << 1;
  private static final int MAX_OPERATIONS = PART_OUT - 1;
  private static final int[] NO_LABELS = {};

  private final Plan plan;
  private final PlanNames names;
  private final Wanted wanted;
  private final List<Operation> operations = new ArrayList<>();
  private final BitSet ofEdges = new BitSet();
  private final Map<Integer, List<Criterion.Connected>> connectedCriteria =
      new ConcurrentHashMap<>();
  private boolean rearriving;

  /** Compiles a plan. */
  public Program(Plan plan, PlanNames names) {
    this(plan, names, true);
  }

  /**
   * Compiles a plan.
   *
   * @param inLevels whether all elements that come to a position at one level come together
   */
  public Program(Plan plan, PlanNames names, boolean inLevels) {
    this.plan = plan;
    this.names = names;
    this.wanted = new Wanted(plan, names);
    // Of a limited plan a part of a level goes on before the rest of it: equal elements come again.
    this.rearriving = !inLevels || !wanted.isAll();
    compile(fused(plan.steps()), plan.source().kind());
    operations.add(new Operation.Finish());
    if (operations.size() > MAX_OPERATIONS) {
      throw GraphMetaException.invalid(
          "A plan has "
              + operations.size()
              + " operations; expected at most "
              + MAX_OPERATIONS
              + " (run it in several traversals)");
    }
    markEdges();
  }

  private void markEdges() {
    boolean edges = plan.source().kind() == ElementKind.EDGE;
    for (int at = 0; at < operations.size(); at++) {
      ofEdges.set(at, edges);
      Operation operation = operations.get(at);
      if (operation instanceof Operation.Hop hop) {
        edges = hop.toEdges();
      } else if (operation instanceof Operation.End || operation instanceof Operation.Nowhere) {
        edges = false;
      }
    }
  }

  /** The position at an operation, in a round of its loop. */
  public static int position(int operation, int round) {
    return round << ROUND_SHIFT | operation;
  }

  /** The same position for what is to make a hop along or against the edges. */
  public static int part(int position, boolean outgoing) {
    return position | (outgoing ? PART_OUT : PART_IN);
  }

  /** Whether what stands at a position is to make a hop, or was sent on. */
  public static boolean isPart(int position) {
    return (position & (PART_OUT | PART_IN)) != 0;
  }

  /** Whether the hop that is to be made at a position is one along the edges. */
  public static boolean isPartOut(int position) {
    return (position & PART_OUT) != 0;
  }

  /** Along the edges, against them, or one after the other. */
  public static boolean[] directions(Direction direction) {
    return switch (direction) {
      case OUT -> new boolean[] {true};
      case IN -> new boolean[] {false};
      case BOTH -> new boolean[] {true, false};
    };
  }

  /** The round of the loop that a position is in; 0 if rounds are not counted. */
  public static int round(int position) {
    return position >>> ROUND_SHIFT;
  }

  /** The plan that was compiled. */
  public Plan plan() {
    return plan;
  }

  /** The ids of the names in the plan. */
  public PlanNames names() {
    return names;
  }

  /** What the plan wants of the elements that its operations find. */
  public Wanted wanted() {
    return wanted;
  }

  /** Number of operations. */
  public int size() {
    return operations.size();
  }

  /** The operation of a number. */
  public Operation at(int operation) {
    return operations.get(operation);
  }

  /** Whether elements that come to an operation are edges. */
  public boolean isOfEdges(int operation) {
    return ofEdges.get(operation);
  }

  /** Whether elements that come to an operation are results. */
  public boolean isFinish(int operation) {
    return operations.get(operation) instanceof Operation.Finish;
  }

  /** Whether vertices that come to an operation are counted once, so that ways need no counting. */
  public boolean isDistinct(int operation) {
    return operations.get(operation) instanceof Operation.Distinct;
  }

  /**
   * Whether what becomes of edges until they turn to vertices, or are found, does not depend on
   * other edges, so that parts of them can go on apart.
   */
  public boolean keepsApart(int operation) {
    for (int at = operation; ; at++) {
      Operation next = operations.get(at);
      if (next instanceof Operation.Distinct distinct && !distinct.once()) {
        return false;
      } else if (!(next instanceof Operation.Keep) && !(next instanceof Operation.Distinct)) {
        return true;
      }
    }
  }

  /** Whether edges that come to an operation need their rows before they turn to vertices. */
  public boolean edgesNeedRows(int operation) {
    for (int at = operation; ; at++) {
      Operation next = operations.get(at);
      if (next instanceof Operation.Finish) {
        return wanted.needsRows();
      } else if (next instanceof Operation.End || next instanceof Operation.Nowhere) {
        return false;
      } else if (next instanceof Operation.Keep keep && keep.criterion().needsRows()) {
        return true;
      }
    }
  }

  /** Whether edges that come to an operation must meet their equals there. */
  public boolean edgesMeet(int operation) {
    for (int at = operation; ; at++) {
      Operation next = operations.get(at);
      if (next instanceof Operation.Distinct) {
        return true;
      } else if (!(next instanceof Operation.Keep)) {
        return false;
      }
    }
  }

  /**
   * Whether elements that come to an operation in a round are results, all of them: there, or
   * because they have come to the end of the last round of a loop behind which nothing stands.
   */
  public boolean isFinish(int operation, int round) {
    return isFinish(operation)
        || operations.get(operation) instanceof Operation.LoopBack back
            && back.loop().leavesAfter(round)
            && isFinish(back.loop().exit());
  }

  /** The criteria at an operation that ask for edges of a vertex. */
  public List<Criterion.Connected> connectedCriteria(int operation) {
    return connectedCriteria.computeIfAbsent(operation, this::findConnectedCriteria);
  }

  private List<Criterion.Connected> findConnectedCriteria(int operation) {
    List<Criterion.Connected> found = new ArrayList<>();
    if (at(operation) instanceof Operation.Keep keep) {
      keep.criterion().addConnected(found);
    }
    Operation.Loop loop =
        at(operation) instanceof Operation.LoopEnter enter
            ? enter.loop()
            : at(operation) instanceof Operation.LoopBack back ? back.loop() : null;
    if (loop != null && loop.until() != null) {
      loop.until().addConnected(found);
    }
    if (loop != null && loop.emit() != null) {
      loop.emit().addConnected(found);
    }
    return List.copyOf(found);
  }

  /** The ids of the labels that a scan is of. */
  public int[] scannedLabels() {
    PlanSource.Scan scan = (PlanSource.Scan) plan.source();
    Map<String, Integer> ids =
        scan.kind() == ElementKind.VERTEX ? names.vertexLabels() : names.edgeLabels();
    return scan.labels().stream()
        .mapToInt(label -> ids.getOrDefault(label, 0))
        .filter(id -> id != 0)
        .sorted()
        .toArray();
  }

  /** Puts steps together that are one operation: an edge and its other end, and its label. */
  private List<PlanStep> fused(List<PlanStep> steps) {
    if (plan.needsPaths()) {
      return steps; // The edges on the way are part of the path.
    }
    List<PlanStep> fused = new ArrayList<>();
    for (PlanStep step : steps) {
      PlanStep last = fused.isEmpty() ? null : fused.get(fused.size() - 1);
      if (last instanceof PlanStep.Expand expand
          && expand.toEdges()
          && step instanceof PlanStep.EdgeEnd end
          && isOtherEnd(expand.direction(), end.end())) {
        fused.set(
            fused.size() - 1, new PlanStep.Expand(expand.direction(), expand.labels(), false));
      } else {
        fused.add(step);
      }
    }
    return fused;
  }

  private static boolean isOtherEnd(Direction direction, PlanStep.End end) {
    return end == PlanStep.End.OTHER
        || direction == Direction.OUT && end == PlanStep.End.IN
        || direction == Direction.IN && end == PlanStep.End.OUT;
  }

  private void compile(List<PlanStep> steps, ElementKind first) {
    ElementKind kind = first;
    boolean single = true;
    for (int i = 0; i < steps.size(); i++) {
      PlanStep step = steps.get(i);
      if (step instanceof PlanStep.Expand expand) {
        kind = expand.toEdges() ? ElementKind.EDGE : ElementKind.VERTEX;
        single = expand.direction() != Direction.BOTH;
        // Edges of one of the two directions may take one level more than those of the other.
        rearriving |= expand.toEdges() && !single;
        BitSet wanted = expand.toEdges() ? null : wantedLabels(steps, i + 1);
        i += wanted == null ? 0 : 1;
        add(expand, wanted);
      } else if (step instanceof PlanStep.EdgeEnd end) {
        kind = ElementKind.VERTEX;
        operations.add(new Operation.End(end.end()));
      } else if (step instanceof PlanStep.Filter filter) {
        operations.add(new Operation.Keep(criterion(filter.condition(), kind)));
      } else if (step instanceof PlanStep.Dedup) {
        boolean once = !rearriving && (kind == ElementKind.VERTEX || single);
        operations.add(new Operation.Distinct(once));
      } else if (step instanceof PlanStep.DistinctPath path) {
        operations.add(new Operation.PathTest(path.simple()));
      } else if (step instanceof PlanStep.Repeat repeat) {
        add(repeat);
      }
    }
  }

  /** The labels that the step behind a hop asks for, if it asks for nothing else. */
  private @Nullable BitSet wantedLabels(List<PlanStep> steps, int next) {
    return next < steps.size()
            && steps.get(next) instanceof PlanStep.Filter filter
            && filter.condition() instanceof Condition.LabelIn labels
        ? ids(labels.labels(), names.vertexLabels())
        : null;
  }

  private void add(PlanStep.Expand expand, @Nullable BitSet wanted) {
    int[] labelIds = labelIds(expand.labels());
    boolean nowhere = labelIds.length == 0 && !expand.labels().isEmpty();
    operations.add(
        nowhere
            ? new Operation.Nowhere()
            : new Operation.Hop(expand.direction(), labelIds, expand.toEdges(), wanted));
  }

  private void add(PlanStep.Repeat repeat) {
    rearriving = true;
    int enter = operations.size();
    operations.add(new Operation.Nowhere());
    compile(fused(repeat.body()), ElementKind.VERTEX);
    int back = operations.size();
    Condition until = repeat.until();
    Condition emit = repeat.emit();
    Operation.Loop loop =
        new Operation.Loop(
            enter + 1,
            back + 1,
            repeat.times(),
            until == null ? null : criterion(until, ElementKind.VERTEX),
            repeat.untilFirst(),
            emit == null ? null : criterion(emit, ElementKind.VERTEX),
            repeat.emitFirst());
    operations.set(enter, new Operation.LoopEnter(loop));
    operations.add(new Operation.LoopBack(loop));
  }

  private int[] labelIds(List<String> labels) {
    if (labels.isEmpty()) {
      return NO_LABELS;
    }
    if (labels.size() == 1) {
      int id = names.edgeLabels().getOrDefault(labels.get(0), 0);
      return id == 0 ? NO_LABELS : new int[] {id};
    }
    return labels.stream()
        .mapToInt(label -> names.edgeLabels().getOrDefault(label, 0))
        .filter(id -> id != 0)
        .distinct()
        .sorted()
        .toArray();
  }

  private static BitSet ids(Set<String> labels, Map<String, Integer> all) {
    BitSet ids = new BitSet();
    labels.forEach(label -> ids.set(all.getOrDefault(label, 0)));
    ids.clear(0);
    return ids;
  }

  private Criterion criterion(Condition condition, ElementKind kind) {
    if (condition instanceof Condition.LabelIn label) {
      return new Criterion.Labelled(
          ids(
              label.labels(),
              kind == ElementKind.VERTEX ? names.vertexLabels() : names.edgeLabels()));
    } else if (condition instanceof Condition.VertexIn vertex) {
      return new Criterion.OneOf(vertex.keys());
    } else if (condition instanceof Condition.Property property) {
      int id = wanted.propertyKey(property.key());
      return id == 0
          ? new Criterion.Constant(false)
          : new Criterion.Value(id, ValueTests.compiled(property.test()));
    } else if (condition instanceof Condition.HasKey key) {
      int id = wanted.propertyKey(key.key());
      return id == 0 ? new Criterion.Constant(false) : new Criterion.Present(id);
    } else if (condition instanceof Condition.HasEdge edge) {
      int[] labelIds = labelIds(edge.labels());
      return labelIds.length == 0 && !edge.labels().isEmpty()
          ? new Criterion.Constant(false)
          : new Criterion.Connected(edge.direction(), labelIds);
    } else if (condition instanceof Condition.And and) {
      return new Criterion.All(and.of().stream().map(of -> criterion(of, kind)).toList());
    } else if (condition instanceof Condition.Or or) {
      return new Criterion.Any(or.of().stream().map(of -> criterion(of, kind)).toList());
    } else if (condition instanceof Condition.Not not) {
      return new Criterion.Negation(criterion(not.of(), kind));
    }
    if (condition instanceof Condition.Id id) {
      if (kind == ElementKind.EDGE) {
        throw GraphMetaException.internal("A plan tests ids of edges: " + id.test());
      }
      return new Criterion.IdText(ValueTests.compiled(id.test()));
    }
    return new Criterion.Constant(true);
  }
}
