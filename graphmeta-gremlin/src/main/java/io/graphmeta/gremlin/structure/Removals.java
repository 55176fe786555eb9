package io.graphmeta.gremlin.structure;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/**
 * Runs removals. To remove an element twice is no error: a traversal may meet an edge from both
 * ends.
 */
final class Removals {
  private Removals() {}

  /** True if there was something to remove. */
  static boolean ifPresent(Runnable removal) {
    try {
      removal.run();
      return true;
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }
}
