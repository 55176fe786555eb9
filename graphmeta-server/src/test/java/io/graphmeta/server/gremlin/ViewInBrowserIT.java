package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.export.HostileGraph;
import io.graphmeta.server.picture.LineagePicture;
import io.graphmeta.server.picture.Picture;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The view as a real browser shows it, of a graph whose names are made of what quoting goes wrong
 * with. Needs Chromium.
 */
final class ViewInBrowserIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final Pattern BOX = Pattern.compile("<g class=\"box [a-z ]*\" tabindex");
  private static final Pattern FORBIDDEN =
      Pattern.compile("<(?:b|br|iframe|object|embed|form action|a [^>]*href=\"(?!#))[ />]");

  @TempDir private static Path directory;
  private static Browser browser;
  private static ServedGraph served;
  private static ServedGraph campaign;
  private static List<String> ids = List.of();

  @BeforeAll
  static void serve() throws Exception {
    Chromium.assumeDriven();
    browser = Browser.start(directory);
    served = new ServedGraph(Map.of());
    ids = HostileGraph.write(served.database, SEED);
    campaign = new ServedGraph(Map.of());
    SampleGraph.load(campaign.database);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
      served.close();
      campaign.close();
    }
  }

  /** Each story ends without a word in the console, and without a request elsewhere. */
  @AfterEach
  void requireQuiet() {
    assertThat(browser.console()).as("console, seed %d", SEED).isEmpty();
    assertThat(browser.requests())
        .as("requests, seed %d", SEED)
        .allMatch(
            address ->
                address.startsWith(uri(served))
                    || address.startsWith(uri(campaign))
                    || address.startsWith("about:")
                    || address.startsWith("blob:")
                    || address.startsWith("data:image/svg+xml;"));
  }

  private static String uri(ServedGraph of) {
    return "http://127.0.0.1:" + of.port() + "/";
  }

  @Test
  void picturesAreDrawnAndNamesAreText() throws Exception {
    for (String id : ids) {
      for (boolean forward : new boolean[] {false, true}) {
        String state =
            "ui/#/lineage?id="
                + URLEncoder.encode(id, StandardCharsets.UTF_8)
                + (forward ? "&dir=forward" : "");
        browser.open(uri(served) + state);
        String html = browser.html();
        String what = "seed " + SEED + ", " + state;
        requireHarmless(html, what);
        Picture picture = picture(id, forward);
        assertThat(BOX.matcher(html).results().count())
            .as("boxes, %s", what)
            .isEqualTo(picture.shapes().size());
        for (Picture.Shape shape : picture.shapes()) {
          assertThat(html)
              .as(what)
              .contains(">" + escaped(shape.title()) + "</text>")
              .contains("<title>" + escaped(String.join("\n", shape.description())) + "</title>");
        }
        browser.open(uri(served) + state + "&view=table");
        requireHarmless(browser.html(), what);
        assertThat(browser.count("th[scope=row]"))
            .as("rows, %s", what)
            .isEqualTo(picture.shapes().size());
      }
    }
  }

  @Test
  void theRootShowsJobsAndFaultsAreTold() throws Exception {
    browser.open(uri(served));
    requireHarmless(browser.html(), "root");
    assertThat(browser.text()).contains("Newest jobs");
    browser.open(uri(served) + "ui/#/lineage?id=%2Fnone%3Cscript%3Ealert(1)%3C%2Fscript%3E");
    assertThat(browser.html())
        .contains("role=\"alert\"")
        .contains("Nothing with the id '/none&lt;script&gt;alert(1)&lt;/script&gt;'");
    browser.go("#/lineage?id=x&boxes=7");
    assertThat(browser.text()).contains("from 10 to 2000");
    browser.go("#/nothing");
    assertThat(browser.text()).contains("There is no page of this name");
    // Browsers tell of answers that are refusals; nothing else may be told.
    assertThat(browser.console())
        .allMatch(line -> line.contains("the server responded with a status of 400"));
  }

  @Test
  void whoIsAffectedByAVersionIsTold() {
    browser.open(uri(campaign) + "ui/#/impact?id=" + encoded(CONFIG));
    assertThat(browser.texts(".figures dd")).startsWith("3");
    // One version back: what the spoilt configuration has led to.
    browser.press("[");
    assertThat(browser.texts(".figures dd")).containsExactly("3", "15", "16", "24", "9");
    assertThat(browser.texts("tbody td:nth-child(2)")).hasSize(15).contains("184267 tune");
    assertThat(browser.count(".picture .box.start")).isEqualTo(2); // and in the overview
    browser.click(".tabs a:nth-child(2)");
    assertThat(browser.text()).contains("59 elements in 26 boxes");
  }

  @Test
  void oneStepBackAreTheSpoiltRunsAndBothTimesAreCompared() {
    browser.open(uri(campaign) + "ui/#/lineage?id=" + encoded(FIGURE));
    assertThat(browser.text()).contains("112 elements in 22 boxes", "the newest to this day");
    browser.press("[");
    assertThat(browser.text())
        .contains("116 elements in 25 boxes", "the newest until 2026-11-21 00:36:57");
    String then =
        browser
            .evaluate("new URLSearchParams(location.hash.split('?')[1]).get('asOf')")
            .textValue();
    browser.go("#/lineage?against=" + then + "&id=" + encoded(FIGURE));
    assertThat(browser.text())
        .contains("runs of gscott: 8 new (+), 9 gone (−), 11 kept")
        .contains("versions of files: 11 new (+), 13 gone (−), 21 kept");
  }

  @Test
  void aJobIsShownInTimeAndBySize() {
    browser.open(uri(campaign) + "ui/");
    browser.click("#text");
    browser.type("184267");
    browser.click("#search button");
    assertThat(browser.text()).contains("Job 184267 tune", "sbatch -A hx01", "tells no more");
    assertThat(browser.texts(".figures dd")).contains("COMPLETED", "bjorn", "146 kB", "833 kB");
    assertThat(browser.count(".spans .span.process")).isEqualTo(4);
    assertThat(browser.count(".spans .span.read, .spans .span.wrote")).isEqualTo(9);
    browser.click(".toggle");
    assertThat(browser.count(".spans tr[hidden]")).isEqualTo(1);
    assertThat(browser.texts(".grid tbody th").get(0)).isEqualTo("/scratch/bjorn/t2/ckpt.dat");
    browser.click("#sort-operations");
    assertThat(browser.texts(".grid tbody th").get(0)).isEqualTo("/scratch/bjorn/t2/result.txt");
    browser.click("#by-process");
    assertThat(browser.texts(".grid tbody th")).hasSize(4).first().asString().startsWith("gscott");
    browser.evaluate("history.back()");
    browser.until("document.querySelector('.grid caption').textContent === 'Files'");
  }

  @Test
  void twoRunsAreComparedSideBySide() {
    browser.open(uri(campaign) + "ui/#/job?id=job:184268");
    browser.click(".tabs a:last-child");
    // By keyboard: the second run, and Enter.
    assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("run-b");
    browser.type("184275");
    browser.press("Enter");
    browser.until("location.hash.includes('b=184275')");
    browser.settle();
    assertThat(browser.text()).contains("Parameters: 5 differ", "What both rest on");
    assertThat(browser.texts("tbody del.gone")).contains("0.064", "3");
    assertThat(browser.texts("tbody ins.new")).contains("0.058", "4");
    assertThat(browser.count(".scroller .box.new")).isEqualTo(3);
    assertThat(browser.count(".scroller .box.gone")).isEqualTo(3);
    assertThat(browser.count(".scroller .box.kept")).isEqualTo(8);
    browser.press("Tab");
    browser.press("t");
    assertThat(browser.texts("td.new")).containsOnly("of the second alone");
  }

  @Test
  void queriesAreRunAndShownInEachForm() {
    browser.open(uri(campaign) + "ui/#/gremlin");
    assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("query");
    String query = "g.V('job:184267').out('contains').out('wrote').path()";
    browser.type(query);
    browser.click(".gremlin button[type=submit]");
    assertThat(browser.text()).contains("4 results");
    assertThat(browser.texts("tbody a")).contains("job:184267", "/scratch/bjorn/t2/result.txt");
    browser.click("#form-graph");
    assertThat(browser.count(".scroller .box")).isEqualTo(7);
    browser.click("#form-json");
    assertThat(browser.texts("pre.json").get(0)).contains("\"type\": \"path\"");
    browser.click("#form-profile");
    assertThat(browser.count(".profile .span.step")).isPositive();
    assertThat(browser.text()).contains("ms in all").doesNotContain("drop");
    assertThat(browser.texts(".questions pre"))
        .contains("graphmeta query --profile \"" + query + "\"");
    browser.go("#/gremlin?q=" + encoded("g.V().drop()"));
    assertThat(browser.texts("[role=alert]").get(0)).isNotBlank();
    assertThat(browser.console()).hasSize(1).allMatch(line -> line.contains("status of "));
  }

  @Test
  void placementIsShownOfAllAndOfOne() {
    browser.open(uri(campaign) + "ui/#/placement?seconds=60");
    assertThat(browser.text()).contains("There is one shard", "The ten fullest");
    assertThat(browser.count(".nodes .node")).isGreaterThan(1_024);
    assertThat(browser.texts(".grid").get(1)).contains("/scratch/chen/tiles");
    browser.click("#vertex");
    browser.type("user:20011");
    browser.press("Enter");
    browser.until("document.querySelectorAll('.grid').length === 1");
    assertThat(browser.texts(".grid tbody th")).containsExactly("user:20011 user");
  }

  @Test
  void whatIsSeenIsSavedInEachForm() throws Exception {
    Path saved = Files.createTempDirectory(directory, "saved");
    browser.send(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", saved.toString(), "eventsEnabled", false));
    browser.open(uri(campaign) + "ui/#/lineage?id=" + encoded(FIGURE));
    Map<String, String> files =
        Map.of(
            "svg", "lineage.svg",
            "png", "lineage.png",
            "dot", "lineage.dot",
            "mermaid", "lineage.mmd",
            "prov-json", "lineage.prov.json",
            "ro-crate", "ro-crate-metadata.json",
            "csv", "lineage.csv");
    for (Map.Entry<String, String> file : files.entrySet()) {
      browser.click("#save-" + file.getKey());
      Path path = saved.resolve(file.getValue());
      for (int i = 0; !Files.exists(path) && i < 500; i++) {
        Thread.sleep(20);
      }
      assertThat(path).exists().isNotEmptyFile();
    }
    assertThat(Files.readString(saved.resolve("lineage.svg")))
        .startsWith("<svg")
        .contains("figure.svg</text>", "prefers-color-scheme");
    byte[] png = Files.readAllBytes(saved.resolve("lineage.png"));
    assertThat(png).startsWith(0x89, 'P', 'N', 'G').hasSizeGreaterThan(20_000);
    assertThat(Files.readAllLines(saved.resolve("lineage.csv"))).hasSize(113);
  }

  @Test
  void comparedTimesResultsAndTablesAreSaved() throws Exception {
    Path saved = Files.createTempDirectory(directory, "saved");
    browser.send(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", saved.toString(), "eventsEnabled", false));
    browser.open(uri(campaign) + "ui/#/lineage?against=2026-11-21T00:36:30Z&id=" + encoded(FIGURE));
    assertThat(saved(saved, "svg", "lineage.svg")).contains("class=\"box process new", "gone");
    String compared = saved(saved, "table", "lineage-table.csv");
    assertThat(compared).startsWith("Kind,Change,Name,Count").contains(",new,", ",gone,", ",kept,");
    assertThat(compared.lines().count()).isEqualTo(browser.count(".scroller .box") + 1);
    String hostile = "g.inject('=1+1', 'a,b', 'say \"x\"', '-5')";
    browser.open(uri(campaign) + "ui/#/gremlin?q=" + encoded(hostile));
    assertThat(saved(saved, "table", "results.csv"))
        .isEqualTo("result\r\n'=1+1\r\n\"a,b\"\r\n\"say \"\"x\"\"\"\r\n-5\r\n");
    assertThat(saved(saved, "json", "results.json")).contains("\"=1+1\"");
    browser.open(
        uri(campaign) + "ui/#/gremlin?form=graph&q=" + encoded("g.V('job:184267').outE()"));
    Files.delete(saved.resolve("lineage.svg"));
    assertThat(saved(saved, "svg", "lineage.svg")).startsWith("<svg");
    browser.open(uri(campaign) + "ui/#/runs?a=job:184268&b=job:184275");
    Files.delete(saved.resolve("lineage-table.csv"));
    assertThat(saved(saved, "table", "lineage-table.csv")).contains("of the second alone");
  }

  private static String saved(Path directory, String button, String file) throws Exception {
    browser.click("#save-" + button);
    Path path = directory.resolve(file);
    for (int i = 0; !(Files.exists(path) && Files.size(path) > 0) && i < 500; i++) {
      Thread.sleep(20);
    }
    return Files.readString(path);
  }

  @Test
  void manyMembersAreFilteredByTheServer() {
    browser.open(uri(campaign) + "ui/#/lineage?id=" + encoded("/scratch/chen/index.txt"));
    browser.click(".scroller .box", "1,296 ×");
    browser.until("document.querySelectorAll('.members li').length === 20");
    assertThat(browser.text()).contains("20 of 1,296 shown; 1,296 in all");
    browser.click("#filter");
    browser.type("_005_01");
    browser.until("document.querySelectorAll('.members li').length === 10");
    assertThat(browser.text()).contains("10 of 10 shown; 1,296 in all");
  }

  @Test
  void whatWasKnownIsSteppedThrough() throws Exception {
    String late = "/scratch/late/result.txt";
    for (int version = 0; version < 3; version++) {
      // Each is committed by itself; the second tells of what was before the first.
      OffsetDateTime start =
          OffsetDateTime.of(2026, 11, 22, new int[] {12, 10, 14}[version], 0, 0, 0, ZoneOffset.UTC);
      if (version == 0) {
        campaign.graph.addVertex(T.label, "file", T.id, late, "name", "result.txt");
      }
      campaign
          .graph
          .addVertex(T.label, "process", T.id, "late/" + version, "start", start)
          .addEdge("wrote", campaign.graph.vertices(late).next(), "start", start, "end", start);
      campaign.graph.tx().commit();
      Thread.sleep(5);
    }
    browser.open(uri(campaign) + "ui/#/lineage?id=" + encoded(late));
    assertThat(browser.text()).contains("3 versions", "3 of 3, what was known at");
    browser.press("<");
    assertThat(browser.text()).contains("2 versions", "2 of 3, what was known at");
    browser.press("<");
    assertThat(browser.text()).contains("1 version\n", "1 of 3").contains("2026-11-22 12:00:00");
    browser.press(">");
    browser.press(">");
    assertThat(browser.evaluate("location.hash").asText()).doesNotContain("knownAt");
    browser.go("#/lineage?knownAt=2001-01-01T00:00:00Z&id=" + encoded(late));
    assertThat(browser.text()).contains("nothing of it", "Nothing with the id");
    browser.click("#known-forth");
    assertThat(browser.text()).contains("1 of 3");
    assertThat(browser.console()).hasSize(2).allMatch(line -> line.contains("status of 400"));
  }

  @Test
  void namesInResultsOfQueriesAreText() {
    for (String query : List.of("g.V()", "g.E()", "g.V().valueMap()", "g.V().in().path()")) {
      for (String form : List.of("", "graph", "json")) {
        String state = "ui/#/gremlin?form=" + form + "&q=" + encoded(query);
        browser.open(uri(served) + state);
        requireHarmless(browser.html(), "seed " + SEED + ", " + state);
        assertThat(browser.text()).as("seed %d, %s", SEED, state).contains(" results");
      }
    }
    for (String id : ids.subList(0, 2)) {
      browser.open(uri(served) + "ui/#/impact?id=" + encoded(id));
      requireHarmless(browser.html(), "seed " + SEED + ", impact of " + id);
    }
    browser.open(uri(served) + "ui/#/job?id=" + encoded(ids.get(2)));
    requireHarmless(browser.html(), "seed " + SEED + ", job " + ids.get(2));
    browser.click("#by-process");
    requireHarmless(browser.html(), "seed " + SEED + ", job " + ids.get(2));
    List<Object> jobs = served.graph.traversal().V().hasLabel("job").id().toList();
    served.graph.tx().rollback();
    browser.open(
        uri(served)
            + "ui/#/runs?a="
            + encoded(jobs.get(0).toString())
            + "&b="
            + encoded(jobs.get(1).toString()));
    requireHarmless(browser.html(), "seed " + SEED + ", runs " + jobs);
  }

  @Test
  void namesOfFourThousandCharactersBreakNoPage() {
    String name = longName("/long/");
    String job = longName("job:");
    OffsetDateTime start = OffsetDateTime.of(2026, 11, 23, 0, 0, 0, 0, ZoneOffset.UTC);
    Vertex file = served.graph.addVertex(T.label, "file", T.id, name, "name", longName(""));
    Vertex process =
        served.graph.addVertex(
            T.label, "process", T.id, longName("p"), "commandLine", longName(""), "start", start);
    Vertex ran =
        served.graph.addVertex(
            T.label,
            "job",
            T.id,
            job,
            "name",
            longName("="),
            "submitLine",
            longName("@"),
            "state",
            longName(""),
            "start",
            start);
    Vertex user =
        served.graph.addVertex(T.label, "user", T.id, longName("user:"), "name", longName("-"));
    user.addEdge("ran", ran);
    ran.addEdge("contains", process);
    process.addEdge("wrote", file, "start", start, "end", start, "bytes", 7L);
    process.addEdge("read", file, "start", start, "end", start, "bytes", 7L);
    served.graph.tx().commit();
    for (String state :
        List.of(
            "#/",
            "#/lineage?id=" + encoded(name),
            "#/lineage?view=table&id=" + encoded(name),
            "#/impact?id=" + encoded(name),
            "#/job?id=" + encoded(job),
            "#/job?by=process&id=" + encoded(job),
            "#/runs?a=" + encoded(job) + "&b=" + encoded(ids.get(2)),
            "#/gremlin?q=" + encoded("g.V().hasLabel('job')"),
            "#/gremlin?form=graph&q=" + encoded("g.E()"),
            "#/placement?seconds=60")) {
      browser.open(uri(served) + "ui/" + state);
      String what = "seed " + SEED + ", " + state.substring(0, Math.min(30, state.length()));
      requireHarmless(browser.html(), what);
      assertThat(browser.count("[role=alert].fault")).as(what).isZero();
      // The page itself is never wider than the window; what is wide scrolls by itself.
      assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue())
          .as("width, %s", what)
          .isLessThanOrEqualTo(browser.evaluate("innerWidth").intValue());
    }
  }

  /** Positions on the screen, by the keys that boxes keep from one picture to the next. */
  private static final String PLACES =
      "Object.fromEntries(Array.from(document.querySelectorAll('.scroller .box'), box => {"
          + " const face = box.querySelector('.face').getBoundingClientRect();"
          + " return [box.dataset.key, [face.x, face.y]]; }))";

  @Test
  void whatStaysHardlyMovesFromVersionToVersion() {
    List<Double> steps = new ArrayList<>();
    for (String file :
        List.of(
            FIGURE,
            CONFIG,
            "/scratch/amira/sweep1/summary.txt",
            "/scratch/amira/sweep1/figure.svg.tmp",
            "/scratch/amira/sweep1/k0.062/r4/result.txt",
            "/scratch/amira/sweep1/k0.060/r2/ckpt.dat",
            "/scratch/amira/chain/ckpt.dat",
            "/scratch/amira/chain/result.txt",
            "/home/amira/gscott/bin/gscott",
            "/scratch/chen/tiles/u_004_000.txt",
            "/proj/hx01/mesh/mesh_C.msh")) {
      browser.open(uri(campaign) + "ui/#/lineage?id=" + encoded(file));
      JsonNode before = places();
      for (String key : List.of("[", "[", "[", "]", "]", "]")) {
        String state = browser.evaluate("location.hash").asText();
        browser.press(key);
        if (browser.evaluate("location.hash").asText().equals(state)) {
          continue;
        }
        JsonNode after = places();
        List<Double> moves = new ArrayList<>();
        for (Map.Entry<String, JsonNode> box : after.properties()) {
          if (before.has(box.getKey())) {
            JsonNode place = before.get(box.getKey());
            moves.add(
                Math.hypot(
                    box.getValue().get(0).asDouble() - place.get(0).asDouble(),
                    box.getValue().get(1).asDouble() - place.get(1).asDouble()));
          }
        }
        if (!moves.isEmpty()) {
          steps.add(median(moves));
        }
        before = after;
      }
    }
    assertThat(steps).hasSizeGreaterThan(20);
    assertThat(median(steps)).as("%s", steps).isLessThan(20);
  }

  private static JsonNode places() {
    browser.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))");
    return browser.evaluate(PLACES);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static String longName(String beginning) {
    Random random = new Random(SEED);
    StringBuilder text = new StringBuilder(beginning);
    while (text.length() < 4_096) {
      text.append(HostileGraph.text(random)).append("javascript:alert(1)");
    }
    text.setLength(4_096);
    if (Character.isHighSurrogate(text.charAt(4_095))) {
      text.setCharAt(4_095, 'x');
    }
    return text.toString();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static void requireHarmless(String html, String what) {
    assertThat(html).as(what).doesNotContain("<script>");
    String ours = html.replace("<br>", "");
    ours = ours.replaceAll("<a class=\"(?:skip|brand)\"[^>]*>", "");
    assertThat(FORBIDDEN.matcher(ours).find()).as(what).isFalse();
  }

  private Picture picture(String id, boolean forward) {
    try (GraphTransaction tx = served.database.begin()) {
      Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
      Lineage lineage = forward ? provenance.forward(id, Stamp.MAX) : provenance.backward(id);
      FoldedLineage folded = new Folding(Folding.DEFAULT_BUDGET).fold(Overlay.of(lineage, forward));
      return LineagePicture.of(folded, id, false);
    }
  }

  /** Text as a browser writes it down. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\u00a0", "&nbsp;");
  }
}
