package io.graphmeta.server.picture;

import io.graphmeta.provenance.folding.Box;
import io.graphmeta.provenance.folding.BoxLink;
import java.util.List;

/**
 * What is drawn: boxes with their lines of text, and lines between them, in pixels. All text is
 * visible and fits its box. Immutable.
 *
 * @param width of the whole
 * @param height of the whole
 * @param shapes the boxes, in the order of the folded lineage
 * @param lines the links, in the order of the folded lineage
 * @param caption what the picture shows, in a sentence
 * @param compared whether it shows two times
 * @param partial whether a limit ended the search
 * @param elements how many elements of the lineage it stands for
 */
public record Picture(
    int width,
    int height,
    List<Shape> shapes,
    List<Line> lines,
    String caption,
    boolean compared,
    boolean partial,
    int elements) {
  /**
   * A box.
   *
   * @param box what it stands for
   * @param layer its column, from the left
   * @param title its name
   * @param details lines below the name
   * @param signs what is to be noted, a character each: see {@link Sign}
   * @param description everything that is known of it, for who points at it
   */
  public record Shape(
      Box box,
      int x,
      int y,
      int width,
      int height,
      int layer,
      String title,
      List<String> details,
      String signs,
      List<String> description) {}

  /**
   * A line.
   *
   * @param link what it stands for
   * @param goesBack whether it goes from right to left
   * @param path data of a path of SVG
   * @param tenths its width in tenths of a pixel
   */
  public record Line(BoxLink link, boolean goesBack, String path, int tenths) {}

  /** What the signs in the corner of a box mean. */
  public enum Sign {
    /** The record does not tell everything for certain. */
    DOUBT("?", "not certain in all"),
    /** There is a newer version. */
    REPLACED("↺", "replaced since"),
    /** The file was renamed to another path. */
    RENAMED("→", "renamed since"),
    /** The file was deleted. */
    DELETED("×", "deleted since"),
    /** Members have links to one another. */
    WITHIN("∞", "links within"),
    /** Part of the first lineage alone. */
    GONE("−", "gone"),
    /** Part of the second lineage alone. */
    NEW("+", "new");

    private final String character;
    private final String meaning;

    Sign(String character, String meaning) {
      this.character = character;
      this.meaning = meaning;
    }

    /** The character. */
    public String character() {
      return character;
    }

    /** The meaning in words. */
    public String meaning() {
      return meaning;
    }
  }

  public Picture {
    shapes = List.copyOf(shapes);
    lines = List.copyOf(lines);
  }
}
