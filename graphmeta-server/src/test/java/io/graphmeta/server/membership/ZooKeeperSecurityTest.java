package io.graphmeta.server.membership;

import static io.graphmeta.server.membership.TestZooKeeper.description;
import static io.graphmeta.server.membership.TestZooKeeper.error;
import static io.graphmeta.server.membership.TestZooKeeper.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.server.net.Certificates;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Log-in and TLS to a ZooKeeper that wants them. */
@Timeout(120)
final class ZooKeeperSecurityTest {
  @TempDir private static Path directory;
  private static TestZooKeeper zooKeeper;
  private static int securePort;
  private static Certificates authority;

  @BeforeAll
  static void start() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("jars"));
    try (Stream<Path> server = Files.list(TestZooKeeper.JARS)) {
      for (Path jar : server.toList()) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    // TLS at the side of the server is by Netty.
    for (String entry : System.getProperty("java.class.path").split(":")) {
      Path jar = Path.of(entry);
      if (jar.getFileName().toString().startsWith("netty-")) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
      }
    }
    Path logIns =
        Files.writeString(
            directory.resolve("jaas.conf"),
            """
            Server {
              org.apache.zookeeper.server.auth.DigestLoginModule required
              user_hpc="of hpc" user_other="of other";
            };
            """);
    authority = new Certificates(directory.resolve("ca"));
    try (ServerSocket socket = new ServerSocket(0)) {
      securePort = socket.getLocalPort();
    }
    zooKeeper =
        new TestZooKeeper(
            jars,
            directory.resolve("zookeeper"),
            Map.of(
                "authProvider.sasl",
                "org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
                "serverCnxnFactory",
                "org.apache.zookeeper.server.NettyServerCnxnFactory",
                "secureClientPort",
                String.valueOf(securePort),
                "ssl.keyStore.location",
                authority.identity("zookeeper", "localhost").toString(),
                "ssl.keyStore.type",
                "PEM",
                "ssl.trustStore.location",
                authority.authority().toString(),
                "ssl.trustStore.type",
                "PEM"),
            List.of("-Djava.security.auth.login.config=" + logIns));
  }

  @AfterAll
  static void stop() {
    zooKeeper.close();
  }

  private static ZooKeeperSettings user(String user, String password) throws IOException {
    Path file = Files.createTempFile(directory, user, ".password");
    Files.writeString(file, password + "\n");
    return ZooKeeperSettings.of(
        Map.of(
            ZooKeeperSetting.HOSTS.key(),
            zooKeeper.process().hosts(),
            ZooKeeperSetting.SESSION_TIMEOUT_MILLIS.key(),
            TestZooKeeper.SESSION_MILLIS,
            ZooKeeperSetting.USER.key(),
            user,
            ZooKeeperSetting.PASSWORD_FILE.key(),
            file));
  }

  private static ZooKeeperSettings secure(ZooKeeperSettings settings, Path trusted, String host) {
    return settings
        .with(ZooKeeperSetting.HOSTS, host + ":" + securePort)
        .with(ZooKeeperSetting.DEADLINE_MILLIS, 10_000)
        .with(ZooKeeperSetting.TLS_CA, trusted);
  }

  @Test
  void whatAUserMakesIsForThisUserAlone() throws Exception {
    ZooKeeperSettings hpc = user("hpc", "of hpc");
    String name = TestZooKeeper.name();
    ClusterMembership.create(hpc, description(name, 4, 1));
    ClusterPaths paths = new ClusterPaths(name);
    try (ClusterMembership node = ClusterMembership.open(hpc, name);
        ZooKeeper raw = zooKeeper.raw()) {
      node.join(node("n1"));
      node.awaitPlacement(20_000);
      for (String path :
          List.of(
              ClusterPaths.ROOT,
              paths.root(),
              paths.nodes(),
              paths.node("n1"),
              paths.presences(),
              paths.presence("n1"),
              paths.placement())) {
        assertThatThrownBy(() -> raw.getData(path, false, null))
            .as("read " + path)
            .isInstanceOf(KeeperException.NoAuthException.class);
        assertThatThrownBy(() -> raw.setData(path, new byte[0], -1))
            .as("write " + path)
            .isInstanceOf(KeeperException.NoAuthException.class);
      }
      assertThat(
              error(
                  ErrorCode.INVALID_CONFIGURATION,
                  () -> ClusterMembership.open(zooKeeper.settings(), name)))
          .hasMessageContaining(ZooKeeperSetting.USER.key());
      ZooKeeperSettings other = user("other", "of other");
      assertThat(error(ErrorCode.INVALID_CONFIGURATION, () -> ClusterMembership.open(other, name)))
          .hasMessageContaining("user 'other'");
      // Two log-ins in one JVM do not get mixed up.
      try (ClusterMembership client = ClusterMembership.open(hpc, name)) {
        assertThat(client.view().nodes()).containsKey("n1");
      }
    }
  }

  @Test
  void aWrongPasswordIsToldAsSuch() throws Exception {
    ZooKeeperSettings wrong = user("hpc", "something else");
    assertThat(
            error(
                ErrorCode.INVALID_CONFIGURATION,
                () -> ClusterMembership.open(wrong, TestZooKeeper.name())))
        .hasMessageContaining("user 'hpc'")
        .hasMessageNotContaining("something else");
  }

  @Test
  void aPasswordThatOthersCanReadIsNotTaken() throws Exception {
    ZooKeeperSettings hpc = user("hpc", "of hpc");
    Files.setPosixFilePermissions(
        Path.of(hpc.get(ZooKeeperSetting.PASSWORD_FILE)),
        PosixFilePermissions.fromString("rw-r-----"));
    assertThat(error(ErrorCode.INVALID_CONFIGURATION, () -> ClusterMembership.open(hpc, "c")))
        .hasMessageContaining("600");
  }

  @Test
  void byTlsWithACertificateOfTheAuthorityForTheHostOnly() throws Exception {
    Path identity = authority.identity("client", "client");
    ZooKeeperSettings good =
        secure(zooKeeper.settings(), authority.authority(), "localhost")
            .with(ZooKeeperSetting.TLS_IDENTITY, identity);
    assertThat(error(ErrorCode.NOT_FOUND, () -> ClusterMembership.open(good, "nowhere")))
        .isNotNull();

    Certificates strangers = new Certificates(directory.resolve("strangers"));
    ZooKeeperSettings brief = good.with(ZooKeeperSetting.DEADLINE_MILLIS, 3000);
    error(
        ErrorCode.UNAVAILABLE,
        () ->
            ClusterMembership.open(
                brief.with(ZooKeeperSetting.TLS_CA, strangers.authority()), "nowhere"));
    error(
        ErrorCode.UNAVAILABLE,
        () ->
            ClusterMembership.open(
                brief.with(ZooKeeperSetting.HOSTS, "127.0.0.1:" + securePort), "nowhere"));
    // A client in the clear at the port of TLS.
    error(
        ErrorCode.UNAVAILABLE,
        () ->
            ClusterMembership.open(
                zooKeeper
                    .settings()
                    .with(ZooKeeperSetting.HOSTS, "localhost:" + securePort)
                    .with(ZooKeeperSetting.DEADLINE_MILLIS, 3000),
                "nowhere"));
  }

  @Test
  void tlsAndALogInGoTogether() throws Exception {
    ZooKeeperSettings both =
        secure(user("hpc", "of hpc"), authority.authority(), "localhost")
            .with(ZooKeeperSetting.TLS_IDENTITY, authority.identity("both", "both"));
    String name = TestZooKeeper.name();
    ClusterMembership.create(both, description(name, 4, 1));
    try (ClusterMembership node = ClusterMembership.open(both, name)) {
      assertThat(node.join(node("n1"))).isEqualTo(1);
    }
  }
}
