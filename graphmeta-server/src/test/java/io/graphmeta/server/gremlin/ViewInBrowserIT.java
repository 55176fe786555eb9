package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The view as a real browser shows it, of a graph whose names are made of what quoting goes wrong
 * with. Needs Chromium.
 */
final class ViewInBrowserIT {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final Pattern BOX = Pattern.compile("<g class=\"box [a-z ]*\" tabindex");
  private static final Pattern FORBIDDEN =
      Pattern.compile("<(?:b|br|iframe|object|embed|form action|a [^>]*href=\"(?!#))[ />]");

  @TempDir private Path directory;
  private ServedGraph served;
  private List<String> ids = List.of();

  @BeforeEach
  void serve() throws Exception {
    assumeTrue(!Chromium.find().isEmpty(), "the pages need Chromium on the PATH");
    served = new ServedGraph(Map.of());
    ids = HostileGraph.write(served.database, SEED);
  }

  @AfterEach
  void stop() {
    if (served != null) {
      served.close();
    }
  }

  private Chromium.Page open(String state) throws Exception {
    return Chromium.open(directory, "http://127.0.0.1:" + served.port() + "/" + state);
  }

  @Test
  void picturesAreDrawnAndNamesAreText() throws Exception {
    for (String id : ids) {
      for (boolean forward : new boolean[] {false, true}) {
        String state =
            "ui/#/lineage?id="
                + URLEncoder.encode(id, StandardCharsets.UTF_8)
                + (forward ? "&dir=forward" : "");
        Chromium.Page page = open(state);
        String what = "seed " + SEED + ", " + state;
        requireHarmless(page, what);
        Picture picture = picture(id, forward);
        assertThat(BOX.matcher(page.html()).results().count())
            .as("boxes, %s", what)
            .isEqualTo(picture.shapes().size());
        for (Picture.Shape shape : picture.shapes()) {
          assertThat(page.html())
              .as(what)
              .contains(">" + escaped(shape.title()) + "</text>")
              .contains("<title>" + escaped(String.join("\n", shape.description())) + "</title>");
        }
        Chromium.Page table = open(state + "&view=table");
        requireHarmless(table, what);
        assertThat(Pattern.compile("<th scope=\"row\"").matcher(table.html()).results().count())
            .as("rows, %s", what)
            .isEqualTo(picture.shapes().size());
      }
    }
  }

  @Test
  void theRootShowsJobsAndFaultsAreTold() throws Exception {
    Chromium.Page root = open("");
    requireHarmless(root, "root");
    assertThat(root.html()).contains("Newest jobs");
    Chromium.Page none = open("ui/#/lineage?id=%2Fnone%3Cscript%3Ealert(1)%3C%2Fscript%3E");
    assertThat(none.html())
        .contains("role=\"alert\"")
        .contains("Nothing with the id '/none&lt;script&gt;alert(1)&lt;/script&gt;'");
    assertThat(open("ui/#/lineage?id=x&boxes=7").html()).contains("from 10 to 2000");
    assertThat(open("ui/#/nothing").html()).contains("There is no page of this name");
  }

  private static void requireHarmless(Chromium.Page page, String what) {
    assertThat(page.console()).as(what).isEmpty();
    assertThat(page.html()).as(what).doesNotContain("<script>");
    String ours = page.html().replace("<br>", "");
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
