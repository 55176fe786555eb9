package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.tx.GraphTransaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Loads runs of programs, some in one transaction. Safe for use by many threads. */
final class RunIngest {
  private final GraphDatabase database;

  RunIngest(GraphDatabase database) {
    this.database = database;
  }

  /**
   * Loads runs in one transaction; those that are there already change nothing.
   *
   * @param runs of which at most the first depends on what is known before it
   */
  LoadResult load(List<ProgramRun> runs) {
    return LoadAttempts.run(runs.size(), () -> attempt(runs));
  }

  private LoadResult attempt(List<ProgramRun> runs) {
    try (GraphTransaction tx = database.begin()) {
      ElementBackfill shared = new ElementBackfill(tx);
      Map<String, RunMapping> mappings = new LinkedHashMap<>();
      for (ProgramRun run : runs) {
        RunMapping mapping = new RunMapping(tx, shared, run);
        mappings.putIfAbsent(mapping.processId(), mapping);
      }
      if (tx.vertexKeys(mappings.keySet()).length > 0) {
        mappings.keySet().removeIf(process -> tx.incarnations(process).length > 0);
      }
      int unchanged = runs.size() - mappings.size();
      if (mappings.isEmpty()) {
        return new LoadResult(0, unchanged, 0, 0);
      }
      mappings.values().forEach(RunMapping::ask);
      shared.write();
      LoadResult result = new LoadResult(0, unchanged, shared.addedVertices(), shared.addedEdges());
      for (RunMapping mapping : mappings.values()) {
        result = result.plus(mapping.write());
      }
      tx.commit();
      return result;
    }
  }
}
