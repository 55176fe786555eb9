package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The transport to servers in this process: the caller's thread does the work of the server, so
 * that an embedded graph pays for no hand-over. Safe for use by many threads.
 */
public final class LocalTransport implements Transport {
  private final List<RequestHandler> servers;

  /** A transport to these servers. */
  public LocalTransport(List<? extends RequestHandler> servers) {
    this.servers = List.copyOf(servers);
  }

  @Override
  public CompletableFuture<Response> send(int server, Request request) {
    if (server < 0 || server >= servers.size()) {
      return CompletableFuture.failedFuture(
          GraphMetaException.internal("No server " + server + "; there are " + servers.size()));
    }
    if (Thread.currentThread().isInterrupted()) {
      return CompletableFuture.failedFuture(
          new GraphMetaException(
              ErrorCode.CANCELLED, "The thread was interrupted before its request was sent"));
    }
    try {
      return CompletableFuture.completedFuture(servers.get(server).handle(request));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
