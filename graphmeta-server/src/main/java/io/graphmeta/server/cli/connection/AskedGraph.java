package io.graphmeta.server.cli.connection;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.service.GraphMetaServices;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.client.RemoteGraph;
import io.graphmeta.server.gremlin.run.QueryFault;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.jspecify.annotations.Nullable;

/**
 * The graph that a command asks: of a database that this process opens, or of a server, which
 * commits by itself what a query wrote.
 */
public abstract class AskedGraph implements AutoCloseable {

  static AskedGraph of(GraphDatabase database) {
    return new Opened(database);
  }

  static AskedGraph of(RemoteGraph server) {
    return new Served(server);
  }

  /** Traversals in a view, which may write or not. */
  public final GraphTraversalSource source(ViewOptions view, boolean write) {
    GraphTraversalSource source = source(write);
    if (view.asOf() != null) {
      source = source.with("asOf", Stamp.format(view.asOf()));
    }
    if (view.knownAt() != null) {
      source = source.with("knownAt", Stamp.format(view.knownAt()));
    }
    return source;
  }

  /** What a service answers with maps; a parameter that is null is left out. */
  public final List<Map<String, Object>> call(
      ViewOptions view, String service, Map<String, ? extends @Nullable Object> parameters) {
    return call(source(view, false), service, parameters);
  }

  /** As {@link #call}, of a service that writes, and commits by itself. */
  public final List<Map<String, Object>> callToWrite(
      String service, Map<String, ? extends @Nullable Object> parameters) {
    return call(source(true), service, parameters);
  }

  private List<Map<String, Object>> call(
      GraphTraversalSource source,
      String service,
      Map<String, ? extends @Nullable Object> parameters) {
    Map<String, Object> given = new LinkedHashMap<>();
    parameters.forEach(
        (name, value) -> {
          if (value != null) {
            given.put(name, value);
          }
        });
    try {
      List<Map<String, Object>> rows = new ArrayList<>();
      for (Object row : source.call(service, given).toList()) {
        Map<String, Object> map = new LinkedHashMap<>();
        ((Map<?, ?>) row).forEach((key, value) -> map.put((String) key, value));
        rows.add(map);
      }
      return rows;
    } catch (RuntimeException e) {
      throw told(e);
    }
  }

  /** The only map with which a service answers about the graph as a whole. */
  public final Map<String, Object> callOnce(String service) {
    return call(new ViewOptions(), service, Map.of()).get(0);
  }

  /**
   * What a check finds, as {@code graphmeta.check} answers it.
   *
   * @param progress is told the number of rows read so far, where it can be known
   */
  public abstract Map<String, Object> check(LongConsumer progress);

  /**
   * What the comparison of indexes with what is stored finds, as {@code graphmeta.index} answers
   * it.
   *
   * @param name the index; null for all
   * @param progress is told the number of versions compared so far, where it can be known
   */
  public abstract List<Map<String, Object>> checkIndexes(
      @Nullable String name, LongConsumer progress);

  abstract GraphTraversalSource source(boolean write);

  /** Keeps what was written. */
  public abstract void commit();

  /** What to tell a person of a traversal that failed. */
  public abstract RuntimeException told(RuntimeException failure);

  @Override
  public abstract void close();

  private static final class Opened extends AskedGraph {
    private final GraphDatabase database;
    private final GraphMetaGraph graph;

    Opened(GraphDatabase database) {
      this.database = database;
      this.graph = GraphMetaGraph.over(database);
    }

    @Override
    GraphTraversalSource source(boolean write) {
      return graph.traversal().withStrategies(QueryLimits.of(write));
    }

    @Override
    public Map<String, Object> check(LongConsumer progress) {
      return GraphMetaServices.answer(database.check(progress));
    }

    @Override
    public List<Map<String, Object>> checkIndexes(@Nullable String name, LongConsumer progress) {
      return database.indexes().check(name, progress).stream()
          .map(GraphMetaServices::answer)
          .toList();
    }

    @Override
    public void commit() {
      graph.tx().commit();
    }

    @Override
    public RuntimeException told(RuntimeException failure) {
      return !(failure instanceof GraphMetaException) && QueryFault.is(failure)
          ? new GraphMetaException(ErrorCode.INVALID_ARGUMENT, QueryFault.words(failure), failure)
          : failure;
    }

    @Override
    public void close() {
      graph.tx().rollback();
      database.close();
    }
  }

  private static final class Served extends AskedGraph {
    private static final String REFUSED_WRITE = "not read only";

    private final RemoteGraph remote;

    Served(RemoteGraph remote) {
      this.remote = remote;
    }

    @Override
    GraphTraversalSource source(boolean write) {
      return write ? remote.source() : remote.source().withStrategies(ReadOnlyStrategy.instance());
    }

    @Override
    public Map<String, Object> check(LongConsumer progress) {
      return callOnce("graphmeta.check");
    }

    @Override
    public List<Map<String, Object>> checkIndexes(@Nullable String name, LongConsumer progress) {
      Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
      parameters.put("do", "check");
      parameters.put("name", name);
      return call(new ViewOptions(), GraphMetaServices.INDEX, parameters);
    }

    @Override
    public void commit() {
      // Done by the server, before it has answered.
    }

    @Override
    public RuntimeException told(RuntimeException failure) {
      if (failure instanceof GraphMetaException) {
        return failure;
      }
      @Nullable String message = RemoteGraph.message(failure);
      return message.contains(REFUSED_WRITE)
          ? GraphMetaException.invalid("The query writes; give --write to allow it")
          : RemoteGraph.failed(failure);
    }

    @Override
    public void close() {
      remote.close();
    }
  }
}
