package io.graphmeta.stage.level;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.Direction;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.stage.program.Program;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What waits for each shard, beside plain maps; a failure names its seed. */
class ReachedTest {
  private static final int SHARDS = 4;

  private final Program program =
      new Program(
          new Plan(
              new PlanSource.Given(ElementKind.VERTEX),
              List.of(new PlanStep.Expand(Direction.OUT, List.of(), false)),
              ResultRange.ALL,
              new PlanResult.Elements()),
          new PlanNames(Map.of(), Map.of(), Map.of()));

  private static void addRandom(
      Reached reached, Map<Integer, Map<Long, Long>> expected, Random random) {
    for (int i = random.nextInt(6); i > 0; i--) {
      int to = random.nextInt(SHARDS);
      long key = 1 + random.nextInt(5);
      long ways = 1 + random.nextInt(3);
      if (random.nextBoolean()) {
        reached.vertices(0)[to].add(key, ways);
      } else {
        reached.arrivals(to).vertices(0).add(key, ways);
      }
      expected.computeIfAbsent(to, any -> new HashMap<>()).merge(key, ways, Long::sum);
    }
  }

  @Test
  void whatWaitsForAShardIsSentToItAlone() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      int own = random.nextInt(SHARDS);
      Reached reached = new Reached(program, own, SHARDS, 1000);
      Map<Integer, Map<Long, Long>> expected = new HashMap<>();
      addRandom(reached, expected, random);
      if (random.nextBoolean()) {
        Reached other = reached.another();
        addRandom(other, expected, random);
        reached.takeAll(other);
        assertThat(other.others()).as("seed %d", seed).isZero();
        assertThat(other.own().size()).as("seed %d", seed).isZero();
      }
      Set<Integer> others = new HashSet<>(expected.keySet());
      others.remove(own);
      assertThat(reached.others()).as("seed %d", seed).isEqualTo(others.size());
      Map<Integer, List<FrontierPart>> sent = reached.takeOthers();
      assertThat(sent.keySet()).as("seed %d", seed).isEqualTo(others);
      sent.put(own, reached.own().drainParts());
      Map<Integer, Map<Long, Long>> found = new HashMap<>();
      sent.forEach(
          (to, parts) -> {
            for (FrontierPart part : parts) {
              for (int i = 0; i < part.size(); i++) {
                found
                    .computeIfAbsent(to, any -> new HashMap<>())
                    .merge(part.vertices()[i], part.bulk(i), Long::sum);
              }
            }
          });
      assertThat(found).as("seed %d", seed).isEqualTo(expected);
      assertThat(reached.others()).as("seed %d", seed).isZero();
      assertThat(reached.takeOthers()).as("seed %d", seed).isEmpty();
    }
  }
}
