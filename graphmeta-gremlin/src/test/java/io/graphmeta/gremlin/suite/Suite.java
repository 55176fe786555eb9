package io.graphmeta.gremlin.suite;

/** The suites of TinkerPop, in the order of the page. */
enum Suite {
  STRUCTURE("StructureStandardSuite", StructureSuite.class, true),
  STRUCTURE_JAVA_TYPES(
      "StructureStandardSuite, arrays and objects accepted", JavaTypesStructureSuite.class, false),
  PROCESS("ProcessEmbeddedStandardSuite", ProcessSuite.class, true),
  PROCESS_NAMED(
      "ProcessEmbeddedStandardSuite, graph class named TinkerGraph",
      NamedProcessSuite.class,
      false),
  GHERKIN("Gherkin features", GherkinFeatures.class, true),
  GHERKIN_VARIABLES("Gherkin features, parameters as GValues", GherkinFeatures.class, false);

  private final String title;
  private final Class<?> runner;
  private final boolean inEachBuild;

  Suite(String title, Class<?> runner, boolean inEachBuild) {
    this.title = title;
    this.runner = runner;
    this.inEachBuild = inEachBuild;
  }

  Class<?> runner() {
    return runner;
  }

  /** Whether each build runs it with the strategies on; all else is for the profile. */
  boolean isInEachBuild() {
    return inEachBuild;
  }

  boolean runs(Variant variant) {
    return switch (variant) {
      case STRATEGIES_ON, SHUFFLED -> true;
      // The names of steps that it asserts are those of the provider's strategies.
      case STRATEGIES_OFF -> this != PROCESS_NAMED;
      case FOUR_SHARDS, CLUSTER -> inEachBuild;
    };
  }

  @Override
  public String toString() {
    return title;
  }
}
