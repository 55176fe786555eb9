package io.graphmeta.server.gremlin;

import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/** A request that is not evaluated, and what the client is told. */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ResponseStatusCode code;

  private Refusal(ResponseStatusCode code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** The request is not one that a client could mean. */
  static Refusal malformed(String message) {
    return new Refusal(ResponseStatusCode.REQUEST_ERROR_MALFORMED_REQUEST, message);
  }

  /** An argument of the request is missing, of a wrong kind or too large. */
  static Refusal invalid(String message) {
    return new Refusal(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, message);
  }

  /** The request asks for what no client may do here. */
  static Refusal forbidden(String message) {
    return new Refusal(ResponseStatusCode.FORBIDDEN, message);
  }

  /** Nobody has logged in. */
  static Refusal unauthorized() {
    return new Refusal(ResponseStatusCode.UNAUTHORIZED, "Log in first");
  }

  /** The request would be all right at another time. */
  static Refusal busy(String message) {
    return new Refusal(ResponseStatusCode.TOO_MANY_REQUESTS, message);
  }

  ResponseStatusCode code() {
    return code;
  }

  /** The message. */
  String words() {
    return String.valueOf(getMessage());
  }
}
