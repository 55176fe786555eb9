package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.Direction;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Paths over vertices whose entries are on all shards. */
class SplitPathsTest {
  private static final int SHARDS = 4;

  /** An even seed spreads the entries of each vertex over all shards. */
  private static final int SEED = 6;

  private static final int LEAVES = 40;
  private static final int FURTHER = 3;
  private static final PlanStep OUT = new PlanStep.Expand(Direction.OUT, List.of(), false);

  /** A vertex with edges to many leaves, each of which has edges to a few further vertices. */
  private static long tree(TestCluster cluster, int leaves) {
    try (GraphTransaction tx = cluster.begin()) {
      long hub = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
      for (int i = 0; i < leaves; i++) {
        long leaf = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge(null, hub, "to", leaf, Map.of(), Stamp.AT_COMMIT);
        for (int j = 0; j < FURTHER; j++) {
          long further = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
          tx.addEdge(null, leaf, "to", further, Map.of(), Stamp.AT_COMMIT);
        }
      }
      tx.commit();
      return hub;
    }
  }

  private static Plan steps(int steps, PlanResult result) {
    return new Plan(
        new PlanSource.Given(ElementKind.VERTEX),
        Collections.nCopies(steps, OUT),
        ResultRange.ALL,
        result);
  }

  /** What was sent while a plan was run to its end. */
  private static List<TestCluster.Sent> sent(
      TestCluster cluster, Plan plan, long start, Set<List<Object>> paths) {
    try (GraphTransaction tx = cluster.begin()) {
      int before = cluster.sent().size();
      try (PlanCursor cursor = tx.run(plan, Seeds.vertices(start), tx.snapshot(), Engine.SYNC)) {
        while (cursor.next()) {
          if (plan.result() instanceof PlanResult.Paths) {
            assertThat(paths.add(cursor.path())).as("new: %s", cursor.path()).isTrue();
          }
        }
        List<TestCluster.Sent> all = cluster.sent(); // others may send meanwhile
        return all.subList(before, all.size());
      }
    }
  }

  private static long count(List<TestCluster.Sent> sent, Predicate<TestCluster.Sent> which) {
    return sent.stream().filter(which).count();
  }

  private static boolean isPart(FrontierPart part) {
    return (part.position() >> FrontierPart.OPERATION_BITS & 3) != 0;
  }

  @Test
  void aPathGoesOverASplitVertexInTheRoundsAndMessagesOfAFrontier() {
    try (TestCluster cluster = new TestCluster(SHARDS, SEED, 200, 60_000)) {
      long hub = tree(cluster, LEAVES);
      for (int steps = 1; steps <= 2; steps++) {
        List<TestCluster.Sent> frontier =
            sent(cluster, steps(steps, new PlanResult.Elements()), hub, new HashSet<>());
        Set<List<Object>> paths = new HashSet<>();
        List<TestCluster.Sent> path =
            sent(cluster, steps(steps, new PlanResult.Paths()), hub, paths);
        assertThat(paths).hasSize(steps == 1 ? LEAVES : LEAVES * FURTHER);
        int levels = steps;
        long runs =
            count(
                frontier,
                each ->
                    each.request() instanceof Request.RunLevel run
                        && each.byClient()
                        && run.level() < levels);
        long within =
            count(
                frontier,
                each ->
                    each.request() instanceof Request.Deliver deliver
                        && deliver.parts().stream().anyMatch(SplitPathsTest::isPart));
        assertThat(within).as("messages within levels").isEqualTo(runs * (SHARDS - 1));
        assertThat(count(path, each -> isAsked(each) && each.byClient()))
            .as("requests of the client that keeps paths, of %d steps", steps)
            .isEqualTo(runs);
        assertThat(count(path, each -> isAsked(each) && !each.byClient()))
            .as("messages between shards for paths of %d steps", steps)
            .isEqualTo(within);
      }
    }
  }

  private static boolean isAsked(TestCluster.Sent sent) {
    return sent.request() instanceof Request.ExtendPaths;
  }

  @Test
  void aPartThatFitsIntoNoAnswerIsAskedForByTheClient() {
    int leaves = 1500; // of which each shard has more than fit into the answer of one
    try (TestCluster cluster = new TestCluster(SHARDS, SEED, 50, 60_000)) {
      long hub = tree(cluster, leaves);
      Set<List<Object>> paths = new HashSet<>();
      List<TestCluster.Sent> sent = sent(cluster, steps(1, new PlanResult.Paths()), hub, paths);
      assertThat(paths).hasSize(leaves);
      assertThat(
              sent.stream()
                  .filter(each -> isAsked(each) && each.byClient())
                  .map(TestCluster.Sent::shard)
                  .distinct())
          .hasSize(SHARDS);
    }
  }
}
