package io.graphmeta.server.table;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows whose columns are found out on the way: those of the first rows, in the order of
 * their first coming. A later row with another column is refused rather than shortened.
 */
public abstract class RowWriter {
  /** As many rows are kept before the first is written. */
  public static final int LOOKAHEAD_ROWS = 1_000;

  final PrintWriter out;

  private final List<Map<String, Cell>> ahead = new ArrayList<>();
  private final Set<String> names = new LinkedHashSet<>();
  private @Nullable List<String> columns;
  private long rows;

  RowWriter(PrintWriter out) {
    this.out = out;
  }

  /** Writes a row; what it has no cell for stays empty. */
  public final void write(Map<String, Cell> row) {
    rows++;
    if (columns == null) {
      ahead.add(row);
      names.addAll(row.keySet());
      if (ahead.size() == LOOKAHEAD_ROWS) {
        begin();
      }
    } else if (names.containsAll(row.keySet())) {
      line(cells(columns, row));
    } else {
      Set<String> unknown = new LinkedHashSet<>(row.keySet());
      unknown.removeAll(names);
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "Result "
              + rows
              + " has the fields "
              + unknown
              + ", which none of the first "
              + LOOKAHEAD_ROWS
              + " has; name the fields by project(...), or ask for --format json");
    }
  }

  /** Writes what is left; without a row nothing. */
  public final void end() {
    if (columns == null && !ahead.isEmpty()) {
      begin();
    }
  }

  private void begin() {
    columns = List.copyOf(names);
    List<List<Cell>> lines = new ArrayList<>();
    for (Map<String, Cell> row : ahead) {
      lines.add(cells(columns, row));
    }
    ahead.clear();
    head(columns, lines);
    lines.forEach(this::line);
  }

  private static List<Cell> cells(List<String> columns, Map<String, Cell> row) {
    List<Cell> cells = new ArrayList<>();
    columns.forEach(column -> cells.add(row.getOrDefault(column, Cell.NONE)));
    return cells;
  }

  /** Writes the names of the columns; the first lines come after it. */
  abstract void head(List<String> names, List<List<Cell>> first);

  abstract void line(List<Cell> cells);
}
