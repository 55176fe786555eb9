package io.graphmeta.gremlin.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;

/**
 * Runs TinkerPop's suites and compares what comes of them with {@code
 * docs/reference/conformance.md}, figure by figure.
 *
 * <p>Each build runs some of them, {@code -Pconformance} all, and {@code
 * -Dgraphmeta.conformance=GHERKIN/SHUFFLED,PROCESS/SHUFFLED} those named. With {@code
 * -Dgraphmeta.write-reference=true} the page is written instead of compared.
 */
class ConformanceTest {
  private static final Path PAGE = Path.of("..", "docs", "reference", "conformance.md");
  private static final String WANTED = System.getProperty("graphmeta.conformance", "quick");

  static Stream<Arguments> runs() {
    List<Arguments> runs = new ArrayList<>();
    for (Suite suite : Suite.values()) {
      for (Variant variant : Variant.values()) {
        boolean wanted =
            switch (WANTED) {
              case "all" -> true;
              case "quick" -> suite.isInEachBuild() && variant == Variant.STRATEGIES_ON;
              default -> List.of(WANTED.split(",")).contains(suite.name() + "/" + variant.name());
            };
        if (wanted && suite.runs(variant)) {
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

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("runs")
  void comesToWhatThePageSays(Suite suite, Variant variant) throws IOException {
    variant.begin();
    GherkinWorld.passParametersAsVariables(suite == Suite.GHERKIN_VARIABLES);
    SuiteResult.Listener listener = new SuiteResult.Listener();
    JUnitCore core = new JUnitCore();
    core.addListener(listener);
    core.run(Request.aClass(suite.runner()).filterWith(listener.filter(variant)));
    Path details = Path.of("target", "conformance", suite.name() + "-" + variant.name() + ".txt");
    Files.createDirectories(details.getParent());
    Files.writeString(details, listener.details());
    String seed =
        switch (variant) {
          case SHUFFLED -> " with -Dgraphmeta.seed=" + Variant.SEED;
          case FOUR_SHARDS -> " with -Dgraphmeta.suite-placement=" + Variant.PLACEMENT;
          case STRATEGIES_ON, STRATEGIES_OFF -> "";
        };
    assertThat(listener.failures())
        .as("failures of %s, %s%s; traces are in %s", suite, variant, seed, details)
        .isEmpty();

    ConformancePage page = ConformancePage.read(PAGE);
    if (variant == Variant.FOUR_SHARDS) {
      assertThat(listener.result())
          .as("what four shards come to, beside one")
          .isEqualTo(page.get(suite, Variant.STRATEGIES_ON));
    }
    page.put(suite, variant, listener.result());
    if (Boolean.getBoolean("graphmeta.write-reference")) {
      Files.writeString(PAGE, page.text());
    }
    assertThat(PAGE)
        .as("%s, %s%s; -Dgraphmeta.write-reference=true writes the page anew", suite, variant, seed)
        .hasContent(page.text());
  }
}
