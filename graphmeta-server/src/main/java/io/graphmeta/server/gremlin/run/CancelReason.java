package io.graphmeta.server.gremlin.run;

import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Why a query was ended before it was done.
 *
 * @param kind what metrics and the audit log call it
 * @param code code of the protocol
 * @param message what the client reads
 */
record CancelReason(String kind, ResponseStatusCode code, String message) {
  static final CancelReason DISCONNECTED =
      new CancelReason(
          "disconnected", ResponseStatusCode.SERVER_ERROR, "The connection was closed");
  static final CancelReason SHUTDOWN =
      new CancelReason(
          "shutdown",
          ResponseStatusCode.SERVER_ERROR_TEMPORARY,
          "The server is shutting down; the query was cancelled and wrote nothing");
  static final CancelReason SESSION_CLOSED =
      new CancelReason(
          "session-closed",
          ResponseStatusCode.SERVER_ERROR,
          "The session was closed; what it had not committed is rolled back");
  static final CancelReason MEMORY =
      new CancelReason(
          "memory",
          ResponseStatusCode.SERVER_ERROR_EVALUATION,
          "The query was cancelled because memory ran short; ask for less at a time");

  static CancelReason timeout(long millis) {
    return new CancelReason(
        "timeout",
        ResponseStatusCode.SERVER_ERROR_TIMEOUT,
        "The request took longer than the "
            + millis
            + " ms allowed (evaluationTimeout); ask for less at a time");
  }
}
