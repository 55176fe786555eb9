package io.graphmeta.gremlin.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs TinkerPop's suites, writes the table of their results to {@code target/conformance}, and
 * fails when one has become worse than the figures pinned here.
 */
class ConformanceTest {
  /** The least number of tests that pass, and the most that are skipped because of a feature. */
  private record Pinned(int passed, int skipped) {}

  /** Counts the tests of one run. */
  private static final class Figures extends RunListener {
    private int started;
    private final List<Failure> skips = new ArrayList<>();
    private int ignored;
    private final List<Failure> failures = new ArrayList<>();

    @Override
    public void testStarted(Description description) {
      started++;
    }

    @Override
    public void testFailure(Failure failure) {
      failures.add(failure);
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
      skips.add(failure);
    }

    @Override
    public void testIgnored(Description description) {
      ignored++;
    }

    int passed() {
      return started - skips.size() - failures.size();
    }

    String table(String suite) {
      return String.format(
          Locale.ROOT,
          "%-36s %8s %8s %8s %8s %8s%n%-36s %8d %8d %8d %8d %8d%n",
          "suite",
          "started",
          "passed",
          "failed",
          "skipped",
          "ignored",
          suite,
          started,
          passed(),
          failures.size(),
          skips.size(),
          ignored);
    }
  }

  @Test
  void structureSuiteDoesNotGetWorse() throws IOException {
    check("StructureStandardSuite", StructureSuite.class, new Pinned(719, 221));
  }

  @Test
  void processSuiteDoesNotGetWorse() throws IOException {
    check("ProcessEmbeddedStandardSuite", ProcessSuite.class, new Pinned(212, 12));
  }

  private static void check(String name, Class<?> suite, Pinned pinned) throws IOException {
    Figures figures = new Figures();
    JUnitCore core = new JUnitCore();
    core.addListener(figures);
    core.run(suite);
    String table = figures.table(name);
    Path report = Path.of("target", "conformance", name + ".txt");
    Files.createDirectories(report.getParent());
    StringBuilder details = new StringBuilder(table);
    for (Failure failure : figures.failures) {
      details.append('\n').append(failure.getTestHeader()).append('\n').append(failure.getTrace());
    }
    for (Failure skip : figures.skips) {
      details.append("skipped ").append(skip.getDescription()).append(": ");
      details.append(skip.getMessage()).append('\n');
    }
    Files.writeString(report, details);
    System.out.print(table);
    assertThat(figures.failures)
        .as("failures of %s, with their traces in %s", name, report)
        .isEmpty();
    assertThat(figures.passed()).as("passed of %s", name).isGreaterThanOrEqualTo(pinned.passed);
    assertThat(figures.skips.size()).as("skipped of %s", name).isLessThanOrEqualTo(pinned.skipped);
  }
}
