package io.graphmeta.tx;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.ElementLookup;
import io.graphmeta.time.Stamp;
import java.util.Arrays;
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

  /**
   * The end of what this transaction deletes: behind all that is stored, and before all that comes.
   */
  static final long END_AT_COMMIT = Stamp.MAX - 1;

  private final ElementLookup lookup;
  private final WriteBuffer writes;
  private final ReadView snapshot;
  private final SeenVertices seen;
  private final Map<Object, Lifetime> written = new HashMap<>();
  private final Map<Object, Lifetime> read = new HashMap<>();
  private final Map<Object, Long> ends = new HashMap<>();

  Lifetimes(ElementLookup lookup, WriteBuffer writes, ReadView snapshot, SeenVertices seen) {
    this.lookup = lookup;
    this.writes = writes;
    this.snapshot = snapshot;
    this.seen = seen;
  }

  /**
   * Whether a vertex exists now. Of one that the transaction has made, or has read at its snapshot,
   * that is known unless it has ended it since: elements begin once, and the snapshot is now.
   */
  boolean isThere(long vertex) {
    PendingElement pending = writes.vertex(vertex);
    boolean begun = pending != null && pending.isCreated() || seen.contains(vertex);
    return begun
        ? ends.isEmpty() || !ends.containsKey(vertex)
        : ofVertex(vertex).contains(Stamp.MAX);
  }

  /** Whether a vertex that the transaction has not made existed when it began. */
  boolean wasThere(long vertex) {
    if (seen.contains(vertex)) {
      return true;
    }
    if (begun(vertex) == null) {
      readVertices(new long[] {vertex});
    }
    Lifetime begun = begun(vertex);
    return begun != null && begun.contains(Stamp.MAX);
  }

  /** Whether it is known when a vertex exists. */
  boolean knows(long vertex) {
    if (seen.contains(vertex)) {
      return true;
    }
    PendingElement pending = writes.vertex(vertex);
    return pending != null && pending.isCreated() || begun(vertex) != null;
  }

  /** Reads when vertices exist, many at once, before it is asked for. */
  void readVertices(long[] vertices) {
    long[] sorted = vertices.clone();
    Arrays.sort(sorted);
    int count = 0;
    for (int i = 0; i < sorted.length; i++) {
      if ((i == 0 || sorted[i] != sorted[i - 1]) && begun(sorted[i]) == null) {
        sorted[count++] = sorted[i];
      }
    }
    if (count == 0) {
      return;
    }
    long[] unknown = Arrays.copyOf(sorted, count);
    Lifetime[] found = new Lifetime[unknown.length];
    Arrays.fill(found, Lifetime.NEVER);
    lookup.vertices(
        unknown,
        snapshot,
        Detail.BODIES,
        (page, e, position) -> found[position] = Lifetime.ofHistory(page, e));
    for (int i = 0; i < unknown.length; i++) {
      keep(unknown[i], found[i]); // only when all have answered: until then NEVER means nothing
    }
  }

  /** As {@link #readVertices}, of edges. */
  void readEdges(List<EdgeKey> edges) {
    List<EdgeKey> unknown = edges.stream().distinct().filter(key -> begun(key) == null).toList();
    Lifetime[] found = new Lifetime[unknown.size()];
    Arrays.fill(found, Lifetime.NEVER);
    lookup.edges(
        unknown,
        snapshot,
        Detail.BODIES,
        (page, e, position) -> found[position] = Lifetime.ofHistory(page, e));
    for (int i = 0; i < found.length; i++) {
      keep(unknown.get(i), found[i]);
    }
  }

  Lifetime ofVertex(long vertex) {
    PendingElement pending = writes.vertex(vertex);
    Lifetime begun = pending != null && pending.isCreated() ? pending.lifetime() : begun(vertex);
    if (begun == null) {
      Lifetime[] found = {Lifetime.NEVER};
      lookup.vertices(
          new long[] {vertex},
          snapshot,
          Detail.BODIES,
          (page, e, position) -> found[0] = Lifetime.ofHistory(page, e));
      begun = keep(vertex, found[0]);
    }
    return ended(vertex, begun);
  }

  Lifetime ofEdge(EdgeKey edge) {
    PendingElement pending = writes.edge(edge);
    Lifetime begun = pending != null && pending.isCreated() ? pending.lifetime() : begun(edge);
    if (begun == null) {
      Lifetime[] found = {Lifetime.NEVER};
      lookup.edges(
          List.of(edge),
          snapshot,
          Detail.BODIES,
          (page, e, position) -> found[0] = Lifetime.ofHistory(page, e));
      begun = keep(edge, found[0]);
    }
    return ended(edge, begun);
  }

  private @Nullable Lifetime begun(Object element) {
    Lifetime own = written.get(element);
    return own != null ? own : read.get(element);
  }

  private Lifetime ended(Object element, Lifetime begun) {
    Long end = ends.get(element);
    return end == null
        ? begun
        : new Lifetime(begun.begin(), Math.min(begun.end(), end), begun.newestBody());
  }

  private Lifetime keep(Object element, Lifetime lifetime) {
    if (read.size() >= MAX_READ) {
      read.clear();
    }
    read.put(element, lifetime);
    return lifetime;
  }

  /** Notes an earlier begin of an element whose lifetime was asked for before. */
  void extend(Object element, long valid) {
    Lifetime known = begun(element);
    if (known == null) {
      return; // a new element, whose bodies tell
    }
    written.put(element, new Lifetime(valid, known.end(), known.newestBody()));
  }

  void end(Object element, long valid) {
    ends.merge(element, valid == Stamp.AT_COMMIT ? END_AT_COMMIT : valid, Math::min);
  }

  void forget(Object element) {
    written.put(element, Lifetime.NEVER);
    ends.remove(element);
  }
}
