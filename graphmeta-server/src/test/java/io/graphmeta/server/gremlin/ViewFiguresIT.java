package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.lang.management.ManagementFactory;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long pages of the view take in a real browser, printed and not judged: a time depends on what
 * else the machine does, which is printed too. Needs Chromium, and is run where it is asked for.
 */
final class ViewFiguresIT {
  private static final String ASKED = "graphmeta.view-figures";
  private static final long SEED = Long.getLong("graphmeta.seed", 1);
  private static final int EDGES = Integer.getInteger("graphmeta.view-edges", 1_000_000);
  private static final int HOT = 100_000;
  private static final int ROUNDS = 30;
  private static final int COMMIT = 1_000;
  private static final OffsetDateTime FIRST =
      OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  /** Notes when each state of a page was drawn, and the longest time that it was blocked. */
  private static final String WATCH =
      """
      window.longest = 0;
      new PerformanceObserver(list => list.getEntries().forEach(each => {
        window.longest = Math.max(window.longest, each.duration); })).observe({type: 'longtask', buffered: true});
      new MutationObserver(() => {
        const page = document.getElementById('page');
        if (!page || page.hasAttribute('aria-busy') || page.dataset.shown !== location.hash) return;
        if (window.settledFor === location.hash) return;
        window.settledFor = location.hash;
        requestAnimationFrame(() => setTimeout(() => { window.drawnFor = location.hash; window.drawnAt = performance.now(); }));
      }).observe(document, {subtree: true, childList: true, attributes: true});
      """;

  @TempDir private Path directory;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(Boolean.getBoolean(ASKED), "figures are taken with -D" + ASKED + "=true");
    Chromium.assumeDriven();
    browser = Browser.start(directory);
    browser.send("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WATCH));
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void tell(String what, List<Double> values, String unit) {
    List<Double> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    System.out.printf(
        Locale.ROOT,
        "%-46s p50 %,8.0f  p95 %,8.0f  %s of %d, load %.1f%n",
        what,
        sorted.get(sorted.size() / 2),
        sorted.get(Math.min(sorted.size() - 1, sorted.size() * 95 / 100)),
        unit,
        sorted.size(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  /** Milliseconds until a page is drawn that is opened anew. */
  private double opened(String address) {
    browser.open(address);
    browser.until("window.drawnFor === location.hash");
    return browser.evaluate("window.drawnAt").asDouble();
  }

  /** Milliseconds until a state is drawn that an open page goes to. */
  private double gone(String script) {
    browser.evaluate("window.longest = 0; window.began = performance.now(); " + script + "; 0");
    browser.settle();
    browser.until("window.drawnFor === location.hash");
    return browser.evaluate("window.drawnAt - window.began").asDouble();
  }

  /** How much the page tells that it shows. */
  private String elements() {
    return browser.texts("#page .note").stream()
        .filter(note -> note.contains(" elements in "))
        .map(note -> note.split("\\.", 2)[0])
        .findFirst()
        .orElseThrow();
  }

  private static String hash(String hash) {
    return "location.hash = " + Browser.quoted(hash);
  }

  @Test
  void theSampleCampaign() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of())) {
      SampleGraph.load(served.database);
      String view = "http://127.0.0.1:" + served.port() + "/ui/";
      browser.send("Network.setCacheDisabled", Map.of("cacheDisabled", true));
      List<Double> times = new ArrayList<>();
      List<Double> bytes = new ArrayList<>();
      for (int round = -5; round < ROUNDS; round++) {
        double millis = opened(view);
        if (round >= 0) {
          times.add(millis);
          bytes.add(
              browser
                  .evaluate(
                      "performance.getEntries().reduce((sum, each) => sum + (each.transferSize ?? 0), 0)")
                  .asDouble());
        }
      }
      tell("first page", times, "ms");
      tell("first page, bytes", bytes, "bytes");
      browser.send("Network.setCacheDisabled", Map.of("cacheDisabled", false));
      for (String file :
          List.of("/scratch/amira/sweep1/figure.svg", "/scratch/chen/tiles/u_004_000.txt")) {
        browser.open(view + "#/lineage?id=" + encoded(file));
        List<Double> steps = new ArrayList<>();
        for (int round = -5; round < ROUNDS; round++) {
          String key = round % 2 == 0 ? "]" : "[";
          double millis =
              gone(
                  "document.dispatchEvent(new KeyboardEvent('keydown', {key: '"
                      + key
                      + "', bubbles: true}))");
          if (round >= 0 && millis > 0) {
            steps.add(millis);
          }
        }
        tell("step of " + elements(), steps, "ms");
      }
      String program = "/home/amira/gscott/bin/gscott";
      String forward = "&dir=forward&asOf=2026-11-21T00:34:10Z&id=" + encoded(program);
      List<Double> folded = new ArrayList<>();
      for (int round = -3; round < 15; round++) {
        gone(hash("#/"));
        double millis = gone(hash("#/lineage?boxes=" + (80 + round + 3) + forward));
        if (round >= 0) {
          folded.add(millis);
        }
      }
      tell("folded: " + elements(), folded, "ms");
    }
  }

  /** Names without a number, so that each is a form of its own. */
  private static String word(int number) {
    StringBuilder word = new StringBuilder();
    for (int rest = number + 26; rest > 0; rest /= 26) {
      word.append((char) ('a' + rest % 26));
    }
    return word.toString();
  }

  /**
   * Programs in layers, each of which reads what two of the layer before wrote, all of it, and
   * writes a file.
   *
   * @param widths how many programs there are in each layer, in an order that does not go down
   * @return what the last layer wrote
   */
  private static List<Long> writeLayers(GraphTransaction tx, int[] widths) {
    Random random = new Random(SEED);
    List<Long> before = List.of();
    int number = 0;
    for (int layer = 0; layer < widths.length; layer++) {
      List<Long> written = new ArrayList<>();
      for (int i = 0; i < widths[layer]; i++) {
        OffsetDateTime start = FIRST.plusMinutes(layer).plusNanos(i * 1_000_000L);
        List<Long> inputs =
            layer == 0
                ? List.of()
                : List.of(before.get(i % before.size()), before.get(random.nextInt(before.size())));
        String name = word(number++);
        long file = tx.addVertex("/w/" + name, "file", Map.of("name", name), stamp(start));
        run(tx, name, start, inputs, file);
        written.add(file);
      }
      before = written;
    }
    return before;
  }

  private static long stamp(OffsetDateTime time) {
    return Stamp.startOfMicros(Stamp.epochMicros(time.toInstant()));
  }

  private static void run(
      GraphTransaction tx, String name, OffsetDateTime start, List<Long> inputs, long output) {
    long process =
        tx.addVertex(
            "p/" + name,
            "process",
            Map.of("commandLine", "run" + name, "start", start, "end", start.plusSeconds(30)),
            stamp(start));
    OffsetDateTime written = start.plusSeconds(20);
    Map<String, Object> write = Map.of("start", written, "end", written, "bytes", 1L);
    tx.addEdge(null, process, "wrote", output, write, stamp(written));
    for (long input : new LinkedHashSet<>(inputs)) {
      Map<String, Object> read = Map.of("start", start, "end", start, "bytes", 1L);
      tx.addEdge(null, process, "read", input, read, stamp(start));
    }
  }

  @Test
  void stepsOfAPictureOf500Elements() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of())) {
      int[] widths = new int[20];
      Arrays.fill(widths, 12);
      try (GraphTransaction tx = served.database.begin()) {
        List<Long> inputs = writeLayers(tx, widths);
        long result = tx.addVertex("/w/result", "file", Map.of("name", "result"), stamp(FIRST));
        for (int version = 0; version < 40; version++) {
          List<Long> some = inputs.subList(version % 2, inputs.size() - version % 3);
          run(tx, "result" + word(version), FIRST.plusMinutes(30 + version), some, result);
        }
        tx.commit();
      }
      browser.open("http://127.0.0.1:" + served.port() + "/ui/#/lineage?id=%2Fw%2Fresult");
      List<Double> steps = new ArrayList<>();
      for (int round = -8; round < ROUNDS; round++) {
        String key = Math.floorMod(round, 8) < 4 ? "[" : "]";
        double millis =
            gone(
                "document.dispatchEvent(new KeyboardEvent('keydown', {key: '"
                    + key
                    + "', bubbles: true}))");
        if (round >= 0 && millis > 0) {
          steps.add(millis);
        }
      }
      tell("step of " + elements(), steps, "ms");
    }
  }

  @Test
  void twoThousandBoxes() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of())) {
      int[] widths = new int[19];
      Arrays.fill(widths, 0, 8, 52);
      Arrays.fill(widths, 8, 19, 53);
      try (GraphTransaction tx = served.database.begin()) {
        List<Long> inputs = writeLayers(tx, widths);
        long last = tx.addVertex("/w/last", "file", Map.of("name", "last"), stamp(FIRST));
        run(tx, "last", FIRST.plusMinutes(30), inputs, last);
        tx.commit();
      }
      String view = "http://127.0.0.1:" + served.port() + "/ui/";
      String id = "/w/last";
      browser.open(view);
      List<Double> pages = new ArrayList<>();
      List<Double> drawn = new ArrayList<>();
      for (int round = -2; round < 10; round++) {
        gone(hash("#/"));
        double page = gone(hash("#/lineage?boxes=2000&limit=20000&id=" + encoded(id)));
        JsonNode draw =
            browser.evaluate(
                "(async () => { const { drawPicture } = await import('./picture.js');"
                    + " const answer = await (await fetch('api/lineage', {method: 'POST', headers:"
                    + " {'Content-Type': 'application/json'}, body: JSON.stringify({id: "
                    + Browser.quoted(id)
                    + ", budget: 2000, limit: 20000})})).json();"
                    + " const began = performance.now();"
                    + " const { root } = drawPicture(answer, {select() {}, open() {}});"
                    + " document.querySelector('.scroller').replaceChildren(root);"
                    + " root.getBoundingClientRect();"
                    + " await new Promise(done => requestAnimationFrame(() => setTimeout(done)));"
                    + " return performance.now() - began; })()");
        if (round >= 0) {
          pages.add(page);
          drawn.add(draw.asDouble());
        }
      }
      String boxes = elements();
      tell("page of " + boxes, pages, "ms");
      tell("drawing alone", drawn, "ms");
    }
  }

  @Test
  void aMillionEdges() throws Exception {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory.resolve("graph"));
    try (ServedGraph served = new ServedGraph(Map.of(), config)) {
      write(served);
      String view = "http://127.0.0.1:" + served.port() + "/ui/";
      browser.open(view);
      String hot = encoded("/hot");
      for (String state :
          List.of(
              "#/",
              "#/search?text=hot",
              "#/lineage?id=" + hot,
              "#/lineage?dir=forward&id=" + hot,
              "#/lineage?limit=100000&dir=forward&id=" + hot,
              "#/impact?id=" + hot,
              "#/lineage?id=" + encoded("/out/7"),
              "#/job?id=job:1",
              "#/runs?a=job:1&b=job:2",
              "#/gremlin?q=" + encoded("g.V('/hot').in('read').limit(1000)"),
              "#/gremlin?form=graph&q=" + encoded("g.V('/hot').inE('read').limit(500)"),
              "#/gremlin?q=" + encoded("g.V('/hot').in('read').out('wrote').count()"),
              "#/placement",
              "#/placement?id=" + hot)) {
        for (int round = 0; round < 2; round++) {
          gone(hash("#/search?text=none"));
          double millis = gone(hash(state));
          System.out.printf(
              Locale.ROOT,
              "%-64s %,8.0f ms, longest task %4.0f ms%s, load %.1f%n",
              state + (round == 0 ? "" : " again"),
              millis,
              browser.evaluate("window.longest").asDouble(),
              browser.text().toLowerCase(Locale.ROOT).contains("partial") ? ", partial" : "",
              ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        }
      }
      assertThat(browser.requests()).isNotEmpty();
    }
  }

  /** Processes that read one file and three more, and write others; a job for each thousand. */
  private static void write(ServedGraph served) {
    Random random = new Random(SEED);
    int processes = HOT;
    int files = 50_000;
    int others = Math.max(0, EDGES / processes - 1);
    served.graph.addVertex(T.label, "file", T.id, "/hot", "name", "hot");
    for (int i = 0; i < files; i++) {
      served.graph.addVertex(T.label, "file", T.id, "/out/" + i, "name", String.valueOf(i));
      if (i % COMMIT == COMMIT - 1) {
        served.graph.tx().commit();
      }
    }
    served.graph.tx().commit();
    for (int i = 0; i < processes; i++) {
      OffsetDateTime start = FIRST.plusSeconds(i);
      if (i % COMMIT == 0) {
        served.graph.addVertex(
            T.label, "job", T.id, "job:" + i / COMMIT, "name", "many", "start", start);
      }
      Vertex process =
          served.graph.addVertex(
              T.label,
              "process",
              T.id,
              "p/" + i,
              "commandLine",
              "run " + i % 10,
              "start",
              start,
              "end",
              start.plusSeconds(1));
      Vertex job = served.graph.vertices("job:" + i / COMMIT).next();
      job.addEdge("contains", process);
      process.addEdge(
          "read", served.graph.vertices("/hot").next(), "start", start, "end", start, "bytes", 1L);
      for (int other = 2; other <= others; other++) {
        process.addEdge(
            other % 3 == 0 ? "wrote" : "read",
            served.graph.vertices("/out/" + random.nextInt(files)).next(),
            "start",
            start,
            "end",
            start,
            "bytes",
            1L);
      }
      if (i % 100 == 99) {
        served.graph.tx().commit();
      }
    }
    served.graph.tx().commit();
  }
}
