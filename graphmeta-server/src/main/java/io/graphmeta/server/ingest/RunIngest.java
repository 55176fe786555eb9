package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.tx.GraphTransaction;

/** Loads runs of programs, each in one transaction. Safe for use by many threads. */
final class RunIngest {
  private final GraphDatabase database;

  RunIngest(GraphDatabase database) {
    this.database = database;
  }

  /** Loads a run; one that is there already changes nothing. */
  LoadResult load(ProgramRun run) {
    return LoadAttempts.run(() -> attempt(run));
  }

  private LoadResult attempt(ProgramRun run) {
    try (GraphTransaction tx = database.begin()) {
      RunMapping mapping = new RunMapping(tx, run);
      if (mapping.isLoaded()) {
        return LoadResult.UNCHANGED;
      }
      LoadResult result = mapping.write();
      tx.commit();
      return result;
    }
  }
}
