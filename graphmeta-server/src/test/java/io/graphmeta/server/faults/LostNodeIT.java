package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.RunsAlone;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterStatus;
import io.graphmeta.server.cluster.ClusterStatus.HostedPart;
import io.graphmeta.server.cluster.RunningCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node is away for longer than the settings allow, while writers go on: the others get its
 * shards, without a command, and when it is back it has none.
 */
@RunsAlone
class LostNodeIT {
  private static final int SHARDS = 4;
  private static final int LOST = 2;
  private static final long MOST_MILLIS = 180_000;
  private static final long LOOK_MILLIS = 200;

  @TempDir private Path directory;

  @Test
  void othersGetTheShardsOfANodeThatIsLost() throws Exception {
    try (RunningCluster cluster =
            new RunningCluster(
                directory, new LocalCluster.Shape(4, SHARDS, 3), "node.lost-millis=3000");
        GraphDatabase database = new Errors().persist(cluster::open)) {
      Counters counters = new Counters(database, SHARDS);
      counters.awaitAll();
      assertThat(shardsOf(cluster.status(), "n" + LOST)).isNotEmpty();
      cluster.kill(LOST);
      await(
          "the others have its shards",
          () -> {
            ClusterStatus status = new Errors().persist(cluster::status);
            return shardsOf(status, "n" + LOST).isEmpty()
                && status.shards().stream().allMatch(shard -> isWell(shard));
          });
      counters.awaitAll();
      cluster.processes().restart(LOST);
      await("it has removed its stores", () -> stores().isEmpty());
      counters.awaitAll();
      counters.finish();
      CheckReport report = new Errors().persist(() -> database.check(rows -> {}));
      assertThat(report.isClean()).as(report.examples().toString()).isTrue();
    }
  }

  private static List<HostedPart> shardsOf(ClusterStatus status, String node) {
    return status.shards().stream()
        .filter(shard -> shard.replicas().contains(node) || shard.wanted().contains(node))
        .toList();
  }

  private static boolean isWell(HostedPart shard) {
    return shard.problem().isEmpty()
        && shard.wanted().equals(shard.replicas())
        && !shard.behind().contains(-1L);
  }

  private List<Path> stores() {
    try (Stream<Path> all = Files.list(directory.resolve("n" + LOST).resolve("shards"))) {
      return all.filter(each -> each.getFileName().toString().startsWith("shard-")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(String what, BooleanSupplier isSo) throws InterruptedException {
    long begin = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      assertThat((System.nanoTime() - begin) / 1_000_000)
          .as("milliseconds until %s", what)
          .isLessThan(MOST_MILLIS);
      Thread.sleep(LOOK_MILLIS);
    }
    System.out.printf("%d ms until %s%n", (System.nanoTime() - begin) / 1_000_000, what);
  }
}
