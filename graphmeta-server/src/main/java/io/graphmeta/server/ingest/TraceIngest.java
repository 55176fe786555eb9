package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.server.ingest.trace.TracedRun;
import io.graphmeta.tx.GraphTransaction;

/**
 * Loads runs that other tools wrote down, each in one transaction. A run that is there already is
 * added what it lacks. Safe for use by many threads.
 */
public final class TraceIngest {
  private final GraphDatabase database;

  /** Loads into a database. */
  public TraceIngest(GraphDatabase database) {
    this.database = database;
  }

  /**
   * Loads a run.
   *
   * @throws io.graphmeta.error.GraphMetaException if the graph does not take it; nothing is changed
   *     then
   */
  public LoadResult load(TracedRun run) {
    return LoadAttempts.run(1, () -> attempt(run));
  }

  private LoadResult attempt(TracedRun run) {
    try (GraphTransaction tx = database.begin()) {
      LoadResult result = new TraceMapping(tx, run).write();
      if (tx.hasWrites()) {
        tx.commit();
      }
      return result;
    }
  }
}
