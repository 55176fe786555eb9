package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pictures of the documentation: two times as one picture in light, in the dark, and as people
 * see it who do not see all colours. Written anew with {@code -Dgraphmeta.write-reference=true}.
 * Needs Chromium.
 */
final class ViewColoursIT {
  private static final Path FIGURES = Path.of("../docs/start/figures");
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final double SCALE = 0.5;

  /** So large that a thin line has pixels of its own colour. */
  private static final int ZOOM = 4;

  /** Least contrast of what is drawn and not text, by WCAG 2.2, 1.4.11. */
  private static final double LEAST_CONTRAST = 3;

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

  @Test
  void twoTimesAreToldApartHoweverColoursAreSeen() throws Exception {
    browser.open(
        campaign.page(
            "#/lineage?against=2026-11-21T00:36:30Z&id="
                + URLEncoder.encode(FIGURE, StandardCharsets.UTF_8)));
    for (String seen : List.of("light", "dark", "protanopia", "deuteranopia", "tritanopia")) {
      boolean isScheme = seen.equals("light") || seen.equals("dark");
      browser.send(
          "Emulation.setEmulatedMedia",
          Map.of(
              "features",
              List.of(Map.of("name", "prefers-color-scheme", "value", isScheme ? seen : "light"))));
      browser.send(
          "Emulation.setEmulatedVisionDeficiency", Map.of("type", isScheme ? "none" : seen));
      browser.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 300)))");
      byte[] small = screenshot(SCALE);
      Path page = FIGURES.resolve("two-times-" + seen + ".png");
      if (Boolean.getBoolean("graphmeta.write-reference")) {
        Files.write(page, small);
      }
      assertThat(page).isNotEmptyFile();
      assertThat(Files.size(page)).as(seen).isLessThan(120_000);
      requireBordersSeen(ImageIO.read(new ByteArrayInputStream(screenshot(ZOOM))), seen);
    }
  }

  /** The picture as far as it is on the screen. */
  private static byte[] screenshot(double scale) {
    JsonNode place =
        browser.evaluate(
            "(() => { const { x, y, width, height } = document.querySelector('.scroller')"
                + ".getBoundingClientRect(); return { x, y, width, height }; })()");
    Map<String, Object> clip =
        Map.of(
            "x", place.get("x").asDouble(),
            "y", place.get("y").asDouble(),
            "width", place.get("width").asDouble(),
            "height", place.get("height").asDouble(),
            "scale", scale);
    JsonNode answer = browser.send("Page.captureScreenshot", Map.of("format", "png", "clip", clip));
    return Base64.getDecoder().decode(answer.get("data").textValue());
  }

  /** The border of each box stands out from the ground, whether it is kept, gone or new. */
  private static void requireBordersSeen(BufferedImage image, String seen) {
    Set<String> met = new HashSet<>();
    for (JsonNode box :
        browser.evaluate(
            "(() => { const frame = document.querySelector('.scroller').getBoundingClientRect();"
                + " return Array.from(document.querySelectorAll('.scroller .box.file'), box => {"
                + " const face = Array.from(box.querySelectorAll('.face')).at(-1).getBoundingClientRect();"
                + " return { x: face.x - frame.x, y: face.y - frame.y, height: face.height,"
                + " presence: ['kept', 'gone', 'new'].find(each => box.classList.contains(each)) };"
                + " }); })()")) {
      int left = (int) (ZOOM * box.get("x").asDouble());
      int top = (int) (ZOOM * box.get("y").asDouble());
      int height = (int) (ZOOM * box.get("height").asDouble());
      if (left < 8 * ZOOM
          || top < 0
          || left + 8 * ZOOM > image.getWidth()
          || top + height > image.getHeight()) {
        continue;
      }
      double ground = luminance(image.getRGB(left - 6 * ZOOM, top + 2 * ZOOM));
      double most = 1;
      for (int y = top + 8 * ZOOM; y < top + height - 8 * ZOOM; y++) {
        for (int x = left - 2 * ZOOM; x < left + ZOOM; x++) {
          double here = luminance(image.getRGB(x, y));
          double contrast = (Math.max(here, ground) + 0.05) / (Math.min(here, ground) + 0.05);
          most = Math.max(most, contrast);
        }
      }
      assertThat(most).as("%s, %s", seen, box).isGreaterThanOrEqualTo(LEAST_CONTRAST);
      met.add(box.get("presence").textValue());
    }
    assertThat(met).as(seen).contains("kept").hasSizeGreaterThan(1);
  }

  /** By WCAG 2.2. */
  private static double luminance(int rgb) {
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      double part = (rgb >> (16 - 8 * i) & 0xFF) / 255.0;
      sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }
}
