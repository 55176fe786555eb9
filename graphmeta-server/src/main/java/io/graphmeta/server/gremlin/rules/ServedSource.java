package io.graphmeta.server.gremlin.rules;

import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;

/**
 * The {@code g} of clients, with what restricts it. Immutable.
 *
 * @param graph which is queried
 * @param any for queries that may write, where the settings let them
 * @param reading for queries that only read
 */
public record ServedSource(
    GraphMetaGraph graph, GraphTraversalSource any, GraphTraversalSource reading) {
  /** The source of a graph, with the limits that the settings have. */
  public static ServedSource of(GraphMetaGraph graph, ServerSettings settings) {
    QueryLimits limits = QueryLimits.of(settings);
    GraphTraversalSource source =
        graph
            .traversal()
            .withStrategies(
                new NoFilesStrategy(), new AskedLimitsStrategy(limits), new LimitStrategy(limits));
    if (settings.isTrue(ServerSetting.READ_ONLY)) {
      source = source.withStrategies(ReadOnlyStrategy.instance());
    }
    return new ServedSource(graph, source, source.withStrategies(new NoWritesStrategy()));
  }
}
