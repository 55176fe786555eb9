package io.graphmeta.server.picture;

import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.BoxLink;
import io.graphmeta.provenance.folding.FoldedLineage;
import io.graphmeta.server.layout.LayeredLayout;
import io.graphmeta.server.layout.LayoutGraph;
import io.graphmeta.server.layout.Placement;
import io.graphmeta.server.layout.Placement.Point;
import io.graphmeta.server.layout.Placement.Rectangle;
import io.graphmeta.server.picture.Picture.Line;
import io.graphmeta.server.picture.Picture.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Makes pictures of folded lineages. */
public final class LineagePicture {
  /** Size of the font of names, in pixels. */
  static final int TITLE_SIZE = 12;

  /** Size of all other text, in pixels. */
  static final int DETAIL_SIZE = 11;

  /** From the left edge of a box to its text. */
  static final int INDENT = 10;

  /** Height of a line of text. */
  static final int LINE_HEIGHT = 14;

  /** From the upper edge of a box to the base of its name. */
  static final int FIRST_BASE = 16;

  private static final int LEAST_WIDTH = 104;
  private static final int MOST_WIDTH = 208;
  private static final int SIGN_WIDTH = 12;
  private static final int PADDING = 9;
  private static final int THINNEST = 12;
  private static final int THICKEST = 50;

  private LineagePicture() {}

  /**
   * The picture of a folded lineage.
   *
   * @param caption what it shows, in words; made visible here
   * @param compared whether it is of two times
   */
  public static Picture of(FoldedLineage folded, String caption, boolean compared) {
    return of(folded, caption, compared, Map.of());
  }

  /**
   * The picture of a folded lineage that is shown after another one.
   *
   * @param earlier the middles of boxes in that picture, in pixels from above, by their keys
   */
  public static Picture of(
      FoldedLineage folded, String caption, boolean compared, Map<String, Integer> earlier) {
    BoxText texts = new BoxText(folded);
    List<LayoutGraph.Size> sizes = new ArrayList<>();
    for (Box box : folded.boxes()) {
      sizes.add(size(box, texts));
    }
    Placement placement =
        LayeredLayout.place(
            new LayoutGraph(sizes, links(folded.links()), earlier(folded, earlier)));
    List<Shape> shapes = new ArrayList<>();
    for (Box box : folded.boxes()) {
      shapes.add(shape(box, texts, placement.boxes().get(box.index())));
    }
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < folded.links().size(); i++) {
      BoxLink link = folded.links().get(i);
      Placement.Route route = placement.routes().get(i);
      lines.add(new Line(link, route.goesBack(), path(route.points()), tenths(link.count())));
    }
    return new Picture(
        placement.width(),
        placement.height(),
        shapes,
        lines,
        VisibleText.of(caption),
        compared,
        folded.overlay().lineage().partial(),
        folded.overlay().lineage().nodes().size());
  }

  private static List<OptionalInt> earlier(FoldedLineage folded, Map<String, Integer> middles) {
    List<OptionalInt> result = new ArrayList<>();
    for (Box box : folded.boxes()) {
      Integer middle = middles.get(box.key());
      result.add(middle == null ? OptionalInt.empty() : OptionalInt.of(middle));
    }
    return result;
  }

  private static LayoutGraph.Size size(Box box, BoxText texts) {
    int signs = SIGN_WIDTH * BoxText.signs(box).length();
    int width = TextWidth.of(BoxText.count(box) + BoxText.name(box), TITLE_SIZE, true) + signs;
    List<String> details = texts.details(box);
    for (String detail : details) {
      width = Math.max(width, TextWidth.of(detail, DETAIL_SIZE, false));
    }
    width = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, width + 2 * INDENT));
    return new LayoutGraph.Size(width, FIRST_BASE + details.size() * LINE_HEIGHT + PADDING);
  }

  /** Lines that look different have bends of their own, so that none hides another. */
  private static List<LayoutGraph.Link> links(List<BoxLink> links) {
    Map<String, Integer> looks = new HashMap<>();
    List<LayoutGraph.Link> result = new ArrayList<>();
    for (BoxLink link : links) {
      String look = link.relation() + " " + link.presence();
      int bundle = looks.computeIfAbsent(look, key -> looks.size());
      result.add(new LayoutGraph.Link(link.from(), link.to(), bundle));
    }
    return result;
  }

  private static Shape shape(Box box, BoxText texts, Rectangle place) {
    String signs = BoxText.signs(box);
    int room = place.width() - 2 * INDENT;
    String count = BoxText.count(box);
    int roomOfName = room - SIGN_WIDTH * signs.length() - TextWidth.of(count, TITLE_SIZE, true);
    String title = count + TextWidth.fitted(BoxText.name(box), TITLE_SIZE, true, roomOfName);
    List<String> details =
        texts.details(box).stream()
            .map(detail -> TextWidth.fitted(detail, DETAIL_SIZE, false, room))
            .toList();
    return new Shape(
        box,
        place.x(),
        place.y(),
        place.width(),
        place.height(),
        place.layer(),
        title,
        details,
        signs,
        texts.description(box));
  }

  /** Curves between columns, and straight lines through them. */
  static String path(List<Point> points) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < points.size(); i++) {
      Point point = points.get(i);
      if (i == 0) {
        path.append('M').append(point.x()).append(' ').append(point.y());
      } else if (i % 2 == 0) {
        path.append('H').append(point.x());
      } else {
        Point from = points.get(i - 1);
        int middle = (from.x() + point.x()) / 2;
        path.append('C').append(middle).append(' ').append(from.y());
        path.append(' ').append(middle).append(' ').append(point.y());
        path.append(' ').append(point.x()).append(' ').append(point.y());
      }
    }
    return path.toString();
  }

  /** Grows with the logarithm of the count. */
  private static int tenths(int count) {
    int bits = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(Math.max(1, count));
    return Math.min(THICKEST, THINNEST + 4 * bits);
  }

  /** What kind of line a relation is drawn as: a word of the style sheet. */
  public static String lineStyle(String relation) {
    return switch (relation) {
      case Vocabulary.READ, Vocabulary.WROTE -> "data";
      case Vocabulary.EXE -> "run";
      default -> "other";
    };
  }
}
