package io.graphmeta.gremlin.suite;

/** The suites of traversals in Java. */
final class ProcessConformanceTest extends ConformanceRuns {
  ProcessConformanceTest() {
    super(Suite.PROCESS, Suite.PROCESS_NAMED);
  }
}
