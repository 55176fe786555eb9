package io.graphmeta.engine;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a database as far as they answer, for reports on the whole of it that are of use
 * without some of them. A shard whose node is away once is asked no more: of what lies there
 * nothing is known from then on. Belongs to one thread.
 */
final class AnsweringShards {
  private final Router router;
  private final SortedMap<Integer, String> away = new TreeMap<>();

  AnsweringShards(Router router) {
    this.router = router;
  }

  /**
   * The shards that could not be asked for all, and why in words, in the order of their numbers.
   */
  SortedMap<Integer, String> away() {
    return Collections.unmodifiableSortedMap(away);
  }

  /** Whether a shard is away, so that nothing is known of what lies there. */
  boolean isAway(int shard) {
    return away.containsKey(shard);
  }

  /** An answer of a shard; null if it is away. */
  <R extends Response> @Nullable R ask(int shard, Request request, Class<R> type) {
    return ask(shard, () -> router.call(shard, request, type));
  }

  /** What is asked of a shard by itself; null if it is away. */
  <R> @Nullable R ask(int shard, Supplier<R> asked) {
    if (isAway(shard)) {
      return null;
    }
    try {
      return asked.get();
    } catch (GraphMetaException e) {
      if (!e.code().isAway()) {
        throw e;
      }
      away.put(shard, String.valueOf(e.getMessage()));
      return null;
    }
  }
}
