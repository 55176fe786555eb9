package io.graphmeta.adjacency;

/**
 * That what was asked for is not all in the cache, where only the cache may be asked. Tells nothing
 * more, and has no stack trace: it is no fault, and often.
 */
public final class NotCachedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  static final NotCachedException INSTANCE = new NotCachedException();

  private NotCachedException() {
    super("It is not in the cache", null, false, false);
  }
}
