package io.graphmeta.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.Transaction;

/** Where a graph and its elements find the transaction in which to read and write. */
interface RunningTransaction extends Transaction {
  /**
   * The transaction of the caller.
   *
   * @throws IllegalStateException if none is open and none may be opened now
   */
  OpenTransaction running();

  /** Ends what is open, with the graph. */
  void closeAll();
}
