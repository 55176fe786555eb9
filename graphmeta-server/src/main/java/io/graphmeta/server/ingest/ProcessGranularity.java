package io.graphmeta.server.ingest;

/** What becomes a process in the graph. */
public enum ProcessGranularity {
  /** A program in a job: one vertex for each log, which stands for all its ranks. */
  JOB,
  /**
   * Each rank: a vertex for the program, one for each rank that a log keeps apart, and edges
   * between them.
   */
  RANK
}
