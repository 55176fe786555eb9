package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.admin.AdminEndpoint;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.server.users.UserFile;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a page of somebody else can make a user's browser send to a server on the same machine: all
 * ways to send, from all kinds of pages, with the log-in that the browser remembers. None of it may
 * change anything.
 */
final class PagesOfOthersTest {
  private static final String WRITE = "g.addV('planted')";
  private static final String PASSWORD = "correct horse";

  @TempDir private static Path directory;
  private static ServedGraph open;
  private static ServedGraph withUsers;

  @BeforeAll
  static void start() throws Exception {
    Path users = directory.resolve("users");
    UserFile.empty().with("ada", PASSWORD.toCharArray()).write(users);
    open = new ServedGraph(Map.of());
    withUsers = new ServedGraph(Map.of(ServerSetting.USERS_FILE, users));
  }

  @AfterAll
  static void stop() {
    open.close();
    withUsers.close();
  }

  private static long vertices(ServedGraph served) {
    long count = served.graph.traversal().V().count().next();
    served.graph.tx().rollback();
    return count;
  }

  private static String uri(String script) {
    return "/gremlin?gremlin=" + URLEncoder.encode(script, StandardCharsets.UTF_8);
  }

  /** A page: what a browser says of it. {@code port} stands for that of the server. */
  private static List<String> pages(int port) {
    List<String> pages = new ArrayList<>();
    for (String origin :
        new String[] {
          "http://127.0.0.1:" + (port - 1),
          "http://localhost:" + (port - 1),
          "https://127.0.0.1:" + port,
          "http://evil.example:" + port,
          "https://evil.example",
          "http://127.0.0.1:" + port + ".evil.example",
          "null"
        }) {
      pages.add("Origin: " + origin + "\r\n");
      pages.add("Origin: " + origin + "\r\nSec-Fetch-Site: cross-site\r\n");
      pages.add("Origin: " + origin + "\r\nSec-Fetch-Site: same-site\r\n");
    }
    pages.add("Sec-Fetch-Site: cross-site\r\n");
    pages.add("Sec-Fetch-Site: same-site\r\n");
    pages.add("Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n");
    pages.add("Origin: http://127.0.0.1:" + port + "\r\nOrigin: http://evil.example\r\n");
    return pages;
  }

  /** What such a page can send without asking the server first, {@code %s} for the page. */
  private static List<String> ways(int port) {
    String host = "HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n%s";
    String json = "{\"gremlin\":\"" + WRITE + "\"}";
    String form = "gremlin=" + URLEncoder.encode(WRITE, StandardCharsets.UTF_8);
    List<String> ways = new ArrayList<>();
    ways.add("GET " + uri(WRITE).replace("%", "%%") + " " + host + "\r\n");
    ways.add("GET /" + uri(WRITE).substring(8).replace("%", "%%") + " " + host + "\r\n");
    for (String type :
        new String[] {
          "Content-Type: text/plain\r\n",
          "Content-Type: text/plain;charset=UTF-8\r\n",
          "Content-Type: application/x-www-form-urlencoded\r\n",
          "Content-Type: multipart/form-data; boundary=x\r\n",
          ""
        }) {
      ways.add(post(host, type, json));
      ways.add(post(host, type, form.replace("%", "%%")));
    }
    return ways;
  }

  private static String post(String host, String type, String body) {
    int length = body.replace("%%", "%").length();
    return "POST /gremlin " + host + type + "Content-Length: " + length + "\r\n\r\n" + body;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void changeNothing(boolean logIn) throws Exception {
    ServedGraph served = logIn ? withUsers : open;
    // A browser sends a password that it holds with every request.
    String basic =
        Base64.getEncoder().encodeToString(("ada:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
    String held = logIn ? "Authorization: Basic " + basic + "\r\n" : "";
    List<String> ways = new ArrayList<>(ways(served.port()));
    ways.add(
        "GET /gremlin HTTP/1.1\r\nHost: 127.0.0.1:"
            + served.port()
            + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n%s\r\n");
    for (String way : ways) {
      for (String page : pages(served.port())) {
        String request = way.formatted(held + page);
        assertThat(RawHttp.firstLine(served.port(), request)).as(request).contains(" 403 ");
      }
    }
    assertThat(vertices(served)).isZero();
  }

  /** Browsers of long ago say nothing of the page; forms and images must not write all the same. */
  @Test
  void changeNothingInBrowsersThatSayNothing() throws Exception {
    for (String way : ways(open.port())) {
      String request = way.formatted("");
      assertThat(RawHttp.firstLine(open.port(), request))
          .as(request)
          .containsPattern(" 40[03] | 415 ");
    }
    assertThat(vertices(open)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "", "localhost@evil.example"})
  void cannotReboundANameToTheServer(String name) throws Exception {
    String head = " HTTP/1.1\r\nHost: " + name + "\r\nConnection: close\r\n";
    assertThat(RawHttp.say(open.port(), "GET " + uri("g.V()") + head + "\r\n"))
        .contains(" 403 ", "does not go by the name");
    assertThat(
            RawHttp.firstLine(
                open.port(), "GET /gremlin" + head + "Host: 127.0.0.1:" + open.port() + "\r\n\r\n"))
        .contains(" 403 ");
    try (ServerMetrics metrics = new ServerMetrics();
        AdminEndpoint admin =
            AdminEndpoint.start(
                ServerSettings.defaults().with(ServerSetting.ADMIN_PORT, 0), metrics, () -> {})) {
      int port = admin.address().getPort();
      assertThat(RawHttp.say(port, "GET /metrics" + head + "\r\n"))
          .contains(" 403 ")
          .doesNotContain("jvm_");
      for (String page : pages(port)) {
        assertThat(
                RawHttp.say(
                    port,
                    "GET /metrics HTTP/1.1\r\nHost: localhost:"
                        + port
                        + "\r\nConnection: close\r\n"
                        + page
                        + "\r\n"))
            .as(page)
            .contains(" 403 ")
            .doesNotContain("jvm_");
      }
      assertThat(
              RawHttp.say(
                  port,
                  "GET /live HTTP/1.1\r\nHost: localhost:"
                      + port
                      + "\r\nConnection: close\r\nSec-Fetch-Site: none\r\n\r\n"))
          .contains(" 200 ");
    }
  }

  // Reading by GET

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g.addV('planted')",
        "g.V().addE('planted')",
        "g.inject(1).addV('planted')",
        "g.inject(1).map(addV('planted'))",
        "g.inject(1).union(identity(),addV('planted')).iterate()",
        "g.addV('planted').iterate()",
        "g.V().drop()",
        "g.V().property('planted',1)",
        "g.mergeV([(T.label):'planted'])",
        "g.inject(1).sideEffect(addV('planted'))",
        "g.inject(1).repeat(addV('planted')).times(2)",
        "g.call('graphmeta.history',[id:'x']).addV('planted')",
        "g.inject(1).where(addV('planted'))"
      })
  void getDoesNotWrite(String script) throws Exception {
    open.graph.addVertex(T.label, "kept");
    open.graph.tx().commit();
    try {
      String answer = get(script);
      assertThat(answer).contains(" 403 ", "GET only reads", "POST");
      assertThat(open.graph.traversal().V().label().toList()).containsExactly("kept");
      assertThat(open.graph.traversal().V().has("planted").count().next()).isZero();
    } finally {
      open.graph.tx().rollback();
      open.database.clear();
    }
  }

  /** Whatever a query does that GET lets pass, nothing of it is committed. */
  @Test
  void getNeverCommits() throws Exception {
    get("g.tx().commit()");
    get("g.addV('planted').iterate(); g.tx().commit()");
    get("g.V(); g.addV('planted').next()");
    assertThat(vertices(open)).isZero();
  }

  @Test
  void getReads() throws Exception {
    assertThat(get("g.V().count()")).contains(" 200 ", "\"@value\":0");
    assertThat(get("g.call('--list')")).contains(" 200 ", "graphmeta.history");
    assertThat(get("g.call('graphmeta.placement')")).contains(" 200 ");
  }

  private static String get(String script) throws Exception {
    return RawHttp.say(
        open.port(),
        "GET "
            + uri(script)
            + " HTTP/1.1\r\nHost: localhost:"
            + open.port()
            + "\r\nConnection: close\r\n\r\n");
  }

  // Who may

  @Test
  void pagesThatAreNamedMayUseTheServer() throws Exception {
    String origin = "https://portal.example:8443";
    try (ServedGraph served =
        new ServedGraph(Map.of(ServerSetting.ALLOWED_ORIGINS, origin + ", http://notes.example"))) {
      String body = "{\"gremlin\":\"g.V().count()\"}";
      assertThat(served.post(body, "Origin", origin, "Sec-Fetch-Site", "cross-site").statusCode())
          .isEqualTo(200);
      assertThat(served.post(body, "Origin", "http://notes.example:80").statusCode())
          .isEqualTo(200);
      assertThat(served.post(body, "Origin", "https://notes.example").statusCode()).isEqualTo(403);
      assertThat(served.post(body, "Origin", "https://portal.example").statusCode()).isEqualTo(403);
      assertThat(served.post(body, "Sec-Fetch-Site", "cross-site").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void whatIsNoOriginIsRefusedAsASetting() {
    for (String wrong : new String[] {"portal.example", "https://", "*", "https://a.example/x"}) {
      assertThatThrownBy(() -> new ServedGraph(Map.of(ServerSetting.ALLOWED_ORIGINS, wrong)))
          .hasMessageContaining("server.allowed-origins")
          .hasMessageContaining(wrong)
          .hasMessageContaining("https://portal.example:8443");
    }
  }

  @Test
  void theServersOwnPageMayUseIt() throws Exception {
    String body = "{\"gremlin\":\"g.V().count()\"}";
    String own = "http://127.0.0.1:" + open.port();
    assertThat(open.post(body, "Origin", own, "Sec-Fetch-Site", "same-origin").statusCode())
        .isEqualTo(200);
    assertThat(open.post(body, "Sec-Fetch-Site", "none").statusCode()).isEqualTo(200);
  }

  @Test
  void aBodyIsJsonAndSaysSo() throws Exception {
    String body = "{\"gremlin\":\"g.V().count()\"}";
    for (String type : new String[] {"application/json", "application/json; charset=utf-8"}) {
      assertThat(open.post(body, "Content-Type", type).statusCode()).isEqualTo(200);
    }
    assertThat(open.post(body, "Content-Type", "text/plain").body())
        .contains("text/plain", "Content-Type: application/json");
    assertThat(open.post(body, "Content-Encoding", "gzip").body()).contains("gzip");
  }
}
