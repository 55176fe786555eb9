package io.graphmeta.gremlin.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The reference page of the services. */
final class ServicesPage {
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  private final String page;

  private ServicesPage(String page) {
    this.page = page;
  }

  static ServicesPage read() throws IOException {
    return new ServicesPage(Files.readString(Path.of("../docs/reference/services.md")));
  }

  /** What is said of a service. */
  String section(String service) {
    return upTo("\n## ", page.substring(page.indexOf("\n## " + service) + 1));
  }

  /** The names in the first column of the table of its parameters; none if it has no table. */
  List<String> parameters(String service) {
    String section = section(service);
    int table = section.indexOf("\n| Parameter |");
    if (table < 0) {
      return List.of();
    }
    return upTo("\n\n", section.substring(table + 1))
        .lines()
        .filter(row -> row.startsWith("| `"))
        .map(row -> row.substring(0, row.indexOf('|', 1)))
        .flatMap(cell -> NAME.matcher(cell).results())
        .map(name -> name.group(1))
        .toList();
  }

  private static String upTo(String end, String text) {
    int at = text.indexOf(end);
    return at < 0 ? text : text.substring(0, at);
  }
}
