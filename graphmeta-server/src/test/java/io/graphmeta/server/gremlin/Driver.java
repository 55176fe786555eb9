package io.graphmeta.server.gremlin;

import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

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

  /** Sends a bytecode as it is. */
  List<Result> submit(Bytecode bytecode) throws Exception {
    RequestMessage.Builder message =
        RequestMessage.build(Tokens.OPS_BYTECODE)
            .processor("traversal")
            .addArg(Tokens.ARGS_GREMLIN, bytecode)
            .addArg(Tokens.ARGS_ALIASES, Map.of("g", "g"));
    return client.submitAsync(message.create()).get().all().get();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
