package io.graphmeta.gremlin.suite;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.search.IndexKind;
import io.graphmeta.tx.GraphTransaction;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Indexes over each property that a vertex of a label has, of all kinds, built before a transaction
 * begins: with {@code -Dgraphmeta.suite-indexes=true} the suites run on graphs that have them.
 */
final class IndexedGraphs {
  /** Whether the suites are to run with indexes. */
  static final boolean WANTED = Boolean.getBoolean("graphmeta.suite-indexes");

  private static final Set<IndexKind> KINDS =
      EnumSet.of(IndexKind.EXACT, IndexKind.RANGE, IndexKind.FRAGMENT);
  private static final long BUILD_SECONDS = 30;
  private static final long PAUSE_NANOS = 1_000_000;

  private IndexedGraphs() {}

  /** A transaction on a graph of which all that is committed is indexed. */
  static synchronized GraphTransaction begin(GraphDatabase database) {
    Set<String> missing = names(database);
    for (IndexStatus index : database.indexes().list()) {
      missing.remove(index.definition().name());
    }
    missing.forEach(name -> database.indexes().create(name, KINDS));
    if (!missing.isEmpty()) {
      awaitBuilt(database);
    }
    return database.begin();
  }

  private static Set<String> names(GraphDatabase database) {
    Set<String> names = new TreeSet<>();
    try (GraphTransaction tx = database.begin();
        ElementCursor<VertexRecord> vertices = tx.scanVertices(Set.of(), tx.snapshot())) {
      for (VertexRecord next = vertices.next(); next != null; next = vertices.next()) {
        for (PropertyRecord property : next.properties()) {
          if (!next.label().contains(".") && !property.key().contains(".")) {
            names.add(next.label() + "." + property.key());
          }
        }
      }
    }
    return names;
  }

  private static void awaitBuilt(GraphDatabase database) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BUILD_SECONDS);
    while (!database.indexes().list().stream().allMatch(IndexStatus::isBuilt)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("Not built in time: " + database.indexes().list());
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
