package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.users.UserFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The view behind a portal, with TLS and a log-in, of a server that comes and goes, and of a graph
 * that is written. Needs Chromium.
 */
final class ViewElsewhereIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int BACKFILLS = Integer.getInteger("graphmeta.view-backfills", 3_000);
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";

  @TempDir private Path directory;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    Chromium.assumeDriven();
    browser = Browser.start(directory);
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private static ServedGraph campaign(Map<ServerSetting, Object> settings) throws Exception {
    ServedGraph served = new ServedGraph(settings);
    SampleGraph.load(served.database);
    return served;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void aLinkThatWasCopiedLeadsToTheSamePictureWhateverIsWrittenLater() throws Exception {
    try (ServedGraph served = campaign(Map.of())) {
      String origin = "http://127.0.0.1:" + served.port();
      Map<String, String> links = new HashMap<>();
      for (String state :
          List.of(
              "lineage?id=" + encoded(FIGURE),
              "lineage?asOf=2026-11-21T00:36:30Z&id=" + encoded(FIGURE),
              "lineage?against=2026-11-21T00:36:30Z&id=" + encoded(FIGURE),
              "impact?asOf=2026-11-21T00:35:30Z&id=" + encoded("/proj/hx01/config/model.cfg"),
              "runs?a=job:184267&b=job:184268")) {
        browser.open(origin + "/ui/#/" + state);
        browser.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }");
        browser.click("button", "Copy link");
        browser.until("window.copied");
        String link = browser.evaluate("window.copied").textValue();
        assertThat(link).startsWith(origin).contains("knownAt=");
        links.put(link, svg(link));
      }
      backfill(served);
      browser.open(origin + "/ui/#/lineage?id=" + encoded(FIGURE));
      assertThat(picture()).as("what is known now, seed %d", SEED).isNotIn(links.values());
      links.forEach(
          (link, svg) -> assertThat(svg(link)).as("%s, seed %d", link, SEED).isEqualTo(svg));
    }
  }

  private String svg(String link) {
    browser.open(link);
    return picture();
  }

  private String picture() {
    return browser.evaluate("document.querySelector('.scroller svg').outerHTML").textValue();
  }

  /** Processes of the past that read and write what the campaign did. */
  private static void backfill(ServedGraph served) {
    Random random = new Random(SEED);
    List<Object> files = served.graph.traversal().V().hasLabel("file").id().toList();
    served.graph.tx().rollback();
    OffsetDateTime first = OffsetDateTime.of(2026, 11, 21, 0, 33, 0, 0, ZoneOffset.UTC);
    for (int i = 0; i < BACKFILLS; i++) {
      OffsetDateTime start = first.plusNanos(random.nextInt(400_000) * 1_000_000L);
      OffsetDateTime end = start.plusNanos(1_000_000L * (1 + random.nextInt(2_000)));
      Vertex process =
          served.graph.addVertex(
              T.label, "process", T.id, "backfill/" + i, "start", start, "end", end);
      Object written = i == 0 ? FIGURE : files.get(random.nextInt(files.size()));
      for (Object file : List.of(written, files.get(random.nextInt(files.size())))) {
        process.addEdge(
            file == written ? "wrote" : "read",
            served.graph.vertices(file).next(),
            "start",
            start,
            "end",
            end,
            "bytes",
            1_000L);
      }
      if (i % 100 == 99) {
        served.graph.tx().commit();
      }
    }
    served.graph.tx().commit();
  }

  @Test
  void aQuestionThatIsLeftIsEndedOnTheServer() throws Exception {
    try (ServedGraph served = campaign(Map.of())) {
      browser.open("http://127.0.0.1:" + served.port() + "/ui/#/gremlin");
      String endless = "g.V().repeat(__.both()).emit().count()";
      browser.evaluate(
          "location.hash = '#/gremlin?q=' + encodeURIComponent(" + Browser.quoted(endless) + ")");
      awaitUnderWay(served, 1);
      browser.go("#/job?id=job:184267");
      assertThat(browser.text()).contains("Job 184267 tune");
      awaitUnderWay(served, 0);
      assertThat(browser.console()).isEmpty();
    }
  }

  private static void awaitUnderWay(ServedGraph served, int queries) throws Exception {
    for (int i = 0; served.endpoint.queriesUnderWay() != queries; i++) {
      assertThat(i).as("%d queries under way", queries).isLessThan(500);
      Thread.sleep(20);
    }
  }

  @Test
  void aServerThatStoppedIsToldAndAskedAgain() throws Exception {
    int port;
    try (ServedGraph served = campaign(Map.of())) {
      port = served.port();
      browser.open("http://127.0.0.1:" + port + "/ui/#/lineage?id=" + encoded(FIGURE));
      assertThat(browser.text()).contains("112 elements in 22 boxes");
    }
    browser.go("#/job?id=job:184267");
    assertThat(browser.text()).contains("The server does not answer");
    try (ServedGraph served = campaign(Map.of(ServerSetting.PORT, port))) {
      browser.click("#page .fault button");
      assertThat(browser.text()).contains("Job 184267 tune");
      browser.evaluate("history.back()");
      browser.until("document.body.innerText.includes('112 elements in 22 boxes')");
      assertThat(served.port()).isEqualTo(port);
    }
  }

  @Test
  void withTlsAndALogInThePagesAreTheSame() throws Exception {
    SelfSigned certificate = SelfSigned.make(directory);
    Path users = directory.resolve("users");
    UserFile.empty().with("ada", "correct horse".toCharArray()).write(users);
    Map<ServerSetting, Object> settings =
        Map.of(
            ServerSetting.USERS_FILE, users,
            ServerSetting.TLS_CERT, certificate.cert(),
            ServerSetting.TLS_KEY, certificate.key());
    try (ServedGraph served = campaign(settings)) {
      browser.send("Security.setIgnoreCertificateErrors", Map.of("ignore", true));
      String view = "https://127.0.0.1:" + served.port() + "/ui/";
      browser.logIn(URI.create(view + "view.css"), "ada", "correct horse");
      browser.open(view + "#/lineage?id=" + encoded(FIGURE));
      assertThat(browser.text()).contains("112 elements in 22 boxes");
      browser.go("#/gremlin?q=" + encoded("g.V().hasLabel('user').values('name')"));
      assertThat(browser.text()).contains("3 results");
    }
  }

  @Test
  void behindAPortalThePagesAreTheSame() throws Exception {
    try (ServedGraph served = campaign(Map.of());
        Portal portal = new Portal(served.port())) {
      browser.open(portal.address() + "ui/#/lineage?id=" + encoded(FIGURE));
      assertThat(browser.text()).contains("112 elements in 22 boxes");
      for (String state :
          List.of("#/job?id=job:184267", "#/runs?a=184267&b=184268", "#/placement?seconds=60")) {
        browser.go(state);
        assertThat(browser.count("[role=alert]")).as(state).isZero();
      }
      assertThat(browser.evaluate("location.pathname").asText()).isEqualTo("/portal/graph/ui/");
      assertThat(browser.console()).isEmpty();
      assertThat(browser.requests())
          .allMatch(each -> each.startsWith(portal.address()) || each.startsWith("about:"));
      // Names of files reach no log of the portal.
      assertThat(portal.asked).isNotEmpty().noneMatch(each -> each.contains("figure"));
    }
  }

  /** Serves what is below a path of its own from another server. */
  private static final class Portal implements AutoCloseable {
    private static final String PATH = "/portal/graph/";
    private final HttpServer server;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    Portal(int port) throws IOException {
      this.port = port;
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
      server.createContext(PATH, this::pass);
      server.setExecutor(Executors.newCachedThreadPool());
      server.start();
    }

    String address() {
      return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
    }

    private void pass(HttpExchange exchange) throws IOException {
      String uri = exchange.getRequestURI().toString();
      asked.add(uri);
      HttpRequest.Builder request =
          HttpRequest.newBuilder(
                  URI.create("http://127.0.0.1:" + port + "/" + uri.substring(PATH.length())))
              .method(
                  exchange.getRequestMethod(),
                  HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      String type = exchange.getRequestHeaders().getFirst("Content-Type");
      if (type != null) {
        request.header("Content-Type", type);
      }
      try {
        HttpResponse<byte[]> response =
            http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        response
            .headers()
            .map()
            .forEach(
                (name, values) -> {
                  if (!name.equalsIgnoreCase("content-length")) {
                    exchange.getResponseHeaders().put(name, values);
                  }
                });
        exchange.sendResponseHeaders(
            response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
        exchange.getResponseBody().write(response.body());
        exchange.close();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
