package io.graphmeta.gremlin.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs TinkerPop's suites and compares what comes of them with {@code
 * docs/reference/conformance.md}, figure by figure.
 *
 * <p>Each build runs some of them, {@code -Pconformance} all, and {@code
 * -Dgraphmeta.conformance=GHERKIN/SHUFFLED,PROCESS/SHUFFLED} those named. With {@code
 * -Dgraphmeta.write-reference=true} the page is written instead of compared. Those of a cluster are
 * run where there is one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConformanceRuns {
  private static final String WANTED = System.getProperty("graphmeta.conformance", "quick");

  private final List<Suite> suites;

  /** Runs of these: of some, since classes of tests run side by side. */
  ConformanceRuns(Suite... suites) {
    this.suites = List.of(suites);
  }

  Stream<Arguments> runs() {
    List<Arguments> runs = new ArrayList<>();
    for (Suite suite : suites) {
      for (Variant variant : Variant.values()) {
        boolean wanted =
            switch (WANTED) {
              case "all" -> true;
              case "quick" -> suite.isInEachBuild() && variant == Variant.STRATEGIES_ON;
              default -> List.of(WANTED.split(",")).contains(suite.name() + "/" + variant.name());
            };
        if (wanted && suite.runs(variant) && variant != Variant.CLUSTER) {
          runs.add(Arguments.of(suite, variant));
        }
      }
    }
    return runs.stream();
  }

  @AfterEach
  void asUsersHaveIt() {
    Variant.STRATEGIES_ON.begin();
  }

  @ParameterizedTest(name = "{0}, {1}", allowZeroInvocations = true)
  @MethodSource("runs")
  void comesToWhatThePageSays(Suite suite, Variant variant) throws IOException {
    ConformanceRun.compare(suite, variant);
  }
}
