package io.graphmeta.transport;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;

/** Sends requests to servers. Safe for use by many threads. */
public interface Transport {
  /**
   * Sends a request. The future completes with the response, or with a {@link
   * io.graphmeta.error.GraphMetaException}, or never: callers set their own deadline.
   *
   * @param server number of the server, from 0
   */
  CompletableFuture<Response> send(int server, Request request);
}
