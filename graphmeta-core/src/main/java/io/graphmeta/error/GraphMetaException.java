package io.graphmeta.error;

import org.jspecify.annotations.Nullable;

/**
 * An operation that could not be done and changed nothing. The message names the value at fault,
 * what was expected and what to do; the {@linkplain #code() code} is for programs.
 */
public final class GraphMetaException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /** An error with its code and its message. */
  public GraphMetaException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /** An error with its code, its message and the failure that caused it. */
  public GraphMetaException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** Bad input: what was given, what was expected. */
  public static GraphMetaException invalid(String message) {
    return new GraphMetaException(ErrorCode.INVALID_ARGUMENT, message);
  }

  /** A write to a database that was opened to be read. */
  public static GraphMetaException readOnly() {
    return new GraphMetaException(
        ErrorCode.READ_ONLY_DATABASE,
        "The database was opened to be read; open it without graphmeta.read-only to write");
  }

  /** A state that only a defect of GraphMeta can bring about. */
  public static GraphMetaException internal(String message) {
    return new GraphMetaException(ErrorCode.INTERNAL, message);
  }

  /** The same error as thrown by this thread, with this one as its cause. */
  public GraphMetaException again() {
    return new GraphMetaException(code, String.valueOf(getMessage()), this);
  }

  /** The cause, for programs. */
  public ErrorCode code() {
    return code;
  }

  /** True when running the transaction again may succeed. */
  public boolean isRetryable() {
    return code.category() == ErrorCode.Category.RETRY;
  }
}
