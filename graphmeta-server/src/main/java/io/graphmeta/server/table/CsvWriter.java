package io.graphmeta.server.table;

import java.io.PrintWriter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * CSV by RFC 4180: lines end with CR and LF, and a value with a quote, a comma or a line break
 * stands in quotes, its own quotes doubled. No value is written as nothing, an empty text as {@code
 * ""}.
 *
 * <p>Values are written as they are. A spreadsheet takes text that begins with {@code =} or the
 * like for a formula and runs it, and whoever may name a file or a job may choose such a text; so
 * there is a form for spreadsheets, which sets an apostrophe before it. It is not the default, for
 * a program that reads the file would read another text than the graph has.
 */
public final class CsvWriter extends RowWriter {
  private static final Pattern QUOTED = Pattern.compile("[\",\\r\\n]|^\\s|\\s$");
  private static final Pattern FORMULA = Pattern.compile("^[=+\\-@\\t\\r]");

  private final boolean forSpreadsheets;

  /** A writer of exact values, or of values that no spreadsheet runs. */
  public CsvWriter(PrintWriter out, boolean forSpreadsheets) {
    super(out);
    this.forSpreadsheets = forSpreadsheets;
  }

  @Override
  void head(List<String> names, List<List<Cell>> first) {
    line(names.stream().map(name -> new Cell(name, false)).toList());
  }

  @Override
  void line(List<Cell> cells) {
    out.print(cells.stream().map(this::value).collect(Collectors.joining(",")));
    out.print("\r\n");
  }

  private String value(Cell cell) {
    String text = cell.text();
    if (text == null) {
      return "";
    }
    if (forSpreadsheets && !cell.isNumber() && FORMULA.matcher(text).find()) {
      text = "'" + text;
    }
    return text.isEmpty() || QUOTED.matcher(text).find()
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }
}
