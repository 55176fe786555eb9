package io.graphmeta.gremlin.suite;

/** The features in Gherkin. */
final class GherkinConformanceTest extends ConformanceRuns {
  GherkinConformanceTest() {
    super(Suite.GHERKIN, Suite.GHERKIN_VARIABLES);
  }
}
