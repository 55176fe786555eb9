package io.graphmeta.tx;

import io.graphmeta.model.ReadView;
import io.graphmeta.reads.StoredElements;
import io.graphmeta.router.Router;

/**
 * The writing side of a transaction, made with its first write: the classes that check writes and
 * take them into one {@link WriteBuffer}, put together. Belongs to the thread of its transaction.
 */
final class ElementWrites {
  private final GivenIds ids;
  private final EdgeEnds ends;
  private final VertexWrites vertices;
  private final VertexPropertyWrites properties;
  private final EdgeWrites edges;
  private final VariableStore variables;

  ElementWrites(
      StoredElements stored,
      SnapshotReads reads,
      WriteBuffer writes,
      TransactionNames names,
      TransactionLimits limits) {
    Router router = stored.router();
    ReadView snapshot = reads.snapshot();
    WriteGate gate = new WriteGate(writes, limits);
    Lifetimes lifetimes = new Lifetimes(stored.lookup(), writes, snapshot, reads.seen());
    LifetimeRules rules = new LifetimeRules(stored.lookup(), lifetimes, snapshot);
    this.ids = new GivenIds(stored.ids(), writes, lifetimes);
    ValueSlots slots = new ValueSlots(stored.lookup(), stored.decoder(), writes, snapshot);
    this.ends = new EdgeEnds(writes, lifetimes, rules);
    this.edges = new EdgeWrites(router, writes, gate, lifetimes, rules, ids, ends, names);
    this.vertices =
        new VertexWrites(router, reads, writes, gate, lifetimes, rules, ids, names, slots, edges);
    this.properties = new VertexPropertyWrites(stored, snapshot, writes, gate, rules, names, slots);
    this.variables = new VariableStore(reads, vertices, properties);
  }

  GivenIds ids() {
    return ids;
  }

  /**
   * Asks what writes left to be asked, many at a time.
   *
   * @throws io.graphmeta.error.GraphMetaException what a write would have thrown that had asked
   */
  void settle() {
    ends.settle();
    ids.settle();
  }

  VertexWrites vertices() {
    return vertices;
  }

  VertexPropertyWrites properties() {
    return properties;
  }

  EdgeWrites edges() {
    return edges;
  }

  VariableStore variables() {
    return variables;
  }
}
