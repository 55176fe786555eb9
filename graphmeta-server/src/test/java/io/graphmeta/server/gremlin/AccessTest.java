package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.users.UserFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log-in and TLS, and that nobody listens beyond the machine without both. */
final class AccessTest {
  private static final String PASSWORD = "correct:horse+/battery";

  @TempDir private static Path directory;
  private static Path users;
  private static Path keystore;
  private static Path keystorePassword;
  private static Path cert;
  private static Path key;

  @BeforeAll
  static void make() throws Exception {
    users = directory.resolve("users");
    UserFile.empty().with("ada", PASSWORD.toCharArray()).write(users);
    SelfSigned made = SelfSigned.make(directory);
    keystore = made.keystore();
    cert = made.cert();
    key = made.key();
    keystorePassword = directory.resolve("server.password");
    Files.writeString(keystorePassword, SelfSigned.STORE_PASSWORD + "\n");
  }

  private static Map<ServerSetting, Object> withUsers() {
    return new HashMap<>(Map.of(ServerSetting.USERS_FILE, users));
  }

  private static Map<ServerSetting, Object> withAll() {
    Map<ServerSetting, Object> settings = withUsers();
    settings.put(ServerSetting.TLS_CERT, cert);
    settings.put(ServerSetting.TLS_KEY, key);
    return settings;
  }

  @Test
  void aDriverLogsInAndOthersDoNot() throws Exception {
    try (ServedGraph served = new ServedGraph(withUsers())) {
      try (Driver ada = new Driver(served.cluster().credentials("ada", PASSWORD))) {
        ada.g.addV("job").iterate();
        assertThat(ada.g.V().count().next()).isEqualTo(1L);
      }
      try (Driver wrong = new Driver(served.cluster().credentials("ada", "wrong"))) {
        assertThatThrownBy(() -> wrong.g.V().count().next()).hasStackTraceContaining("wrong");
      }
      try (Driver nobody = new Driver(served.cluster())) {
        assertThatThrownBy(() -> nobody.g.V().count().next()).isInstanceOf(Exception.class);
      }
      assertThat(served.graph.traversal().V().count().next()).isEqualTo(1L);
      served.graph.tx().rollback();
    }
  }

  @Test
  void httpLogsInByBasicWithAnyCharacter() throws Exception {
    try (ServedGraph served = new ServedGraph(withUsers())) {
      String query = "{\"gremlin\":\"g.inject(42)\"}";
      assertThat(served.post(query).statusCode()).isEqualTo(401);
      assertThat(served.post(query, "Authorization", basic("ada:wrong")).statusCode())
          .isEqualTo(401);
      assertThat(served.post(query, "Authorization", "Basic !!!").statusCode()).isEqualTo(401);
      assertThat(served.post(query, "Authorization", "Bearer x").statusCode()).isEqualTo(401);
      for (int i = 0; i < 3; i++) {
        assertThat(served.post(query, "Authorization", basic("ada:" + PASSWORD)).body())
            .contains("42");
      }
    }
  }

  private static String basic(String credentials) {
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes());
  }

  @Test
  void passwordsCannotBeTriedWithoutEnd() throws Exception {
    try (ServedGraph served = new ServedGraph(withUsers())) {
      String said = "";
      for (int i = 0; i < 8; i++) {
        said = served.post("{}", "Authorization", basic("ada:guess " + i)).body();
      }
      assertThat(said).contains("Too many log-ins");
    }
  }

  @Test
  void tlsIsServedFromPemAndFromAKeyStore() throws Exception {
    Map<ServerSetting, Object> byKeystore = withUsers();
    byKeystore.put(ServerSetting.TLS_KEYSTORE, keystore);
    byKeystore.put(ServerSetting.TLS_KEYSTORE_PASSWORD_FILE, keystorePassword);
    for (Map<ServerSetting, Object> settings : List.of(withAll(), byKeystore)) {
      try (ServedGraph served = new ServedGraph(settings)) {
        Cluster.Builder trusting =
            served
                .cluster()
                .enableSsl(true)
                .trustStore(keystore.toString())
                .trustStorePassword(SelfSigned.STORE_PASSWORD)
                .keyStoreType("PKCS12")
                .credentials("ada", PASSWORD);
        try (Driver driver = new Driver(trusting)) {
          assertThat(driver.g.V().count().next()).isZero();
        }
        try (Driver plain = new Driver(served.cluster().credentials("ada", PASSWORD))) {
          assertThatThrownBy(() -> plain.g.V().count().next()).isInstanceOf(Exception.class);
        }
      }
    }
  }

  @Test
  void nobodyListensBeyondTheMachineWithoutBoth() throws Exception {
    Map<ServerSetting, Object> onlyTls = withAll();
    onlyTls.remove(ServerSetting.USERS_FILE);
    for (Map<ServerSetting, Object> settings :
        List.of(new HashMap<ServerSetting, Object>(), withUsers(), onlyTls)) {
      settings.put(ServerSetting.HOST, "0.0.0.0");
      assertThatThrownBy(() -> new ServedGraph(settings))
          .hasMessageContaining("0.0.0.0 can be reached from other machines");
    }
    Map<ServerSetting, Object> both = withAll();
    both.put(ServerSetting.HOST, "0.0.0.0");
    try (ServedGraph served = new ServedGraph(both)) {
      assertThat(served.port()).isPositive();
    }
  }

  @Test
  void halfAnAnswerAboutTlsIsRefused() {
    assertThatThrownBy(() -> new ServedGraph(Map.of(ServerSetting.TLS_CERT, cert)))
        .hasMessageContaining("server.tls-key", "expected both");
    assertThatThrownBy(
            () ->
                new ServedGraph(
                    Map.of(ServerSetting.TLS_CERT, cert, ServerSetting.TLS_KEY, "/no/such")))
        .hasMessageContaining("/no/such");
    assertThatThrownBy(
            () ->
                new ServedGraph(Map.of(ServerSetting.TLS_CERT, cert, ServerSetting.TLS_KEY, cert)))
        .hasMessageContaining("cannot be taken");
  }

  @Test
  void aReadOnlyServerRefusesWrites() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of(ServerSetting.READ_ONLY, "true"));
        Driver driver = new Driver(served.cluster())) {
      assertThat(driver.g.V().count().next()).isZero();
      assertThatThrownBy(() -> driver.g.addV("x").iterate()).hasStackTraceContaining("mutat");
      assertThatThrownBy(() -> driver.client.submit("g.addV('x')").all().get())
          .hasStackTraceContaining("mutat");
    }
  }
}
