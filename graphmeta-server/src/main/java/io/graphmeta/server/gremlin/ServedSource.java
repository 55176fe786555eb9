package io.graphmeta.server.gremlin;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;

/** The {@code g} of clients, with what restricts it. */
final class ServedSource {
  private ServedSource() {}

  static GraphTraversalSource of(GraphMetaGraph graph, ServerSettings settings) {
    QueryLimits limits = QueryLimits.of(settings);
    GraphTraversalSource source =
        graph
            .traversal()
            .withStrategies(
                new NoFilesStrategy(), new AskedLimitsStrategy(limits), new LimitStrategy(limits));
    return settings.isTrue(ServerSetting.READ_ONLY)
        ? source.withStrategies(ReadOnlyStrategy.instance())
        : source;
  }
}
