package io.graphmeta.tx;

import io.graphmeta.reads.StoredElements;
import io.graphmeta.router.Router;
import io.graphmeta.traversal.TraversalClient;

/** Begins transactions on the graph behind a router. Safe for use by many threads. */
public final class Transactions {
  private final StoredElements stored;
  private final TraversalClient traversals;
  private final TransactionLimits limits;

  /** Transactions that keep these limits. */
  public Transactions(Router router, TransactionLimits limits) {
    this.stored = StoredElements.of(router);
    this.traversals = new TraversalClient(router, limits.maxFrontier(), limits.maxOpenTraversals());
    this.limits = limits;
  }

  /** A transaction over a snapshot of now. */
  public GraphTransaction begin() {
    return new BufferedTransaction(stored, traversals, limits);
  }
}
