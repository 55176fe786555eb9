package io.graphmeta.server.faults;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * A program that has opened the graph of a cluster, as several do at a time: it has a session of
 * its own, in which it sees what it was told. Safe for use by many threads.
 */
final class Client implements AutoCloseable {
  final String name;
  final GraphDatabase database;
  final GraphMetaGraph graph;
  private final LongAccumulator acknowledged = new LongAccumulator(Math::max, 0);

  Client(String name, GraphMetaConfig config) {
    this(name, GraphDatabases.open(config));
  }

  /** One of several over a database in this process. */
  Client(String name, GraphDatabase database) {
    this.name = name;
    this.database = database;
    this.graph = GraphMetaGraph.over(database);
  }

  /** It was told that a commit happened at a stamp. */
  void acknowledge(long stamp) {
    acknowledged.accumulate(stamp);
  }

  /** The greatest stamp of a commit that it was told of. */
  long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    graph.close();
    database.close();
  }
}
