package io.graphmeta.server.picture;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.Folding;
import io.graphmeta.provenance.folding.Overlay;
import io.graphmeta.server.export.HostileGraph;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pictures of graphs whose names are made of what quoting goes wrong with. */
final class SvgFormTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 60);
  private static final Set<String> TAGS =
      Set.of("svg", "title", "style", "rect", "path", "g", "text");
  private static final Set<String> ATTRIBUTES =
      Set.of(
          "width",
          "height",
          "viewBox",
          "class",
          "role",
          "x",
          "y",
          "rx",
          "d",
          "stroke-width",
          "xmlns");

  @Test
  void everyNameIsTextAndNothingElse() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
        List<String> questions = HostileGraph.write(database, seed);
        try (GraphTransaction tx = database.begin()) {
          Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
          for (String id : questions) {
            check(provenance.backward(id), false, seed);
            check(provenance.forward(id, Stamp.MAX), true, seed);
          }
        }
      }
    }
  }

  private static void check(Lineage lineage, boolean forward, long seed) throws Exception {
    Picture picture =
        LineagePicture.of(
            new Folding(30).fold(Overlay.of(lineage, forward)), lineage.root().id(), false);
    String svg = SvgForm.write(picture);
    assertThat(
            SvgForm.write(
                LineagePicture.of(
                    new Folding(30).fold(Overlay.of(lineage, forward)),
                    lineage.root().id(),
                    false)))
        .as("the same bytes, seed %d", seed)
        .isEqualTo(svg);
    Document document = parsed(svg);
    NodeList all = document.getElementsByTagName("*");
    List<Element> boxes = new ArrayList<>();
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      assertThat(TAGS).as("seed %d", seed).contains(element.getTagName());
      for (int k = 0; k < element.getAttributes().getLength(); k++) {
        assertThat(ATTRIBUTES).contains(element.getAttributes().item(k).getNodeName());
      }
      if (element.getTagName().equals("g")) {
        boxes.add(element);
      }
    }
    assertThat(boxes).hasSameSizeAs(picture.shapes());
    for (int i = 0; i < boxes.size(); i++) {
      Picture.Shape shape = picture.shapes().get(i);
      NodeList texts = boxes.get(i).getElementsByTagName("text");
      assertThat(texts.item(0).getTextContent()).as("seed %d", seed).isEqualTo(shape.title());
      assertThat(boxes.get(i).getElementsByTagName("title").item(0).getTextContent())
          .as("seed %d", seed)
          .isEqualTo(String.join("\n", shape.description()));
      requireVisible(shape, seed);
    }
  }

  private static void requireVisible(Picture.Shape shape, long seed) {
    List<String> texts = new ArrayList<>(shape.details());
    texts.add(shape.title());
    texts.addAll(shape.description());
    for (String text : texts) {
      assertThat(VisibleText.of(text)).as("seed %d", seed).isEqualTo(text);
    }
    int room = shape.width() - 2 * LineagePicture.INDENT;
    assertThat(TextWidth.of(shape.title(), LineagePicture.TITLE_SIZE, true))
        .as("the name fits, seed %d", seed)
        .isLessThanOrEqualTo(room);
    if (shape.box().count() > 1) {
      assertThat(shape.title()).startsWith(shape.box().count() + " × ");
    }
    for (String detail : shape.details()) {
      assertThat(TextWidth.of(detail, LineagePicture.DETAIL_SIZE, false))
          .as("'%s' fits, seed %d", detail, seed)
          .isLessThanOrEqualTo(room);
    }
    assertThat(shape.box().kind()).isNotEqualTo(Box.Kind.JOB);
  }

  private static Document parsed(String svg) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
  }

  @Test
  void whatCannotBeSeenIsMadeVisible() {
    assertThat(VisibleText.of("a\u202eb\u200f\u200b\u0007\n\t\u2028\u00a0\ud800\u00ad\ufeff é日"))
        .isEqualTo("a\\u202eb\\u200f\\u200b\\u0007\\n\\t\\u2028\\u00a0\\ud800\\u00ad\\ufeff é日");
    assertThat(VisibleText.of("plain <b> & \"text\"")).isEqualTo("plain <b> & \"text\"");
  }

  @Test
  void longNamesKeepBeginningAndEnd() {
    String name = "a".repeat(4096) + ".dat";
    String fitted = TextWidth.fitted(name, 12, true, 180);
    assertThat(fitted).startsWith("aaa").endsWith(".dat").contains("…");
    assertThat(TextWidth.of(fitted, 12, true)).isLessThanOrEqualTo(180);
    String wide = "😀".repeat(500);
    assertThat(TextWidth.fitted(wide, 11, false, 90)).startsWith("😀").endsWith("😀");
  }

  @Test
  void noTextIsSmallerThanElevenPixels() {
    assertThat(SvgForm.styleSheet())
        .contains("font-size: 11px")
        .doesNotContainPattern("font-size: (?:[0-9]|10)px")
        .doesNotContain("@import", "url(");
  }
}
