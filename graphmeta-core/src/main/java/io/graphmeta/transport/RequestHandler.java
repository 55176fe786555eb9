package io.graphmeta.transport;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;

/** A server's side of the seam. Called by many threads. */
@FunctionalInterface
public interface RequestHandler {
  /**
   * Answers a request.
   *
   * @throws io.graphmeta.error.GraphMetaException if it cannot be done
   */
  Response handle(Request request);
}
