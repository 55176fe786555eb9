package io.graphmeta.tx;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.time.Stamp;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When elements exist, as a transaction sees it: read once, then kept up with its own writes.
 * Bounded: what was only read is forgotten when there is too much of it. Belongs to the thread of
 * its transaction.
 */
final class Lifetimes {
  private static final int MAX_READ = 1 << 16;

  private final StoredReads reads;
  private final ReadView snapshot;
  private final Map<Object, Lifetime> written = new HashMap<>();
  private final Map<Object, Lifetime> read = new HashMap<>();

  Lifetimes(StoredReads reads, ReadView snapshot) {
    this.reads = reads;
    this.snapshot = snapshot;
  }

  Lifetime ofVertex(long vertex) {
    Lifetime known = known(vertex);
    if (known != null) {
      return known;
    }
    Lifetime[] found = {Lifetime.NEVER};
    reads.vertices(
        new long[] {vertex},
        snapshot,
        Detail.BODIES,
        (page, e, position) -> found[0] = Lifetime.ofHistory(page, e));
    return keep(vertex, found[0]);
  }

  Lifetime ofEdge(EdgeKey edge) {
    Lifetime known = known(edge);
    if (known != null) {
      return known;
    }
    Lifetime[] found = {Lifetime.NEVER};
    reads.edges(
        List.of(edge),
        snapshot,
        Detail.BODIES,
        (page, e, position) -> found[0] = Lifetime.ofHistory(page, e));
    return keep(edge, found[0]);
  }

  private @Nullable Lifetime known(Object element) {
    Lifetime own = written.get(element);
    return own != null ? own : read.get(element);
  }

  private Lifetime keep(Object element, Lifetime lifetime) {
    if (read.size() >= MAX_READ) {
      read.clear();
    }
    read.put(element, lifetime);
    return lifetime;
  }

  void created(Object element, long valid) {
    long begin = PendingElement.comparable(valid);
    written.put(element, new Lifetime(begin, Stamp.MAX, begin));
  }

  void extend(Object element, long valid) {
    Lifetime known = java.util.Objects.requireNonNull(known(element));
    written.put(element, new Lifetime(valid, known.end(), known.newestBody()));
  }

  void end(Object element, long valid) {
    Lifetime known = known(element);
    if (known == null) {
      known = new Lifetime(Stamp.MIN, Stamp.MAX, Stamp.MIN);
    }
    // An end at the commit lies behind all that is stored, and before all that comes.
    long end = valid == Stamp.AT_COMMIT ? Stamp.MAX - 1 : valid;
    written.put(
        element, new Lifetime(known.begin(), Math.min(known.end(), end), known.newestBody()));
  }

  void forget(Object element) {
    written.put(element, Lifetime.NEVER);
  }
}
