package io.graphmeta.gremlin.structure;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import org.apache.tinkerpop.gremlin.structure.util.TemporaryException;
import org.apache.tinkerpop.gremlin.structure.util.TransactionException;

/**
 * A commit that failed for a reason that may have gone when the transaction is run again, most
 * often because another transaction changed the same property first. Nothing was written. Gremlin
 * Server tells its drivers that they may retry.
 */
public final class RetryableTransactionException extends TransactionException
    implements TemporaryException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  RetryableTransactionException(GraphMetaException cause) {
    super(cause.getMessage(), cause);
    this.code = cause.code();
  }

  /** Why the commit failed. */
  public ErrorCode code() {
    return code;
  }
}
