package io.graphmeta.gremlin.structure;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.TypedIds;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;
import org.jspecify.annotations.Nullable;

/**
 * The engine's errors as those that TinkerPop lays down, each with the engine's as its cause. Pure.
 */
final class StructureErrors {
  private StructureErrors() {}

  /**
   * What to throw instead of an error of the engine.
   *
   * @param id the id of the element at fault, if known
   */
  static RuntimeException translate(
      RuntimeException error, Class<? extends Element> kind, @Nullable Object id) {
    if (!(error instanceof GraphMetaException failure)) {
      return error;
    }
    RuntimeException standard =
        switch (failure.code()) {
          case ALREADY_EXISTS ->
              kind == Vertex.class
                  ? Graph.Exceptions.vertexWithIdAlreadyExists(shown(id))
                  : Graph.Exceptions.edgeWithIdAlreadyExists(shown(id));
          case NOT_FOUND -> removed(kind, id);
          case CANCELLED -> new TraversalInterruptedException();
          default -> null;
        };
    if (standard == null) {
      return error;
    }
    standard.initCause(failure);
    return standard;
  }

  private static @Nullable Object shown(@Nullable Object id) {
    return id instanceof String stored ? TypedIds.given(stored) : id;
  }

  /** An error of a read: an interrupted one as TinkerPop's, any other as it is. */
  static RuntimeException translateRead(RuntimeException error) {
    if (error instanceof GraphMetaException failure && failure.code() == ErrorCode.CANCELLED) {
      RuntimeException interrupted = new TraversalInterruptedException();
      interrupted.initCause(failure);
      return interrupted;
    }
    return error;
  }

  /** A failed end of a transaction, with whether it can be run again. */
  static TransactionException failed(String operation, GraphMetaException cause) {
    return cause.isRetryable()
        ? new RetryableTransactionException(cause)
        : new TransactionException("The " + operation + " failed: " + cause.getMessage(), cause);
  }

  /** The error of asking for, or writing to, an element that is not there any more. */
  static IllegalStateException removed(Class<? extends Element> kind, @Nullable Object id) {
    return new IllegalStateException(
        kind.getSimpleName() + " with id " + shown(id) + " was removed; expected one that exists");
  }

  /** The stored form of a value; TinkerPop's error for a type that is not stored. */
  static Object stored(JavaTypes types, String key, Object value) {
    try {
      return types.stored(key, value);
    } catch (GraphMetaException e) {
      throw Property.Exceptions.dataTypeOfPropertyValueNotSupported(value, e);
    }
  }

  /** The error of a write through an element of the past. */
  static GraphMetaException readOnly(Object element) {
    return new GraphMetaException(
        ErrorCode.READ_ONLY_VIEW,
        "Element "
            + element
            + " was read from the past and cannot be changed; expected an element that was read without"
            + " with('asOf', ...) or with('knownAt', ...)");
  }
}
