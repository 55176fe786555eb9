package io.graphmeta.server.client;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ConnectionException;
import org.apache.tinkerpop.gremlin.driver.exception.NoHostAvailableException;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.jspecify.annotations.Nullable;

/** A graph that a running server holds. Close it; safe for use by many threads. */
public final class RemoteGraph implements AutoCloseable {
  /** How long to wait for another connection where one was lost. */
  private static final int LOST_MILLIS = 3_000;

  /** What the driver says of requests on a connection that the server has ended. */
  private static final String INACTIVE = "no longer active";

  private final Cluster cluster;
  private final GraphTraversalSource source;

  /**
   * Where a server listens and how to be let in.
   *
   * @param user null where the server asks for none
   * @param tls whether the connection is encrypted
   * @param trustStore PKCS12 file with the certificates to trust; null for those of the Java
   */
  public record Address(
      String host,
      int port,
      @Nullable String user,
      @Nullable String password,
      boolean tls,
      @Nullable Path trustStore,
      @Nullable String trustStorePassword) {}

  private RemoteGraph(Cluster cluster) {
    this.cluster = cluster;
    this.source =
        AnonymousTraversalSource.traversal().with(DriverRemoteConnection.using(cluster, "g"));
  }

  /**
   * Connects and asks for nothing but an answer.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if the server cannot be reached or refuses
   */
  public static RemoteGraph connect(Address address) {
    Cluster.Builder builder =
        Cluster.build(address.host())
            .port(address.port())
            .enableSsl(address.tls())
            .maxWaitForConnection(LOST_MILLIS);
    if (address.user() != null) {
      builder.credentials(address.user(), address.password() == null ? "" : address.password());
    }
    if (address.trustStore() != null) {
      builder.trustStore(address.trustStore().toString()).trustStoreType("PKCS12");
      if (address.trustStorePassword() != null) {
        builder.trustStorePassword(address.trustStorePassword());
      }
    }
    RemoteGraph graph = new RemoteGraph(builder.create());
    try {
      graph.source.inject(0).iterate();
      return graph;
    } catch (RuntimeException e) {
      graph.close();
      throw new GraphMetaException(
          ErrorCode.NOT_FOUND,
          "No answer from a server at "
              + address.host()
              + ":"
              + address.port()
              + " ("
              + message(e)
              + "); expected one that 'graphmeta server' started",
          e);
    }
  }

  /** What the server said of a request that failed, or why it could not be asked. */
  public static String message(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  /** A failed request as an error that says what the server said, or that it says nothing. */
  public static GraphMetaException failed(RuntimeException failure) {
    if (answer(failure) == null && isOfConnection(failure)) {
      return new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "The server does not answer any more ("
              + message(failure)
              + "); expected one that runs until it has answered: ask again",
          failure);
    }
    return new GraphMetaException(ErrorCode.INVALID_ARGUMENT, message(failure), failure);
  }

  /** What the server answered; null if it did not. */
  static @Nullable ResponseException answer(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .filter(ResponseException.class::isInstance)
        .map(ResponseException.class::cast)
        .findFirst()
        .orElse(null);
  }

  private static boolean isOfConnection(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .anyMatch(
            cause ->
                cause instanceof IOException
                    || cause instanceof TimeoutException
                    || cause instanceof ConnectionException
                    || cause instanceof NoHostAvailableException
                    || String.valueOf(cause.getMessage()).contains(INACTIVE));
  }

  /** Traversals that the server runs. */
  public GraphTraversalSource source() {
    return source;
  }

  @Override
  public void close() {
    cluster.close();
  }
}
