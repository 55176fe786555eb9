package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The view for whoever does not see it, or uses the keyboard alone. Needs Chromium. */
final class ViewForAllIT {
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String AXE = "META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

  /** The size of the smallest text that is drawn, in pixels. */
  private static final String SMALLEST_TEXT =
      "Math.min(...Array.from(document.querySelectorAll('body *'))"
          + ".filter(each => Array.from(each.childNodes)"
          + ".some(child => child.nodeType === 3 && child.data.trim()))"
          + ".map(each => parseFloat(getComputedStyle(each).fontSize)))";

  @TempDir private static Path directory;
  private static BrowsedCampaign campaign;
  private static Browser browser;

  @BeforeAll
  static void serve() throws Exception {
    campaign = BrowsedCampaign.start(directory);
    browser = campaign.browser;
  }

  @AfterAll
  static void stop() {
    if (campaign != null) {
      campaign.close();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void noPageHasAViolationThatAxeFinds() throws Exception {
    String axe;
    try (InputStream in = getClass().getClassLoader().getResourceAsStream(AXE)) {
      axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String paths = encoded("g.V('job:184267').out('contains').out('wrote').path()");
    List<String> states =
        List.of(
            "",
            "#/search?text=nothing-has-this",
            "#/lineage?id=" + encoded(FIGURE),
            "#/lineage?view=table&id=" + encoded(FIGURE),
            "#/lineage?against=2026-11-21T00:36:30Z&id=" + encoded(FIGURE),
            "#/lineage?id=%2Fnone",
            "#/impact?asOf=2026-11-21T00:35:30Z&id=" + encoded(CONFIG),
            "#/job?id=job:184267",
            "#/job?id=job:184413&by=process",
            "#/runs",
            "#/runs?a=job:184267&b=job:184268",
            "#/gremlin",
            "#/gremlin?q=" + paths,
            "#/gremlin?form=graph&q=" + paths,
            "#/gremlin?form=json&q=" + paths,
            "#/gremlin?form=profile&q=" + paths,
            "#/gremlin?q=g",
            "#/placement?seconds=60");
    List<String> violations = new ArrayList<>();
    for (String scheme : List.of("light", "dark")) {
      browser.send(
          "Emulation.setEmulatedMedia",
          Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
      browser.open(campaign.page(""));
      browser.evaluate(axe + "; 0");
      for (String state : states) {
        browser.go(state.isEmpty() ? "#/" : state);
        if (state.startsWith("#/lineage?id=%2Fscratch")) {
          browser.press("Tab");
          browser.evaluate("document.querySelector('.scroller .box[tabindex=\"0\"]').focus()");
          browser.press("Enter");
          browser.until("document.querySelector('.panel .pairs')");
        }
        assertThat(browser.evaluate(SMALLEST_TEXT).asDouble()).as(state).isGreaterThanOrEqualTo(11);
        // Only colours differ in the dark.
        String rules = scheme.equals("dark") ? ", {runOnly: ['color-contrast']}" : "";
        for (JsonNode violation :
            browser.evaluate(
                "axe.run(document"
                    + rules
                    + ").then(found => found.violations.map(each => each.id + ': '"
                    + " + each.nodes.slice(0, 3).map(node => node.html.slice(0, 200) + ' '"
                    + " + node.any.concat(node.all).map(check => check.message).join('; '))"
                    + ".join(' | ')))")) {
          violations.add(scheme + " " + state + ": " + violation.textValue());
        }
      }
    }
    browser.send("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    assertThat(violations).isEmpty();
  }

  /** Presses Tab until the keyboard is where a selector leads. */
  private static void tabTo(String selector) {
    for (int i = 0; i < 80; i++) {
      if (browser
          .evaluate("document.activeElement.matches(" + Browser.quoted(selector) + ")")
          .booleanValue()) {
        return;
      }
      browser.press("Tab");
    }
    throw new AssertionError("Tab never leads to " + selector);
  }

  private static String focused() {
    return browser.evaluate("document.activeElement.getAttribute('aria-label') ?? ''").asText();
  }

  @Test
  void everythingIsReachedByTheKeyboardAlone() {
    browser.open(campaign.page(""));
    browser.press("/");
    browser.type(FIGURE);
    browser.press("Enter");
    browser.until("document.body.innerText.includes('112 elements in 22 boxes')");
    browser.settle();
    // In the picture: along the lines, to what is known of a box, and open.
    tabTo(".scroller .box");
    assertThat(focused()).startsWith("file: " + FIGURE);
    browser.press("ArrowLeft");
    browser.press("ArrowLeft");
    assertThat(focused()).doesNotContain("figure.svg;");
    browser.press("Enter");
    browser.until("document.querySelector('.panel')");
    browser.press("Escape");
    assertThat(browser.count(".panel")).isZero();
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 12 && !focused().contains(" × "); i++) {
      browser.press(List.of("ArrowLeft", "ArrowUp", "ArrowDown").get(i % 3));
      seen.add(focused());
    }
    assertThat(focused()).as("after %s", seen).contains(" × ");
    browser.press("o");
    assertThat(browser.evaluate("location.hash").asText()).contains("open=");
    browser.press("t");
    assertThat(browser.count("table")).isPositive();
    browser.press("[");
    assertThat(browser.text()).contains("00:36:12");
    browser.press("?");
    assertThat(browser.evaluate("document.getElementById('help').open").booleanValue()).isTrue();
    browser.press("Escape");
    assertThat(browser.evaluate("document.getElementById('help').open").booleanValue()).isFalse();
    // From page to page.
    tabTo(".tabs a:nth-child(3)");
    browser.press("Enter");
    browser.until("location.hash.startsWith('#/impact')");
    browser.settle();
    tabTo("tbody td a[href^='#/job']");
    browser.press("Enter");
    browser.until("location.hash.startsWith('#/job')");
    browser.settle();
    tabTo(".toggle:not(:disabled)");
    browser.press("Enter");
    tabTo("#sort-readBytes");
    browser.press("Enter");
    browser.until("location.hash.includes('sort=')");
    browser.settle();
    assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("sort-readBytes");
    tabTo(".places a[href='#/gremlin']");
    browser.press("Enter");
    browser.until("location.hash.startsWith('#/gremlin')");
    browser.settle();
    browser.type("g.V().hasLabel('user')");
    tabTo("#form-graph");
    browser.press("Enter");
    browser.until("document.querySelectorAll('.scroller .box').length === 3");
    assertThat(browser.console()).isEmpty();
  }

  @Test
  void runsPlacementAndFilesAreReachedByTheKeyboardAlone() throws Exception {
    Path saved = Files.createTempDirectory(directory, "saved");
    browser.send(
        "Browser.setDownloadBehavior",
        Map.of("behavior", "allow", "downloadPath", saved.toString(), "eventsEnabled", false));
    browser.open(campaign.page("#/runs"));
    assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("run-a");
    browser.type("184268");
    browser.press("Enter");
    browser.until("location.hash.includes('a=184268')");
    browser.settle();
    assertThat(browser.evaluate("document.activeElement.id").asText()).isEqualTo("run-b");
    browser.type("184275");
    browser.press("Enter");
    browser.until("location.hash.includes('b=184275')");
    browser.settle();
    assertThat(browser.text()).contains("Parameters: 5 differ");
    tabTo("#swap");
    browser.press("Enter");
    browser.until("location.hash.includes('a=184275')");
    browser.settle();
    tabTo(".scroller .box");
    browser.press("Enter");
    browser.until("document.querySelector('.panel')");
    browser.press("Escape");
    tabTo("#save-table");
    browser.press("Enter");
    requireSaved(saved.resolve("lineage-table.csv"));
    tabTo("#save-svg");
    browser.press("Enter");
    requireSaved(saved.resolve("lineage.svg"));
    browser.open(campaign.page("#/"));
    tabTo(".places a[href='#/placement']");
    browser.press("Enter");
    browser.until("location.hash.startsWith('#/placement')");
    browser.settle();
    tabTo("#vertex");
    browser.type("user:20011");
    browser.press("Enter");
    browser.until("location.hash.includes('20011')");
    browser.settle();
    assertThat(browser.texts(".grid tbody th")).containsExactly("user:20011 user");
    tabTo("#sort-inEntries");
    browser.press("Enter");
    browser.until("location.hash.includes('sort=')");
    browser.settle();
    browser.open(campaign.page("#/lineage?id=" + encoded(FIGURE)));
    tabTo("#save-csv");
    browser.press("Enter");
    requireSaved(saved.resolve("lineage.csv"));
    assertThat(browser.console()).isEmpty();
  }

  private static void requireSaved(Path file) throws Exception {
    for (int i = 0; !(Files.exists(file) && Files.size(file) > 0) && i < 500; i++) {
      Thread.sleep(20);
    }
    assertThat(file).isNotEmptyFile();
  }
}
