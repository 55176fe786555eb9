package io.graphmeta.server.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RowWritersTest {
  private static final String PIECES = "ab,\"\r\n =+-@'\t\u4e2d\u0301\ud83d\ude80;";

  private final StringWriter written = new StringWriter();
  private final PrintWriter out = new PrintWriter(written);

  @Test
  void whatIsWrittenAsCsvIsReadAsItWas() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      StringWriter csv = new StringWriter();
      RowWriter writer = new CsvWriter(new PrintWriter(csv), false);
      int columns = 1 + random.nextInt(4);
      List<List<String>> expected = new ArrayList<>();
      expected.add(new ArrayList<>());
      for (int column = 0; column < columns; column++) {
        expected.get(0).add("c" + column + text(random));
      }
      int rows = 1 + random.nextInt(5);
      for (int number = 0; number < rows; number++) {
        Map<String, Cell> row = new LinkedHashMap<>();
        List<String> values = new ArrayList<>();
        for (String name : expected.get(0)) {
          String value = random.nextInt(5) == 0 ? null : text(random);
          row.put(name, new Cell(value, false));
          values.add(value);
        }
        writer.write(row);
        expected.add(values);
      }
      writer.end();
      assertThat(parsed(csv.toString())).as("seed %d: %s", seed, csv).isEqualTo(expected);
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(6);
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(
          PIECES.codePointAt(
              PIECES.offsetByCodePoints(
                  0, random.nextInt(PIECES.codePointCount(0, PIECES.length())))));
    }
    return text.toString();
  }

  /** Reads CSV by the grammar of RFC 4180; a value that is not there is null, "" is empty. */
  private static List<List<String>> parsed(String csv) {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    int at = 0;
    while (at < csv.length()) {
      StringBuilder value = new StringBuilder();
      boolean quoted = csv.charAt(at) == '"';
      if (quoted) {
        at++;
        while (csv.charAt(at) != '"' || at + 1 < csv.length() && csv.charAt(at + 1) == '"') {
          at += csv.charAt(at) == '"' ? 1 : 0;
          value.append(csv.charAt(at++));
        }
        at++;
      } else {
        while (csv.charAt(at) != ',' && csv.charAt(at) != '\r') {
          assertThat(csv.charAt(at)).isNotEqualTo('\n').isNotEqualTo('"');
          value.append(csv.charAt(at++));
        }
      }
      row.add(quoted || !value.isEmpty() ? value.toString() : null);
      if (csv.charAt(at) == ',') {
        at++;
      } else {
        assertThat(csv.substring(at, at + 2)).isEqualTo("\r\n");
        at += 2;
        rows.add(row);
        row = new ArrayList<>();
      }
    }
    return rows;
  }

  @Test
  void aSpreadsheetGetsNoFormulas() {
    RowWriter writer = new CsvWriter(out, true);
    for (String text : List.of("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "a=1")) {
      writer.write(Map.of("text", new Cell(text, false)));
    }
    writer.write(Map.of("text", new Cell("-1", true)));
    writer.end();
    assertThat(written.toString())
        .isEqualTo("text\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\na=1\r\n-1\r\n");
  }

  @Test
  void columnsAreThoseOfTheFirstRowsAndLaterOnesAreRefused() {
    RowWriter writer = new CsvWriter(out, false);
    for (int number = 0; number < RowWriter.LOOKAHEAD_ROWS; number++) {
      writer.write(Map.of(number % 2 == 0 ? "even" : "odd", new Cell("" + number, true)));
    }
    writer.write(Map.of("odd", new Cell("last", false)));
    assertThatThrownBy(() -> writer.write(Map.of("third", new Cell("x", false))))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContainingAll("1002", "[third]", "project(...)", "json");
    assertThat(written.toString()).startsWith("even,odd\r\n0,\r\n,1\r\n").endsWith(",last\r\n");
  }

  @Test
  void aTableAlignsWideAndCombiningCharacters() {
    RowWriter writer = new TextTable(out, TextTable.UNLIMITED);
    writer.write(row("name", "\u4e2d\u6587", "n", "7"));
    writer.write(row("name", "e\u0301t\u00e9", "n", "1234"));
    writer.write(row("name", "\ud83d\ude80 up", "n", ""));
    writer.end();
    assertThat(written.toString().lines())
        .containsExactly(
            "name   n",
            "-----  ----",
            "\u4e2d\u6587      7",
            "e\u0301t\u00e9    1234",
            "\ud83d\ude80 up");
  }

  @Test
  void aTableFitsItsTerminalAndObeysNothing() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int columns = 1 + random.nextInt(6);
      int width = 5 * columns + random.nextInt(60);
      StringWriter table = new StringWriter();
      RowWriter writer = new TextTable(new PrintWriter(table), width);
      for (int number = 0; number < 4; number++) {
        Map<String, Cell> row = new LinkedHashMap<>();
        for (int column = 0; column < columns; column++) {
          String value = text(random).repeat(random.nextInt(12)) + "\u001b[2J\u202e";
          row.put("column " + column, new Cell(value, random.nextBoolean()));
        }
        writer.write(row);
      }
      writer.end();
      assertThat(table.toString()).doesNotContain("\u001b", "\u202e", "\t");
      assertThat(table.toString().lines().toList())
          .as("seed %d, width %d:%n%s", seed, width, table)
          .hasSize(6)
          .allMatch(line -> DisplayText.width(line) <= width);
    }
  }

  private static Map<String, Cell> row(String first, String text, String second, String number) {
    Map<String, Cell> row = new LinkedHashMap<>();
    row.put(first, new Cell(text, false));
    row.put(second, number.isEmpty() ? Cell.NONE : new Cell(number, true));
    return row;
  }
}
