package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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

  @TempDir private static Path directory;
  private static Browser browser;
  private static ServedGraph campaign;

  @BeforeAll
  static void serve() throws Exception {
    assumeTrue(!Chromium.find().isEmpty(), "the pages need Chromium on the PATH");
    browser = Browser.start(directory);
    campaign = new ServedGraph(Map.of());
    SampleGraph.load(campaign.database);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
      campaign.close();
    }
  }

  private static String page(String state) {
    return "http://127.0.0.1:" + campaign.port() + "/ui/" + state;
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
      browser.open(page(""));
      browser.evaluate(axe + "; 0");
      for (String state : states) {
        browser.go(state.isEmpty() ? "#/" : state);
        if (state.startsWith("#/lineage?id=%2Fscratch")) {
          browser.press("Tab");
          browser.evaluate("document.querySelector('.scroller .box[tabindex=\"0\"]').focus()");
          browser.press("Enter");
          browser.until("document.querySelector('.panel .pairs')");
        }
        for (JsonNode violation :
            browser.evaluate(
                "axe.run(document).then(found => found.violations.map(each => each.id + ': '"
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
}
