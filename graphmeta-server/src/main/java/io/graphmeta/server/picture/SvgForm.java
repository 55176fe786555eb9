package io.graphmeta.server.picture;

import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.Presence;
import io.graphmeta.server.picture.Picture.Line;
import io.graphmeta.server.picture.Picture.Shape;
import io.graphmeta.server.picture.Picture.Sign;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * SVG that stands by itself: it has its style sheet, light and dark, a legend, and no script,
 * reference or font from elsewhere. Text is written as text and escaped here, and nowhere else.
 */
public final class SvgForm {
  private static final String STYLE_SHEET = "picture.css";
  private static final int LEGEND_HEIGHT = 58;
  private static final int LEAST_WIDTH = 640;
  private static final int STACK = 3;

  private final StringBuilder out = new StringBuilder(4096);

  private SvgForm() {}

  /** The picture as a document. */
  public static String write(Picture picture) {
    SvgForm form = new SvgForm();
    form.document(picture);
    return form.out.toString();
  }

  /** The style sheet of pictures. */
  public static String styleSheet() {
    try (InputStream in =
        Objects.requireNonNull(SvgForm.class.getResourceAsStream(STYLE_SHEET), STYLE_SHEET)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void document(Picture picture) {
    int width = Math.max(LEAST_WIDTH, picture.width());
    int height = picture.height() + LEGEND_HEIGHT;
    out.append(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
    number("width", width);
    number("height", height);
    out.append(" viewBox=\"0 0 ").append(width).append(' ').append(height).append('"');
    out.append(" class=\"picture\" role=\"img\">\n<title>");
    escaped(picture.caption());
    out.append("</title>\n<style>\n").append(styleSheet()).append("</style>\n");
    out.append("<rect class=\"ground\"");
    number("width", width);
    number("height", height);
    out.append("/>\n");
    picture.lines().stream()
        .filter(line -> line.link().presence() == Presence.KEPT)
        .forEach(line -> line(picture, line));
    picture.lines().stream()
        .filter(line -> line.link().presence() != Presence.KEPT)
        .forEach(line -> line(picture, line));
    picture.shapes().forEach(this::shape);
    legend(picture, picture.height());
    out.append("</svg>\n");
  }

  private void line(Picture picture, Line line) {
    if (line.path().isEmpty()) {
      return;
    }
    Box source = picture.shapes().get(line.link().from()).box();
    out.append("<path class=\"").append(lineClasses(line, source)).append('"');
    out.append(" d=\"").append(line.path()).append('"');
    out.append(" stroke-width=\"").append(line.tenths() / 10).append('.');
    out.append(line.tenths() % 10).append("\"/>\n");
    if (line.goesBack()) {
      arrow(line, picture.shapes().get(line.link().to()));
    }
  }

  private void arrow(Line line, Shape to) {
    int x = to.x() + to.width();
    int y = to.y() + to.height() / 2;
    out.append("<path class=\"head ").append(word(line.link().presence())).append("\" d=\"M");
    out.append(x).append(' ').append(y).append("l8 -4v8z\"/>\n");
  }

  private static String lineClasses(Line line, Box source) {
    boolean ofFile = source.kind() == Box.Kind.FILE || source.kind() == Box.Kind.PROGRAM;
    return "line "
        + (ofFile ? "from-file " : "from-process ")
        + LineagePicture.lineStyle(line.link().relation())
        + " "
        + word(line.link().presence())
        + (line.goesBack() ? " back" : "");
  }

  private void shape(Shape shape) {
    Box box = shape.box();
    out.append("<g class=\"box ").append(word(box.kind())).append(' ');
    out.append(word(box.presence()));
    out.append(box.isStart() ? " start" : "").append("\"><title>");
    escaped(String.join("\n", shape.description()));
    out.append("</title>\n");
    boolean isFile = box.kind() == Box.Kind.FILE || box.kind() == Box.Kind.PROGRAM;
    int radius = isFile ? 7 : 1;
    for (int i = box.count() > 1 ? 2 : 0; i >= 0; i--) {
      out.append(i == 0 ? "<rect class=\"face\"" : "<rect class=\"face below\"");
      number("x", shape.x() + i * STACK);
      number("y", shape.y() + i * STACK);
      number("width", shape.width());
      number("height", shape.height());
      number("rx", radius);
      out.append("/>");
    }
    if (!isFile) {
      out.append("<rect class=\"bar\"");
      number("x", shape.x());
      number("y", shape.y());
      number("width", 4);
      number("height", shape.height());
      out.append("/>");
    }
    int x = shape.x() + LineagePicture.INDENT;
    int y = shape.y() + LineagePicture.FIRST_BASE;
    text("name", x, y, shape.title());
    for (String detail : shape.details()) {
      y += LineagePicture.LINE_HEIGHT;
      text("detail", x, y, detail);
    }
    if (!shape.signs().isEmpty()) {
      text(
          "signs",
          shape.x() + shape.width() - 7,
          shape.y() + LineagePicture.FIRST_BASE,
          shape.signs());
    }
    out.append("</g>\n");
  }

  private void legend(Picture picture, int top) {
    List<String> parts = new ArrayList<>();
    for (Sign sign : Sign.values()) {
      if (picture.shapes().stream().anyMatch(shape -> shape.signs().contains(sign.character()))) {
        parts.add(sign.character() + " " + sign.meaning());
      }
    }
    String numbers =
        String.format(
            Locale.ROOT,
            "%,d elements in %,d boxes; times in UTC. ",
            picture.elements(),
            picture.shapes().size());
    String partial =
        picture.partial() ? "PARTIAL: a limit ended the search, elements are missing. " : "";
    int width = Math.max(LEAST_WIDTH, picture.width()) - 32;
    text(
        "name",
        16,
        top + 18,
        TextWidth.fitted(picture.caption(), LineagePicture.TITLE_SIZE, true, width));
    text(
        picture.partial() ? "detail partial" : "detail",
        16,
        top + 34,
        TextWidth.fitted(
            partial
                + numbers
                + "Round: files. With a bar: processes. Dotted: programs that were run. Dashed: renamed, continued, printed.",
            LineagePicture.DETAIL_SIZE,
            false,
            width));
    text(
        "detail",
        16,
        top + 48,
        TextWidth.fitted(String.join("   ", parts), LineagePicture.DETAIL_SIZE, false, width));
  }

  private void text(String style, int x, int y, String text) {
    out.append("<text class=\"").append(style).append('"');
    number("x", x);
    number("y", y);
    out.append('>');
    escaped(text);
    out.append("</text>");
  }

  private void number(String attribute, int value) {
    out.append(' ').append(attribute).append("=\"").append(value).append('"');
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private void escaped(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      switch (each) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(each);
      }
    }
  }
}
