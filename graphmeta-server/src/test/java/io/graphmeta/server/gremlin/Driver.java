package io.graphmeta.server.gremlin;

import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** TinkerPop's Java driver, connected. */
final class Driver implements AutoCloseable {
  final Cluster cluster;
  final Client client;
  final GraphTraversalSource g;

  Driver(Cluster.Builder builder) {
    cluster = builder.create();
    client = cluster.connect();
    g = AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, "g"));
  }

  @Override
  public void close() {
    cluster.close();
  }
}
