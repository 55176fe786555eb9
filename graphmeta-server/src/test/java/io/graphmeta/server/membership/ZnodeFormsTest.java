package io.graphmeta.server.membership;

import static io.graphmeta.server.membership.TestZooKeeper.error;
import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What is written into znodes, and what is read of any bytes. */
final class ZnodeFormsTest {
  private static final ClusterPaths PATHS = new ClusterPaths("c");
  private static final UUID ID = new UUID(0x0123456789abcdefL, 0x0fedcba987654321L);
  private static final ClusterDescription CLUSTER =
      new ClusterDescription(
          "c",
          ID,
          Instant.ofEpochMilli(1_700_000_000_123L),
          2,
          1,
          1,
          new TreeMap<>(Map.of("graphmeta.placement", "dido")));
  private static final Registration REGISTRATION =
      new Registration(
          new NodeDescription("n1", ID, "boot 8 15", "h1", 8190, 0, "", "0.1.0", 1, 2), 3);

  private static String text(byte[] content) {
    return new String(content, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String content) {
    return content.getBytes(StandardCharsets.UTF_8);
  }

  /** Never changed without another format. */
  @Test
  void theyAreWrittenLikeThis() {
    String id = "01234567-89ab-cdef-0fed-cba987654321";
    assertThat(text(ZnodeForms.write(PATHS, CLUSTER)))
        .isEqualTo(
            "format=1\nid="
                + id
                + "\ncreated-millis=1700000000123\nshards=2\nawaited-nodes=1\n"
                + "setting.graphmeta.placement=dido\n");
    assertThat(text(ZnodeForms.write(PATHS, REGISTRATION)))
        .isEqualTo(
            "format=1\ndirectory="
                + id
                + "\nlock=boot 8 15\nhost=h1\nport=8190\nincarnation=3\nsoftware=0.1.0\n"
                + "lowest-protocol=1\nhighest-protocol=2\n");
    assertThat(text(ZnodeForms.write(PATHS, "n1", new Presence(3, ID))))
        .isEqualTo("format=1\nincarnation=3\nprocess=" + id + "\n");
    assertThat(
            text(
                ZnodeForms.write(
                    PATHS, ShardPlacement.still(7, List.of(List.of("a"), List.of("b"))))))
        .isEqualTo("format=1\nepoch=7\nshards=2\nshard.0=a\nshard.1=b\n");
    assertThat(text(ZnodeForms.write(PATHS, ShardPlacement.NONE)))
        .isEqualTo("format=1\nepoch=0\nshards=0\n");
  }

  @Test
  void theyAreReadAsTheyWereWritten() {
    assertThat(ZnodeForms.cluster(PATHS, ZnodeForms.write(PATHS, CLUSTER))).isEqualTo(CLUSTER);
    assertThat(ZnodeForms.registration(PATHS, "n1", ZnodeForms.write(PATHS, REGISTRATION)))
        .isEqualTo(REGISTRATION);
    ShardPlacement placement = ShardPlacement.still(7, List.of(List.of("a"), List.of("b")));
    assertThat(ZnodeForms.placement(PATHS, CLUSTER, ZnodeForms.write(PATHS, placement)))
        .isEqualTo(placement);
    assertThat(
            ZnodeForms.presence(
                PATHS, "n1", bytes("format=1\nlater=x\nincarnation=3\nprocess=" + ID + "\n")))
        .as("with a key of a later build")
        .isEqualTo(new Presence(3, ID));
  }

  @Test
  void whatLaterBuildsWriteIsNotGuessed() {
    assertThat(
            error(
                ErrorCode.NEWER_FORMAT,
                () -> ZnodeForms.presence(PATHS, "n1", bytes("format=4\nincarnation=3\n"))))
        .hasMessageContaining(PATHS.presence("n1"))
        .hasMessageContaining("format 4");
  }

  /** Bytes of which one or more are others, or gone, or too many, are read or are told of. */
  @Test
  void anyBytesAreReadOrToldOfWithTheirPath() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    List<byte[]> good =
        List.of(
            ZnodeForms.write(PATHS, CLUSTER),
            ZnodeForms.write(PATHS, REGISTRATION),
            ZnodeForms.write(PATHS, "n1", new Presence(3, ID)),
            ZnodeForms.write(PATHS, ShardPlacement.still(7, List.of(List.of("a"), List.of("b")))));
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      int kind = random.nextInt(good.size());
      byte[] content = changed(random, good.get(kind));
      try {
        switch (kind) {
          case 0 -> ZnodeForms.cluster(PATHS, content);
          case 1 -> ZnodeForms.registration(PATHS, "n1", content);
          case 2 -> ZnodeForms.presence(PATHS, "n1", content);
          default -> ZnodeForms.placement(PATHS, CLUSTER, content);
        }
      } catch (GraphMetaException e) {
        refused++;
        assertThat(e.code())
            .as("seed %d: %s", seed, e.getMessage())
            .isIn(ErrorCode.CORRUPTION, ErrorCode.NEWER_FORMAT);
        assertThat(e).hasMessageContaining(PATHS.root());
        assertThat(e.getMessage().length()).as("seed %d", seed).isLessThan(1000);
      }
    }
    assertThat(refused).as("seed %d", seed).isBetween(5_000, 19_999);
  }

  private static byte[] changed(Random random, byte[] good) {
    byte[] content = good.clone();
    switch (random.nextInt(4)) {
      case 0 -> {
        for (int n = random.nextInt(3); n >= 0; n--) {
          content[random.nextInt(content.length)] = (byte) random.nextInt(256);
        }
      }
      case 1 -> content = java.util.Arrays.copyOf(content, random.nextInt(content.length));
      case 2 -> {
        List<String> lines = new ArrayList<>(List.of(text(content).split("\n")));
        lines.add(lines.get(random.nextInt(lines.size())));
        content = bytes(String.join("\n", lines));
      }
      default -> random.nextBytes(content);
    }
    return content;
  }

  @Test
  void aContentHasALimit() {
    TreeMap<String, String> settings = new TreeMap<>();
    for (int i = 0; i < 80; i++) {
      settings.put("s" + i, "x".repeat(4000));
    }
    error(
        ErrorCode.LIMIT_EXCEEDED,
        () ->
            ZnodeForms.write(PATHS, ClusterDescription.of("c", 2, 1, 1, settings, Instant.EPOCH)));
    error(ErrorCode.CORRUPTION, () -> ZnodeForms.cluster(PATHS, new byte[ZnodeText.MAX_BYTES + 1]));
  }

  @Test
  void namesAreChecked() {
    for (String good : List.of("a", "n1", "node-1.hpc_2", "0", "x".repeat(64))) {
      assertThat(Names.isName(good)).as(good).isTrue();
    }
    for (String bad : List.of("", ".", "..", "-a", "a/b", "a b", "\u00e4", "a\n", "x".repeat(65))) {
      error(ErrorCode.INVALID_ARGUMENT, () -> new ClusterPaths(bad));
      error(ErrorCode.INVALID_ARGUMENT, () -> TestZooKeeper.node(bad));
    }
  }

  @Test
  void whatHasReplicasIsRefusedByBuildsThatKnowNone() {
    ClusterDescription cluster =
        new ClusterDescription("c", ID, Instant.EPOCH, 2, 3, 3, new TreeMap<>());
    byte[] written = ZnodeForms.write(PATHS, cluster);
    assertThat(text(written)).startsWith("format=2\n").contains("replicas=3\n");
    assertThat(ZnodeForms.cluster(PATHS, written)).isEqualTo(cluster);
    ShardPlacement placement =
        ShardPlacement.still(2, List.of(List.of("a", "b", "c"), List.of("b", "c", "d")));
    byte[] placed = ZnodeForms.write(PATHS, placement);
    assertThat(text(placed))
        .isEqualTo("format=2\nepoch=2\nshards=2\nshard.0=a,b,c\nshard.1=b,c,d\n");
    assertThat(ZnodeForms.placement(PATHS, cluster, placed)).isEqualTo(placement);
    error(ErrorCode.CORRUPTION, () -> ZnodeForms.placement(PATHS, CLUSTER, placed));
    error(
        ErrorCode.CORRUPTION,
        () ->
            ZnodeForms.placement(
                PATHS,
                cluster,
                bytes("format=2\nepoch=2\nshards=2\nshard.0=a,b,a\nshard.1=b,c,d\n")));
    Registration registered =
        new Registration(
            new NodeDescription("n1", ID, "", "h1", 8190, 8191, "r1", "0.1.0", 1, 2), 3);
    assertThat(ZnodeForms.registration(PATHS, "n1", ZnodeForms.write(PATHS, registered)))
        .isEqualTo(registered);
    for (int replicas : List.of(0, 2, 4, 5, 7)) {
      error(
          ErrorCode.INVALID_ARGUMENT,
          () -> new ClusterDescription("c", ID, Instant.EPOCH, 2, replicas, 3, new TreeMap<>()));
    }
  }

  /** A build that knows of no generations must not read it. */
  @Test
  void whatGoesOnAfterALossHasAGenerationAndFewerReplicas() {
    ClusterDescription cluster =
        new ClusterDescription("c", CLUSTER.id(), CLUSTER.created(), 2, 3, 3, new TreeMap<>());
    ShardPlacement placement =
        ShardPlacement.still(2, List.of(List.of("a", "b", "c"), List.of("b", "c", "d")))
            .withSurvivor(1, "c");
    assertThat(placement.replicas()).containsExactly(List.of("a", "b", "c"), List.of("c"));
    assertThat(placement.wanted().get(1)).containsExactly("b", "c", "d");
    assertThat(placement.generations()).containsExactly(0, 1);
    byte[] placed = ZnodeForms.write(PATHS, placement);
    assertThat(text(placed))
        .isEqualTo(
            "format=3\nepoch=3\nshards=2\nshard.0=a,b,c\nshard.1=c\nwanted.1=b,c,d\ngeneration.1=1\n");
    assertThat(ZnodeForms.placement(PATHS, cluster, placed)).isEqualTo(placement);
    ShardPlacement grown = placement.withReplicas(1, List.of("c", "d"));
    assertThat(ZnodeForms.placement(PATHS, cluster, ZnodeForms.write(PATHS, grown)))
        .isEqualTo(grown);
    byte[] without = text(placed).replace("generation.1=1\n", "").getBytes(StandardCharsets.UTF_8);
    error(ErrorCode.CORRUPTION, () -> ZnodeForms.placement(PATHS, cluster, without));
  }

  @Test
  void theFirstPlacementIsEven() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      int shards = 1 << random.nextInt(8);
      TreeSet<String> nodes = new TreeSet<>();
      int replicas = 1 + 2 * random.nextInt(3);
      for (int n = random.nextInt(20); n >= 0 || nodes.size() < replicas; n--) {
        nodes.add("n" + random.nextInt(1000));
      }
      ShardPlacement placement = ShardPlacement.first(shards, replicas, nodes, Map.of());
      assertThat(placement.replicas()).as("seed %d", seed).hasSize(shards);
      assertThat(placement.replicas())
          .as("seed %d", seed)
          .allMatch(each -> each.size() == replicas && new TreeSet<>(each).size() == replicas);
      int least = shards / nodes.size();
      assertThat(nodes)
          .as("seed %d", seed)
          .allMatch(
              node -> {
                int count = placement.shardsOf(node).size();
                return count >= replicas * least && count <= replicas * (least + 1);
              })
          .allMatch(
              node -> {
                long firsts =
                    placement.replicas().stream().filter(each -> each.get(0).equals(node)).count();
                return firsts == least || firsts == least + 1;
              });
    }
  }

  @Test
  void settingsThatDoNotFitTogetherAreRefused() {
    String hosts = ZooKeeperSetting.HOSTS.key();
    for (String bad : List.of("", "host", "h:1, g:2", "h:1/chroot", "h:x", ",")) {
      assertThat(
              error(
                  ErrorCode.INVALID_CONFIGURATION, () -> ZooKeeperSettings.of(Map.of(hosts, bad))))
          .hasMessageContaining(hosts);
    }
    assertThat(ZooKeeperSettings.of(Map.of(hosts, "a:1,b.c:2,[::1]:3")).get(ZooKeeperSetting.HOSTS))
        .isEqualTo("a:1,b.c:2,[::1]:3");
    error(
        ErrorCode.INVALID_CONFIGURATION,
        () -> ZooKeeperSettings.of(Map.of(ZooKeeperSetting.USER.key(), "hpc")));
    error(
        ErrorCode.INVALID_CONFIGURATION,
        () -> ZooKeeperSettings.of(Map.of(ZooKeeperSetting.TLS_CA.key(), "no such file")));
    error(
        ErrorCode.INVALID_CONFIGURATION,
        () -> ZooKeeperSettings.of(Map.of("graphmeta.zookeeper.nothing", "1")));
  }
}
