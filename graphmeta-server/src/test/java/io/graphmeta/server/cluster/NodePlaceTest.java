package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.Cli;
import io.graphmeta.server.cli.cluster.ZooKeeperProcess;
import io.graphmeta.server.net.NodeSettings;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where nodes listen, and where others are told that they do. */
class NodePlaceTest {
  private static final String CLUSTER = "places";

  private static NodePlace place(String... settings) {
    Map<String, String> given = new HashMap<>();
    for (String setting : settings) {
      given.put("node." + setting.split("=")[0], setting.split("=")[1]);
    }
    return NodePlace.of(NodeSettings.of(given));
  }

  @Test
  void itIsReachedWhereItListensUnlessItSaysOtherwise() {
    assertThat(place("host=localhost", "port=8191"))
        .hasToString("localhost:8191")
        .returns("localhost", NodePlace::host)
        .returns(8191, NodePlace::port);
    assertThat(place("host=0.0.0.0", "port=8191", "advertised-host=n1.example.org"))
        .hasToString("0.0.0.0:8191, reached at n1.example.org:8191");
    assertThat(place("port=8191", "advertised-host=10.1.1.1", "advertised-port=30001"))
        .hasToString("127.0.0.1:8191, reached at 10.1.1.1:30001");
  }

  @Test
  void anyPortIsARealOneForOthers() {
    assertThat(place("port=0").port()).isPositive();
    NodePlace advertised = place("port=0", "advertised-host=h", "advertised-port=30001");
    assertThat(advertised.port()).isEqualTo(30_001);
    assertThat(advertised.toString()).matches("127.0.0.1:[1-9][0-9]+, reached at h:30001");
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0:8190,",
    "[::]:8190,",
    "127.0.0.1:8190,0.0.0.0",
    "127.0.0.1:8190,[::]:8190",
  })
  void allAddressesAreNoneThatOthersCanCall(String listen, String advertise) {
    Cli node =
        advertise == null
            ? Cli.run(command("--listen", listen))
            : Cli.run(command("--listen", listen, "--advertise", advertise));
    assertThat(node.exitCode()).isEqualTo(1);
    assertThat(node.err()).contains("Others cannot reach a node at", "--advertise");
  }

  @ParameterizedTest
  @CsvSource({
    "--listen,n1",
    "--listen,n1:x",
    "--listen,:8190",
    "--listen,n1:123456",
    "--listen,n1:1:2",
    "--advertise,:8190",
    "--advertise,n1:",
    "--advertise,[::1",
    "--advertise,a:b"
  })
  void whatIsNoAddressIsRefusedInWords(String option, String address) {
    Cli node = Cli.run(command(option, address));
    assertThat(node.exitCode()).isEqualTo(2);
    assertThat(node.err()).contains("'" + address + "' is no address of a node; expected HOST");
  }

  private static String[] command(String... more) {
    String[] all = new String[more.length + 5];
    System.arraycopy(
        new String[] {"node", "--cluster=c1", "--name=n1", "--dir=target/nowhere"}, 0, all, 0, 4);
    System.arraycopy(more, 0, all, 4, more.length);
    all[all.length - 1] = "--zookeeper=127.0.0.1:1";
    return all;
  }

  @Test
  void anUnknownAddressToListenOnIsRefused() {
    assertThatThrownBy(() -> place("host=no.such.host.invalid"))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION))
        .hasMessageContaining("no.such.host.invalid");
  }

  @Test
  void clientsFollowANodeThatTakesAnyFreePort(@TempDir Path directory) {
    try (ZooKeeperProcess zookeeper =
        new ZooKeeperProcess(
            Path.of(System.getProperty("basedir", "."), "target/zookeeper"), directory)) {
      zookeeper.start();
      Cli init =
          Cli.run(
              "cluster", "init", "--zookeeper", zookeeper.hosts(), "--name", CLUSTER, "--shards=2");
      assertThat(init.err()).isEmpty();
      GraphMetaConfig config =
          GraphMetaConfig.of(
              Map.of(Setting.CLUSTER.key(), CLUSTER, Setting.ZOOKEEPER.key(), zookeeper.hosts()));
      Map<String, Object> settings =
          Map.of("graphmeta.zookeeper.hosts", zookeeper.hosts(), "node.port", 0);
      try (GraphDatabase database = reopened(directory, settings, config)) {
        try (ClusterNode again = open(directory, settings);
            GraphTransaction tx = begun(database)) {
          assertThat(again.shards()).containsExactly(0, 1);
          assertThat(tx.countVertices(Set.of(), tx.snapshot())).isOne();
        }
      }
    }
  }

  /** A client that has written while the node listened elsewhere. */
  private static GraphDatabase reopened(
      Path directory, Map<String, Object> settings, GraphMetaConfig config) {
    try (ClusterNode node = open(directory, settings)) {
      GraphDatabase database = GraphDatabases.open(config);
      try (GraphTransaction tx = database.begin()) {
        tx.addVertex("v", "file", Map.of(), Stamp.AT_COMMIT);
        tx.commit();
      }
      assertThat(node.place()).matches("127.0.0.1:[1-9][0-9]+");
      return database;
    }
  }

  /** Tries until ZooKeeper has told where the node is now. */
  private static GraphTransaction begun(GraphDatabase database) {
    for (int attempt = 0; ; attempt++) {
      try {
        return database.begin();
      } catch (GraphMetaException e) {
        assertThat(attempt).as(e.getMessage()).isLessThan(200);
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  private static ClusterNode open(Path directory, Map<String, Object> settings) {
    return ClusterNode.open(
        CLUSTER,
        "n1",
        directory.resolve("node"),
        ClusterSettings.of(settings),
        "0.1.0",
        waiting -> {});
  }
}
