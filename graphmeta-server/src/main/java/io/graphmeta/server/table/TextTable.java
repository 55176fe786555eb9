package io.graphmeta.server.table;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;

/**
 * A table for people: a line of names, a rule, a line a row. A column is as wide as the widest of
 * its first values. Where that is wider than the terminal the widest columns are narrowed, and what
 * does not fit ends with an ellipsis; elsewhere nothing is cut, and a later value that is wider
 * moves the rest of its line.
 */
public final class TextTable extends RowWriter {
  /** The width of what is no terminal. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final String GAP = "  ";
  private static final int LEAST_WIDTH = 3;

  private final int terminalWidth;
  private int[] widths = {};

  /** A table for a terminal of so many columns of characters. */
  public TextTable(PrintWriter out, int terminalWidth) {
    super(out);
    this.terminalWidth = terminalWidth;
  }

  @Override
  void head(List<String> names, List<List<Cell>> first) {
    widths =
        names.stream().mapToInt(name -> DisplayText.width(DisplayText.visible(name))).toArray();
    for (List<Cell> cells : first) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], DisplayText.width(shown(cells.get(i))));
      }
    }
    narrow(widths, terminalWidth - (long) GAP.length() * (widths.length - 1));
    line(names.stream().map(name -> new Cell(name, false)).toList());
    line(Arrays.stream(widths).mapToObj(width -> new Cell("-".repeat(width), false)).toList());
  }

  /** Takes from the widest until all fit, or none can be narrower. */
  private static void narrow(int[] widths, long room) {
    long excess = Arrays.stream(widths).asLongStream().sum() - room;
    while (excess > 0) {
      int widest = 0;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      if (widths[widest] <= LEAST_WIDTH) {
        return;
      }
      int bound = LEAST_WIDTH;
      for (int i = 0; i < widths.length; i++) {
        bound = i == widest || widths[i] == widths[widest] ? bound : Math.max(bound, widths[i]);
      }
      int less = (int) Math.min(excess, Math.max(1, widths[widest] - bound));
      // Columns of the same width give in turn, one character each.
      less = hasEqual(widths, widest) ? 1 : less;
      widths[widest] -= less;
      excess -= less;
    }
  }

  private static boolean hasEqual(int[] widths, int index) {
    for (int i = 0; i < widths.length; i++) {
      if (i != index && widths[i] == widths[index]) {
        return true;
      }
    }
    return false;
  }

  private static String shown(Cell cell) {
    return cell.text() == null ? "" : DisplayText.visible(cell.text());
  }

  @Override
  void line(List<Cell> cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      String text = shown(cell);
      if (terminalWidth != UNLIMITED) {
        text = DisplayText.cut(text, widths[i]);
      }
      String blanks = " ".repeat(Math.max(0, widths[i] - DisplayText.width(text)));
      line.append(i == 0 ? "" : GAP).append(cell.isNumber() ? blanks + text : text + blanks);
    }
    out.println(line.toString().stripTrailing());
  }
}
