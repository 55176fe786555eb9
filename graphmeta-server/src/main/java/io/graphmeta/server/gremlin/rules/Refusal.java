package io.graphmeta.server.gremlin.rules;

import io.graphmeta.server.settings.ServerSetting;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * Says that a request is not evaluated, or not to its end, and what the client is told. It has no
 * stack trace: the request is at fault, and not the code that refuses it. Immutable.
 */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ResponseStatusCode code;

  private Refusal(ResponseStatusCode code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  /** The request is not one that a client could mean. */
  public static Refusal malformed(String message) {
    return new Refusal(ResponseStatusCode.REQUEST_ERROR_MALFORMED_REQUEST, message);
  }

  /** An argument of the request is missing, of a wrong kind or too large. */
  public static Refusal invalid(String message) {
    return new Refusal(ResponseStatusCode.REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS, message);
  }

  /** The request asks for what no client may do here. */
  public static Refusal forbidden(String message) {
    return new Refusal(ResponseStatusCode.FORBIDDEN, message);
  }

  /** The client has not logged in. */
  public static Refusal unauthorized() {
    return new Refusal(ResponseStatusCode.UNAUTHORIZED, "Log in first");
  }

  /** The server has no room for the request at the moment. */
  public static Refusal busy(String message) {
    return new Refusal(ResponseStatusCode.TOO_MANY_REQUESTS, message);
  }

  /** The query reads or writes files of the server. */
  static Refusal files() {
    return forbidden(
        "io() reads and writes files of the server, which no client may do; expected a query of the"
            + " graph");
  }

  /** The query holds code of a client. */
  public static Refusal lambda() {
    return forbidden(
        "The traversal holds a lambda, code that no client may run here; expected steps of Gremlin");
  }

  /** Values or traversals of the request are nested too deeply. */
  public static Refusal tooDeep(int maxNesting) {
    return invalid(
        "The request is nested more than "
            + maxNesting
            + " deep ("
            + ServerSetting.MAX_NESTING.key()
            + "); nest less");
  }

  /** The code of the protocol. */
  public ResponseStatusCode code() {
    return code;
  }

  /** What the client reads. */
  public String words() {
    return String.valueOf(getMessage());
  }
}
