package io.graphmeta.stage.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.frontier.Ways;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.stage.program.Program;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arrivals beside a plain map; a failure names its seed. */
class ArrivalsTest {
  private static final PlanNames NAMES = new PlanNames(Map.of(), Map.of(), Map.of());

  /** The operation at which each element counts once. */
  private static final int DISTINCT = 1;

  private static Program program(ResultRange range) {
    return new Program(
        new Plan(
            new PlanSource.Given(ElementKind.VERTEX),
            List.of(
                new PlanStep.Expand(Direction.OUT, List.of(), false),
                new PlanStep.Dedup(),
                new PlanStep.Expand(Direction.OUT, List.of(), false)),
            range,
            new PlanResult.Elements()),
        NAMES);
  }

  /** An element at a position. */
  private record Place(int position, Object element, boolean fromSource) {}

  private static EdgeKey edge(int number) {
    return new EdgeKey(number, 1, number + 1, number);
  }

  private static void add(Map<Place, Long> expected, Place place, long ways) {
    boolean counts = FrontierPart.operation(place.position()) != DISTINCT;
    expected.merge(place, ways, Ways::sum);
    if (!counts && place.element() instanceof Long) {
      expected.put(place, 1L);
    }
  }

  private static void addRandom(Arrivals arrivals, Map<Place, Long> expected, Random random) {
    for (int i = random.nextInt(40); i > 0; i--) {
      int position = Program.position(random.nextInt(3), random.nextInt(2));
      long ways = random.nextInt(10) == 0 ? Ways.TOO_MANY : 1 + random.nextInt(5);
      int number = 1 + random.nextInt(6);
      boolean fromSource = random.nextBoolean();
      switch (random.nextInt(4)) {
        case 0 -> {
          arrivals.vertices(position).add(number, ways);
          add(expected, new Place(position, (long) number, true), ways);
        }
        case 1 -> {
          arrivals.addEdge(position, edge(number), fromSource, ways);
          add(expected, new Place(position, edge(number), fromSource), ways);
        }
        case 2 -> {
          List<EdgeKey> keys = List.of(edge(number), edge(number + 1));
          boolean[] ends = {fromSource, !fromSource};
          long[] bulks = {ways, 1};
          arrivals.add(new FrontierPart(position, new long[0], keys, ends, bulks));
          add(expected, new Place(position, edge(number), fromSource), ways);
          add(expected, new Place(position, edge(number + 1), !fromSource), 1);
        }
        default -> {
          long[] keys = {number, number + 1};
          arrivals.add(FrontierPart.vertices(position, keys, new long[] {ways, 1}));
          add(expected, new Place(position, (long) number, true), ways);
          add(expected, new Place(position, number + 1L, true), 1);
        }
      }
    }
  }

  private static Map<Place, Long> collected(List<FrontierPart> parts) {
    Map<Place, Long> found = new HashMap<>();
    for (FrontierPart part : parts) {
      for (int i = 0; i < part.size(); i++) {
        boolean vertex = part.edges().isEmpty();
        Object element = vertex ? (Object) part.vertices()[i] : part.edges().get(i);
        Place place = new Place(part.position(), element, vertex || part.reached()[i]);
        assertThat(found.put(place, part.bulk(i))).as("%s comes once", place).isNull();
      }
    }
    return found;
  }

  @Test
  void equalElementsAtOnePositionAreCountedTogether() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      Program program = program(random.nextBoolean() ? ResultRange.ALL : new ResultRange(0, 3));
      Arrivals arrivals = new Arrivals(program, 1000);
      Map<Place, Long> expected = new HashMap<>();
      addRandom(arrivals, expected, random);
      if (random.nextBoolean()) {
        Arrivals other = new Arrivals(program, 1000);
        addRandom(other, expected, random);
        arrivals.takeAll(other);
        assertThat(other.size()).as("seed %d", seed).isZero();
      }
      assertThat(arrivals.size()).as("seed %d", seed).isEqualTo(expected.size());
      assertThat(collected(arrivals.drainParts())).as("seed %d", seed).isEqualTo(expected);
      assertThat(arrivals.size()).isZero();
      assertThat(arrivals.drain()).isEmpty();
    }
  }

  @Test
  void ofALimitedPlanVerticesComeInOneOrder() {
    Arrivals arrivals = new Arrivals(program(new ResultRange(0, 3)), 1000);
    Random random = new Random(1);
    for (int i = 0; i < 300; i++) {
      arrivals.vertices(0).add(1 + random.nextInt(1_000_000), 1);
    }
    VertexBatch batch = Objects.requireNonNull(arrivals.drain().get(0).vertices());
    assertThat(batch.keys()).isSorted();
  }

  @Test
  void aPositionThatNothingCameToIsNoWork() {
    Arrivals arrivals = new Arrivals(program(ResultRange.ALL), 1000);
    arrivals.vertices(0);
    arrivals.vertices(1).add(7, 2);
    Map<Integer, List<Long>> shown = new HashMap<>();
    arrivals.forEachVertices(
        (position, keys) -> shown.put(position, Arrays.stream(keys).boxed().toList()));
    assertThat(shown).isEqualTo(Map.of(0, List.of(), 1, List.of(7L)));
    assertThat(arrivals.drain()).hasSize(1);
  }

  @Test
  void moreEdgesThanMayWaitAreRefused() {
    Arrivals arrivals = new Arrivals(program(ResultRange.ALL), 3);
    for (int i = 0; i < 3; i++) {
      arrivals.addEdge(0, edge(i), true, 1);
    }
    arrivals.addEdge(0, edge(1), true, 1);
    assertThatThrownBy(() -> arrivals.addEdge(0, edge(3), true, 1))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
  }
}
