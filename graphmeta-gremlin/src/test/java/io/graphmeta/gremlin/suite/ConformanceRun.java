package io.graphmeta.gremlin.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;

/**
 * Runs a suite in a way, and compares what comes of it with {@code docs/reference/conformance.md},
 * figure by figure. One at a time, since TinkerPop keeps what it is run with in static fields.
 */
public final class ConformanceRun {
  private static final Path PAGE = Path.of("..", "docs", "reference", "conformance.md");

  private ConformanceRun() {}

  /**
   * Runs a suite on graphs of clusters.
   *
   * @param suite its name: {@code STRUCTURE}, {@code PROCESS} or {@code GHERKIN}
   * @param clusters the settings of a client of the cluster of the graph of a name
   */
  public static void compareOnClusters(String suite, Function<String, Map<String, Object>> clusters)
      throws IOException {
    Variant.findClustersBy(clusters);
    try {
      compare(Suite.valueOf(suite), Variant.CLUSTER);
    } finally {
      GraphMetaProvider.closeAll();
      GherkinWorld.closeAll();
      Variant.STRATEGIES_ON.begin();
    }
  }

  static void compare(Suite suite, Variant variant) throws IOException {
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
          case STRATEGIES_ON, STRATEGIES_OFF, CLUSTER -> "";
        };
    assertThat(listener.failures())
        .as("failures of %s, %s%s; traces are in %s", suite, variant, seed, details)
        .isEmpty();

    ConformancePage page = ConformancePage.read(PAGE);
    if (variant == Variant.FOUR_SHARDS || variant == Variant.CLUSTER) {
      assertThat(listener.result())
          .as("what %s comes to, beside one shard", variant)
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
