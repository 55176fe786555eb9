package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page of somebody else in a real browser, on the machine of a server: {@code pages/others.html}
 * tries all that a page can. Needs Chromium.
 */
final class BrowserAttackIT {
  private static final int PATIENCE_SECONDS = 60;

  @TempDir private Path directory;
  private String chromium = "";

  @BeforeEach
  void find() {
    chromium = Chromium.find();
    assumeTrue(!chromium.isEmpty(), "the attacks of web pages need Chromium on the PATH");
  }

  @Test
  void aPageOfSomebodyElseChangesNothing() throws Exception {
    try (Page page = new Page();
        ServerProcess server = new ServerProcess(directory, "-Xmx512m");
        Driver driver = server.driver()) {
      page.show(server.port);
      assertThat(driver.g.V().valueMap("by").toList()).isEmpty();
      // All of it was sent, and turned away: else the page proves nothing.
      String audit = Files.readString(directory.resolve("db.audit.log"));
      assertThat(audit).contains("does not go by the name 'rebound.example:" + server.port);
      assertThat(audit.lines().filter(line -> line.contains("kind=turned-away")).count())
          .as("refused: %s", audit)
          .isGreaterThan(40);
      // Opened by the user, as a link in a mail is, such a name is refused as well.
      page.open(
          "http://rebound.example:" + server.port + "/gremlin?gremlin=g.addV(%27typed%27)",
          () -> !audit(directory).equals(audit));
      page.open(
          "http://127.0.0.1:" + server.port + "/gremlin?gremlin=g.addV(%27typed%27)",
          () -> audit(directory).contains("typed"));
      assertThat(driver.g.V().count().next()).isZero();
    }
  }

  /** The page is dangerous: where the server is told to let it in, it writes. */
  @Test
  void aPageThatIsAllowedWrites() throws Exception {
    try (Page page = new Page();
        ServerProcess server =
            new ServerProcess(
                directory, "-Xmx512m", "--set", "server.allowed-origins=" + page.origin());
        Driver driver = server.driver()) {
      page.show(server.port);
      assertThat(driver.g.V().values("by").toSet()).contains("websocket");
    }
  }

  private static String audit(Path directory) throws Exception {
    return Files.readString(directory.resolve("db.audit.log"));
  }

  /** The server of the page, and the browser that shows it. */
  private final class Page implements AutoCloseable {
    private final HttpServer own;
    private final CountDownLatch done = new CountDownLatch(1);

    Page() throws Exception {
      byte[] html;
      try (InputStream in = BrowserAttackIT.class.getResourceAsStream("/pages/others.html")) {
        html = Objects.requireNonNull(in).readAllBytes();
      }
      own = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      own.createContext(
          "/",
          exchange -> {
            try (exchange) {
              if (exchange.getRequestURI().getPath().equals("/done")) {
                done.countDown();
              }
              exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
              exchange.sendResponseHeaders(200, html.length);
              exchange.getResponseBody().write(html);
            }
          });
      own.start();
    }

    String origin() {
      return "http://127.0.0.1:" + own.getAddress().getPort();
    }

    void show(int port) throws Exception {
      open(origin() + "/?port=" + port, () -> done.getCount() == 0);
    }

    /** Shows a page in a browser of its own until something has come about. */
    void open(String url, java.util.concurrent.Callable<Boolean> until) throws Exception {
      Path profile = Files.createTempDirectory(directory, "profile");
      List<String> command = new ArrayList<>(List.of(chromium));
      command.addAll(
          List.of(
              "--headless",
              "--no-sandbox",
              "--disable-gpu",
              "--disable-quic",
              "--no-first-run",
              "--disable-background-networking",
              "--disable-component-update",
              "--disable-sync",
              "--host-resolver-rules=MAP rebound.example 127.0.0.1",
              "--user-data-dir=" + profile,
              url));
      Process browser =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(profile.resolve("output").toFile())
              .start();
      try {
        Await.until(until);
      } finally {
        List<ProcessHandle> children = browser.descendants().toList();
        browser.destroy();
        browser.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        children.forEach(ProcessHandle::destroyForcibly);
        // A link to a place outside, which is not to be followed when all is removed.
        Files.deleteIfExists(profile.resolve("SingletonSocket"));
      }
    }

    @Override
    public void close() {
      own.stop(0);
    }
  }
}
