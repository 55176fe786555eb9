package io.graphmeta.server.gremlin.run;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.gremlin.rules.Refusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;

/**
 * How a query failed, as the client is told: a code of the protocol, a message of one cause, and
 * names of exceptions, never a stack trace. Immutable.
 *
 * @param code code of the protocol
 * @param kind what metrics and the audit log call it
 * @param message what the client reads
 * @param attributes more for clients that look
 */
public record Failure(
    ResponseStatusCode code, String kind, String message, Map<String, Object> attributes) {
  private static final int MAX_CAUSES = 32;

  /** A query that was refused. */
  public static Failure of(Refusal refusal) {
    String kind =
        switch (refusal.code()) {
          case TOO_MANY_REQUESTS -> "busy";
          case FORBIDDEN -> "forbidden";
          case UNAUTHORIZED -> "unauthorized";
          default -> "invalid";
        };
    return new Failure(refusal.code(), kind, refusal.words(), Map.of());
  }

  static Failure of(CancelReason reason) {
    return new Failure(reason.code(), reason.kind(), reason.message(), Map.of());
  }

  /** A query that threw. */
  public static Failure of(Throwable thrown) {
    Deque<Throwable> causes = causes(thrown);
    for (Throwable cause : causes) {
      if (cause instanceof Refusal refusal) {
        return of(refusal);
      }
      if (cause instanceof org.apache.tinkerpop.gremlin.process.traversal.Failure failed) {
        return new Failure(
            ResponseStatusCode.SERVER_ERROR_FAIL_STEP,
            "fail-step",
            text(cause),
            Map.of(Tokens.STATUS_ATTRIBUTE_FAIL_STEP_MESSAGE, failed.format()));
      }
      if (cause instanceof TemporaryException
          || cause instanceof GraphMetaException error && error.isRetryable()) {
        return new Failure(
            ResponseStatusCode.SERVER_ERROR_TEMPORARY, "retry", text(cause), names(causes));
      }
      if (cause instanceof StackOverflowError) {
        return of(Refusal.invalid("The request is nested too deeply to be evaluated; nest less"));
      }
    }
    Throwable telling = telling(causes);
    if (QueryFault.is(telling)) {
      return of(Refusal.invalid(QueryFault.words(telling)));
    }
    return new Failure(
        ResponseStatusCode.SERVER_ERROR_EVALUATION, "failed", text(telling), names(causes));
  }

  /**
   * The outermost error of GraphMeta, which has the context of its causes; without one, the deepest
   * cause.
   */
  private static Throwable telling(Deque<Throwable> causes) {
    return causes.stream()
        .filter(GraphMetaException.class::isInstance)
        .findFirst()
        .orElseGet(causes::getLast);
  }

  private static Deque<Throwable> causes(Throwable thrown) {
    Deque<Throwable> causes = new ArrayDeque<>();
    for (Throwable cause = thrown;
        cause != null && causes.size() < MAX_CAUSES;
        cause = cause.getCause()) {
      causes.add(cause);
    }
    return causes;
  }

  private static Map<String, Object> names(Deque<Throwable> causes) {
    return Map.of(
        Tokens.STATUS_ATTRIBUTE_EXCEPTIONS,
        causes.stream().map(cause -> cause.getClass().getName()).toList());
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
