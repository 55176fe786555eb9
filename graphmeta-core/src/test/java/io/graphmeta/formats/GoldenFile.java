package io.graphmeta.formats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * A text file of named bytes. An entry is a line with its name, lines of the bytes in hexadecimal
 * digits, indented by two spaces, and one line of what the bytes say, indented by four. Lines that
 * begin with # are comments.
 */
public final class GoldenFile {
  /** Where the files lie, seen from the module. */
  public static final Path DIRECTORY = Path.of("src", "test", "resources", "formats");

  /** Whether files are to be written instead of compared. */
  static final boolean WRITES = Boolean.getBoolean("graphmeta.write-formats");

  private static final int DIGITS_IN_LINE = 96;

  private GoldenFile() {}

  /** Some bytes, their name, and what they say. */
  record Entry(String name, byte[] bytes, String text) {}

  static List<Entry> read(String file) throws IOException {
    Path path = DIRECTORY.resolve(file);
    List<Entry> entries = new ArrayList<>();
    if (!Files.exists(path) && WRITES) {
      return entries;
    }
    String name = "";
    StringBuilder digits = new StringBuilder();
    for (String line : Files.readAllLines(path)) {
      if (line.startsWith("    ")) {
        entries.add(
            new Entry(name, HexFormat.of().parseHex(digits), line.substring("    ".length())));
        digits.setLength(0);
      } else if (line.startsWith("  ")) {
        digits.append(line.strip());
      } else if (!line.startsWith("#")) {
        name = line;
      }
    }
    return entries;
  }

  static void write(String file, String comment, List<Entry> entries) throws IOException {
    StringBuilder text = new StringBuilder();
    comment.lines().forEach(line -> text.append("# ").append(line).append('\n'));
    for (Entry entry : entries) {
      text.append(entry.name()).append('\n');
      String digits = HexFormat.of().formatHex(entry.bytes());
      for (int at = 0; at < digits.length(); at += DIGITS_IN_LINE) {
        int end = Math.min(digits.length(), at + DIGITS_IN_LINE);
        text.append("  ").append(digits, at, end).append('\n');
      }
      text.append("    ").append(entry.text()).append('\n');
    }
    Files.createDirectories(DIRECTORY);
    Files.writeString(DIRECTORY.resolve(file), text, StandardCharsets.US_ASCII);
  }

  /** A text in one line of printable ASCII. */
  static String inOneLine(String text) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        line.append(" / ");
      } else if (c >= ' ' && c < 0x7f && c != '\\') {
        line.append(c);
      } else {
        line.append(String.format("\\u%04x", (int) c));
      }
    }
    return line.toString();
  }
}
