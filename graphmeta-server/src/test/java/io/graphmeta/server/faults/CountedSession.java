package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;

/**
 * A session that counts a vertex of its own up wherever it is handed on to, and what is known of
 * the count. Used by who has it, one at a time.
 */
final class CountedSession {
  static final String KEY = "count";

  final String vertex;
  String token;
  private long count;

  /** What may be there instead of the count that was acknowledged last, since nobody said. */
  private final Set<Long> unknown = new TreeSet<>();

  CountedSession(String vertex, String token) {
    this.vertex = vertex;
    this.token = token;
  }

  /** Fails unless a count that was read is the last one, or may be there. */
  void requireTold(long read, Object where) {
    if (!unknown.contains(read)) {
      assertThat(read).as("%s at %s, after %s", vertex, where, token).isEqualTo(count);
    }
  }

  /** A count that was never there. */
  long next() {
    return 1 + unknown.stream().reduce(count, Math::max);
  }

  void acknowledged(long next, String tokenThen) {
    token = tokenThen;
    count = next;
    unknown.clear();
  }

  void unknown(long next) {
    unknown.add(next);
  }
}
