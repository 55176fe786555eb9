package io.graphmeta.gremlin.suite;

/** The suites of the structure of graphs. */
final class StructureConformanceTest extends ConformanceRuns {
  StructureConformanceTest() {
    super(Suite.STRUCTURE, Suite.STRUCTURE_JAVA_TYPES);
  }
}
