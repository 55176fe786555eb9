package io.graphmeta.engine;

import io.graphmeta.router.Router;

/** The indexes of shards that no database has opened. */
public final class IndexesOver {
  private IndexesOver() {}

  /** Those that a router reaches. */
  public static Indexes of(Router router) {
    return new RoutedIndexes(router, () -> {});
  }
}
