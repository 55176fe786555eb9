package io.graphmeta.stage;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
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
 * <p>Between them two bits say that vertices that stand there have come to the hop at the operation
 * and are to make it, along the edges or against them: at their home, or at a server that holds
 * some of their entries, to which their home has sent them on within the level. Edges are sent on
 * likewise to where their rows are, to go on there.
 */
final class Program {
  private static final int ROUND_SHIFT = 16;
  private static final int PART_OUT = 1 << FrontierPart.OPERATION_BITS;
  private static final int PART_IN = PART_OUT << 1;
  private static final int MAX_OPERATIONS = PART_OUT - 1;

  private final Plan plan;
  private final PlanNames names;
  private final List<Operation> operations = new ArrayList<>();
  private final BitSet ofEdges = new BitSet();
  private final Map<Integer, List<Test.Connected>> connectedTests = new ConcurrentHashMap<>();
  private boolean rearriving;

  /** Compiles a plan. */
  Program(Plan plan, PlanNames names) {
    this(plan, names, true);
  }

  /**
   * Compiles a plan.
   *
   * @param inLevels whether all that comes to a place at one level comes together
   */
  Program(Plan plan, PlanNames names, boolean inLevels) {
    this.plan = plan;
    this.names = names;
    // Of a limited plan parts of a level run on before others, so that equal elements come again.
    this.rearriving = !inLevels || plan.range().high() != Long.MAX_VALUE;
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

  static int position(int operation, int round) {
    return round << ROUND_SHIFT | operation;
  }

  /** The same position for what is to make a hop along or against the edges. */
  static int part(int position, boolean outgoing) {
    return position | (outgoing ? PART_OUT : PART_IN);
  }

  /** Whether what stands at a position is to make a hop, or was sent on. */
  static boolean isPart(int position) {
    return (position & (PART_OUT | PART_IN)) != 0;
  }

  /** The directions of a hop that are to be followed by what stands at a position. */
  static boolean[] directions(int position, Direction direction) {
    return isPart(position)
        ? new boolean[] {(position & PART_OUT) != 0}
        : Tests.directions(direction);
  }

  static int round(int position) {
    return position >>> ROUND_SHIFT;
  }

  Plan plan() {
    return plan;
  }

  /** Number of operations. */
  int size() {
    return operations.size();
  }

  Operation at(int operation) {
    return operations.get(operation);
  }

  /** Whether elements that come to an operation are edges. */
  boolean isOfEdges(int operation) {
    return ofEdges.get(operation);
  }

  boolean isFinish(int operation) {
    return operations.get(operation) instanceof Operation.Finish;
  }

  /** Whether vertices that come to an operation are counted once, so that ways need no counting. */
  boolean isDistinct(int operation) {
    return operations.get(operation) instanceof Operation.Distinct;
  }

  /** Whether what is wanted of the results is in the rows of the elements. */
  boolean resultNeedsRows() {
    return plan.result() instanceof PlanResult.Top
        || plan.result() instanceof PlanResult.Reduced
        || plan.result() instanceof PlanResult.Values values
            && values.columns().stream()
                .anyMatch(
                    column ->
                        column instanceof Projection.Id
                            || column instanceof Projection.EachValue
                            || column instanceof Projection.FirstValue);
  }

  /**
   * Whether what becomes of edges until they turn to vertices, or are found, does not depend on
   * other edges, so that parts of them can go on apart.
   */
  boolean keepsApart(int operation) {
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
  boolean edgesNeedRows(int operation) {
    for (int at = operation; ; at++) {
      Operation next = operations.get(at);
      if (next instanceof Operation.Finish) {
        return resultNeedsRows();
      } else if (next instanceof Operation.End || next instanceof Operation.Nowhere) {
        return false;
      } else if (next instanceof Operation.Keep keep && keep.test().needsRows()) {
        return true;
      }
    }
  }

  /** Whether edges that come to an operation must meet their equals there. */
  boolean edgesMeet(int operation) {
    for (int at = operation; ; at++) {
      Operation next = operations.get(at);
      if (next instanceof Operation.Distinct) {
        return true;
      } else if (!(next instanceof Operation.Keep)) {
        return false;
      }
    }
  }

  /** The tests at an operation for edges of a vertex. */
  List<Test.Connected> connectedTests(int operation) {
    return connectedTests.computeIfAbsent(operation, this::findConnectedTests);
  }

  private List<Test.Connected> findConnectedTests(int operation) {
    List<Test.Connected> found = new ArrayList<>();
    if (at(operation) instanceof Operation.Keep keep) {
      keep.test().addConnected(found);
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
  int[] scannedLabels() {
    PlanSource.Scan scan = (PlanSource.Scan) plan.source();
    Map<String, Integer> ids =
        scan.kind() == ElementKind.VERTEX ? names.vertexLabels() : names.edgeLabels();
    return scan.labels().stream()
        .mapToInt(label -> ids.getOrDefault(label, 0))
        .filter(id -> id != 0)
        .sorted()
        .toArray();
  }

  int propertyKey(String key) {
    return names.propertyKeys().getOrDefault(key, 0);
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
        // Some of both directions' edges may take one level more than others.
        rearriving |= expand.toEdges() && !single;
        BitSet wanted = expand.toEdges() ? null : wantedLabels(steps, i + 1);
        i += wanted == null ? 0 : 1;
        add(expand, wanted);
      } else if (step instanceof PlanStep.EdgeEnd end) {
        kind = ElementKind.VERTEX;
        operations.add(new Operation.End(end.end()));
      } else if (step instanceof PlanStep.Filter filter) {
        operations.add(new Operation.Keep(test(filter.condition(), kind)));
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
            until == null ? null : test(until, ElementKind.VERTEX),
            repeat.untilFirst(),
            emit == null ? null : test(emit, ElementKind.VERTEX),
            repeat.emitFirst());
    operations.set(enter, new Operation.LoopEnter(loop));
    operations.add(new Operation.LoopBack(loop));
  }

  private int[] labelIds(List<String> labels) {
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

  private Test test(Condition condition, ElementKind kind) {
    if (condition instanceof Condition.LabelIn label) {
      return new Test.Labelled(
          ids(
              label.labels(),
              kind == ElementKind.VERTEX ? names.vertexLabels() : names.edgeLabels()));
    } else if (condition instanceof Condition.VertexIn vertex) {
      return new Test.OneOf(vertex.keys());
    } else if (condition instanceof Condition.Property property) {
      int id = propertyKey(property.key());
      return id == 0
          ? new Test.Constant(false)
          : new Test.Value(id, ValueTests.compiled(property.test()));
    } else if (condition instanceof Condition.HasKey key) {
      int id = propertyKey(key.key());
      return id == 0 ? new Test.Constant(false) : new Test.Present(id);
    } else if (condition instanceof Condition.HasEdge edge) {
      int[] labelIds = labelIds(edge.labels());
      return labelIds.length == 0 && !edge.labels().isEmpty()
          ? new Test.Constant(false)
          : new Test.Connected(edge.direction(), labelIds);
    } else if (condition instanceof Condition.And and) {
      return new Test.All(and.of().stream().map(of -> test(of, kind)).toList());
    } else if (condition instanceof Condition.Or or) {
      return new Test.Any(or.of().stream().map(of -> test(of, kind)).toList());
    } else if (condition instanceof Condition.Not not) {
      return new Test.Negation(test(not.of(), kind));
    }
    return new Test.Constant(true);
  }
}
