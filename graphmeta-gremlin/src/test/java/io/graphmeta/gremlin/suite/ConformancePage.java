package io.graphmeta.gremlin.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The page of figures, {@code docs/reference/conformance.md}: read from its tables and written from
 * results, so that a page which says something else than the runs is a failing test.
 */
final class ConformancePage {
  private static final String HEAD =
      """
      # Conformance

      What comes of the test suites of Apache TinkerPop 3.8.1 (gremlin-test) on the RocksDB engine. No test is
      opted out. A test of the build runs the suites and compares each figure with this page: more passing
      tests fail it as well as fewer, until the page is written anew.

      Each suite runs as users have the provider (strategies on), without the provider's strategies, so that
      TinkerPop's own steps read the structure alone (strategies off), and with everything that has no
      promised order, such as the elements of a scan or the edges of a vertex, in random order (shuffled).
      Three of them run on a database of four shards as well, where whatever has more than two edges is
      split before each transaction; the first runs on clusters of three nodes with eight shards, in processes
      of their own, too. All must come to the same as on one.

      Two suites run a second time. The structure suite runs again on a graph that was told to take arrays
      and objects of two classes (`gremlin.graphmeta.java-types`), which drivers of other languages cannot
      read and which are refused otherwise. Eleven tests of the process suite assert what `profile()` measured
      only if the class of the graph is called TinkerGraph; it runs again with the graph behind a class of
      this name that hands everything on, and without plans, because these tests expect the measurements of steps
      that a plan stands for.

      Of the features, those are run that need neither a graph computer (`@GraphComputerOnly`), null values
      (`@AllowNullPropertyValues`) nor the services of TinkerGraph (`@TinkerServiceRegistry`).

      ## Figures

      | suite | run | started | passed | failed | skipped | ignored by TinkerPop |
      | --- | --- | --- | --- | --- | --- | --- |
      """;

  private static final String SKIPS =
      """

      ## Why tests are skipped

      """;

  private final Map<Suite, Map<Variant, SuiteResult>> results = new EnumMap<>(Suite.class);

  static ConformancePage read(Path file) throws IOException {
    ConformancePage page = new ConformancePage();
    if (!Files.exists(file)) {
      return page;
    }
    Suite section = null;
    for (String line : Files.readAllLines(file)) {
      for (Suite suite : Suite.values()) {
        section = line.equals("### " + suite) ? suite : section;
      }
      String[] cells = line.split("\\|", -1);
      for (int i = 0; i < cells.length; i++) {
        cells[i] = cells[i].strip();
      }
      if (section == null && cells.length == 9) {
        page.readFigures(cells);
      } else if (section != null && cells.length == Variant.values().length + 3) {
        page.readReason(section, cells);
      }
    }
    return page;
  }

  private void readFigures(String[] cells) {
    for (Suite suite : Suite.values()) {
      for (Variant variant : Variant.values()) {
        if (cells[1].equals(suite.toString()) && cells[2].equals(variant.toString())) {
          put(
              suite,
              variant,
              new SuiteResult(
                  number(cells[3]), number(cells[5]), number(cells[7]), new TreeMap<>()));
        }
      }
    }
  }

  private void readReason(Suite suite, String[] cells) {
    for (Variant variant : Variant.values()) {
      String count = cells[variant.ordinal() + 2];
      SuiteResult result = results.getOrDefault(suite, Map.of()).get(variant);
      if (result != null && number(count) > 0) {
        result.skips().put(cells[1], number(count));
      }
    }
  }

  private static int number(String cell) {
    return cell.matches("[0-9]+") ? Integer.parseInt(cell) : 0;
  }

  @Nullable SuiteResult get(Suite suite, Variant variant) {
    return results.getOrDefault(suite, Map.of()).get(variant);
  }

  void put(Suite suite, Variant variant, SuiteResult result) {
    results.computeIfAbsent(suite, key -> new EnumMap<>(Variant.class)).put(variant, result);
  }

  String text() {
    StringBuilder text = new StringBuilder(HEAD);
    results.forEach(
        (suite, runs) ->
            runs.forEach(
                (variant, result) ->
                    text.append(
                        String.format(
                            Locale.ROOT,
                            "| %s | %s | %d | %d | %d | %d | %d |%n",
                            suite,
                            variant,
                            result.started(),
                            result.passed(),
                            result.failed(),
                            result.skipped(),
                            result.ignored()))));
    text.append(SKIPS);
    results.forEach((suite, runs) -> appendReasons(text, suite, runs));
    return text.toString().stripTrailing() + "\n";
  }

  private static void appendReasons(
      StringBuilder text, Suite suite, Map<Variant, SuiteResult> runs) {
    text.append("### ").append(suite).append("\n\n| reason |");
    for (Variant variant : Variant.values()) {
      text.append(' ').append(variant).append(" |");
    }
    text.append("\n| --- |").append(" --- |".repeat(Variant.values().length)).append('\n');
    Set<String> reasons = new TreeSet<>();
    runs.values().forEach(result -> reasons.addAll(result.skips().keySet()));
    for (String reason : reasons) {
      Map<Variant, Integer> counts = new LinkedHashMap<>();
      runs.forEach(
          (variant, result) -> counts.put(variant, result.skips().getOrDefault(reason, 0)));
      text.append("| ").append(reason).append(" |");
      for (Variant variant : Variant.values()) {
        Integer count = counts.get(variant);
        text.append(' ').append(count == null ? "not run" : count.toString()).append(" |");
      }
      text.append('\n');
    }
    text.append('\n');
  }
}
