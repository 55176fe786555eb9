package io.graphmeta.server.membership;

import static io.graphmeta.server.membership.TestZooKeeper.await;
import static io.graphmeta.server.membership.TestZooKeeper.error;
import static io.graphmeta.server.membership.TestZooKeeper.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.server.cli.cluster.ZooKeeperProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ZooKeeper stopped, paused, started again, and sessions that end: what is known stays. */
@Timeout(180)
final class ZooKeeperLossTest {
  @TempDir private static Path directory;
  private static TestZooKeeper zooKeeper;

  @BeforeAll
  static void start() {
    zooKeeper = new TestZooKeeper(directory);
  }

  @AfterAll
  static void stop() {
    zooKeeper.close();
  }

  @AfterEach
  void goOn() throws Exception {
    signal("CONT", zooKeeper.process().handle().pid());
  }

  private static void signal(String signal, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, String.valueOf(pid)).start();
    assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  @Test
  void whileZooKeeperIsStoppedAllIsKnownAndNothingJoins() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    ZooKeeperProcess process = zooKeeper.process();
    try (ClusterMembership node = zooKeeper.open(name);
        ClusterMembership late = zooKeeper.open(name);
        ClusterMembership client = zooKeeper.open(name)) {
      node.join(node("n1"));
      client.awaitPlacement(20_000);
      await("seen", () -> ClusterMembershipTest.present(client.view()).equals(Set.of("n1")));
      ClusterView before = client.view();
      List<ClusterView> told = new CopyOnWriteArrayList<>();
      client.addListener(told::add);
      process.stop();
      try {
        await("noticed", () -> node.standing() == Standing.AWAY && client.problem().isPresent());
        // Longer than the session lives.
        Thread.sleep(2 * TestZooKeeper.SESSION_MILLIS);
        assertThat(client.view()).isEqualTo(before);
        assertThat(client.awaitPlacement(1)).isEqualTo(before);
        ZooKeeperSettings brief = zooKeeper.settings().with(ZooKeeperSetting.DEADLINE_MILLIS, 1000);
        long start = System.nanoTime();
        assertThat(error(ErrorCode.UNAVAILABLE, () -> ClusterMembership.open(brief, name)))
            .hasMessageContaining(process.hosts())
            .hasMessageContaining("1000 milliseconds");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      } finally {
        process.start();
      }
      await("back", () -> node.standing() == Standing.PRESENT);
      assertThat(late.join(node("n2"))).isEqualTo(1);
      await(
          "seen again",
          () -> ClusterMembershipTest.present(client.view()).equals(Set.of("n1", "n2")));
      assertThat(client.view().nodes().get("n1"))
          .as("no other incarnation, since the process went on")
          .isEqualTo(before.nodes().get("n1"));
      assertThat(told.get(0)).isEqualTo(before);
    }
  }

  @Test
  void aSessionThatExpiredIsMadeAnewAndThePresenceWithIt() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    try (ClusterMembership node = zooKeeper.open(name);
        ClusterMembership client = zooKeeper.open(name)) {
      node.join(node("n1"));
      List<ClusterView> told = new CopyOnWriteArrayList<>();
      client.awaitPlacement(20_000);
      await("seen", () -> ClusterMembershipTest.present(client.view()).equals(Set.of("n1")));
      client.addListener(told::add);
      for (int round = 0; round < 3; round++) {
        int before = told.size();
        zooKeeper.expire(name, "n1");
        await("gone and back", () -> told.size() >= before + 2);
        await("present", () -> told.get(told.size() - 1).nodes().get("n1").present());
        await("known to itself", () -> node.standing() == Standing.PRESENT);
        assertThat(node.view().nodes().get("n1").incarnation()).isEqualTo(1);
      }
    }
  }

  @Test
  void aPauseLongerThanTheSessionIsGotOver() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    try (ClusterMembership node = zooKeeper.open(name);
        ClusterMembership client = zooKeeper.open(name)) {
      node.join(node("n1"));
      client.awaitPlacement(20_000);
      await("seen", () -> ClusterMembershipTest.present(client.view()).equals(Set.of("n1")));
      ClusterView before = client.view();
      signal("STOP", zooKeeper.process().handle().pid());
      await("noticed", () -> node.standing() == Standing.AWAY);
      Thread.sleep(2 * TestZooKeeper.SESSION_MILLIS);
      assertThat(client.view()).isEqualTo(before);
      signal("CONT", zooKeeper.process().handle().pid());
      await(
          "back",
          () ->
              node.standing() == Standing.PRESENT
                  && client.problem().isEmpty()
                  && client.view().equals(before));
    }
  }

  /** A node in a process of its own, which tells that it has joined. */
  private static Process startNode(String cluster) throws IOException {
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
                Joined.class.getName(),
                zooKeeper.process().hosts(),
                cluster)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertThat(started.getInputStream().read()).isEqualTo('j');
    return started;
  }

  /** Joins as n1 and tells it, and tells when it has been replaced. */
  static final class Joined {
    public static void main(String[] arguments) throws Exception {
      ClusterMembership node =
          ClusterMembership.open(
              ZooKeeperSettings.of(
                  Map.of(
                      ZooKeeperSetting.HOSTS.key(),
                      arguments[0],
                      ZooKeeperSetting.SESSION_TIMEOUT_MILLIS.key(),
                      TestZooKeeper.SESSION_MILLIS)),
              arguments[1]);
      node.join(node("n1"));
      System.out.write('j');
      System.out.flush();
      await("replaced", Duration.ofMinutes(2), () -> node.standing() == Standing.REPLACED);
      System.out.write('r');
      System.out.flush();
      Thread.sleep(120_000);
    }
  }

  /** A process that is killed says nothing; its session ends some time later. */
  @Test
  void theSuccessorOfAKilledNodeGetsInByItself() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    Process killed = startNode(name);
    try (ClusterMembership node = zooKeeper.open(name)) {
      error(ErrorCode.WRONG_CLUSTER, () -> node.join(node("n1", new UUID(7, 7), 8190)));
      killed.destroyForcibly().waitFor();
      assertThat(node.join(node("n1"))).isEqualTo(2);
      await("present", () -> node.standing() == Standing.PRESENT);
    } finally {
      killed.destroyForcibly();
    }
  }

  /**
   * What is checked when a presence is made again: the registration. Without that, the first comes
   * back as soon as the session of the second ends, and both hold themselves for the node.
   */
  @Test
  void whoWasReplacedWhileItWasAwayStaysAway() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    Process first = startNode(name);
    try (ClusterMembership second = zooKeeper.open(name)) {
      signal("STOP", first.pid());
      assertThat(second.join(node("n1"))).isEqualTo(2);
      second.close();
      signal("CONT", first.pid());
      assertThat(first.getInputStream().read()).isEqualTo('r');
    } finally {
      first.destroyForcibly();
    }
    try (ClusterMembership third = zooKeeper.open(name)) {
      assertThat(ClusterMembershipTest.present(third.view())).isEmpty();
      assertThat(third.join(node("n1"))).isEqualTo(3);
    }
  }

  @Test
  void closingDoesNotWaitForAZooKeeperThatDoesNotAnswer() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    ClusterMembership node = zooKeeper.open(name);
    node.join(node("n1"));
    signal("STOP", zooKeeper.process().handle().pid());
    long start = System.nanoTime();
    node.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
  }
}
