package io.graphmeta.router;

import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.SplitState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a client knows of split vertices: nothing at first, and then what the home of a vertex told
 * when a request went to the wrong shard. The state can be older than that of the shards, but what
 * it says of the past is right. Bounded: everything is forgotten when there is too much of it,
 * which costs more questions and nothing else. Safe for use by many threads.
 */
final class KnownSplits {
  private static final int MAX_KNOWN = 1 << 18;

  private final EntryPlaces places;
  private final Map<Long, SplitState> out = new ConcurrentHashMap<>();
  private final Map<Long, SplitState> in = new ConcurrentHashMap<>();

  KnownSplits(EntryPlaces places) {
    this.places = places;
  }

  EntryPlaces places() {
    return places;
  }

  /** The partitions of a vertex, as far as they are known here. */
  SplitState state(long vertex, boolean outgoing) {
    return (outgoing ? out : in).getOrDefault(vertex, places.initial());
  }

  /** The shard that holds an entry for a reader with a snapshot. */
  int shard(long owner, boolean outgoing, long other, long snapshot) {
    return places.shard(state(owner, outgoing).at(snapshot), owner, other);
  }

  /** Takes note of what the home of a vertex has told. */
  void told(long vertex, boolean outgoing, SplitState state) {
    Map<Long, SplitState> known = outgoing ? out : in;
    if (state.isWhole() || state.equals(places.initial())) {
      known.remove(vertex); // a split that failed, or a graph that was cleared
      return;
    }
    if (known.size() >= MAX_KNOWN) {
      known.clear();
    }
    known.put(vertex, state);
  }

  void clear() {
    out.clear();
    in.clear();
  }
}
