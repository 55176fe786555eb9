package io.graphmeta.stage.results;

import io.graphmeta.frontier.Ways;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.protocol.TupleOrder;
import io.graphmeta.stage.flow.HoldLimit;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The first tuples in an order, of all that are added: collects some more than are wanted, and
 * forgets the last of them from time to time. Belongs to one thread.
 */
final class TopTuples {
  private static final int SLACK = 4096;

  private final TupleOrder order;
  private final long limit;
  private final boolean elementsOnce;
  private final int maxSize;
  private List<Entry> entries = new ArrayList<>();

  /**
   * Nothing added yet.
   *
   * @param elementsOnce whether equal tuples are of one element that was added several times
   */
  TopTuples(PlanResult.Top wanted, boolean elementsOnce, int maxSize) {
    this.order = new TupleOrder(wanted.by());
    this.limit = wanted.limit();
    this.elementsOnce = elementsOnce;
    this.maxSize = maxSize;
  }

  /** A tuple, read once for its order. */
  private record Entry(byte[] tuple, Object[] values, long bulk) {}

  void add(byte[] tuple, long bulk) {
    entries.add(new Entry(tuple, order.values(tuple), bulk));
    if (entries.size() > Math.min(maxSize, limit) + SLACK) {
      trim();
      HoldLimit.require(entries.size(), maxSize);
    }
  }

  int size() {
    return entries.size();
  }

  /** Sorts, counts equal tuples together, and drops what is behind the limit. */
  private void trim() {
    Map<ByteBuffer, Entry> merged = new HashMap<>();
    for (Entry entry : entries) {
      merged.merge(
          ByteBuffer.wrap(entry.tuple()),
          entry,
          (one, other) ->
              elementsOnce
                  ? one
                  : new Entry(one.tuple(), one.values(), Ways.sum(one.bulk(), other.bulk())));
    }
    List<Entry> sorted = new ArrayList<>(merged.values());
    // The element stands first in a tuple, so that what is last does not depend on the way.
    sorted.sort(
        Comparator.comparing(Entry::values, order)
            .thenComparing(Entry::tuple, Arrays::compareUnsigned));
    long ways = 0;
    int kept = 0;
    while (kept < sorted.size() && ways < limit) {
      ways = Ways.sum(ways, sorted.get(kept++).bulk());
    }
    entries = new ArrayList<>(sorted.subList(0, kept));
  }

  /** Whether there are as many as are wanted whose first value passes a test. */
  boolean isSettled(Predicate<Object> test) {
    trim();
    long ways = 0;
    for (Entry entry : entries) {
      if (!test.test(entry.values()[0])) {
        break;
      }
      ways = Ways.sum(ways, entry.bulk());
    }
    return ways >= limit;
  }

  TraversalPage take() {
    trim();
    byte[][] tuples = new byte[entries.size()][];
    long[] bulks = new long[entries.size()];
    Arrays.setAll(tuples, i -> entries.get(i).tuple());
    Arrays.setAll(bulks, i -> entries.get(i).bulk());
    entries = new ArrayList<>();
    return new TraversalPage(0, new long[0], List.of(), tuples, bulks, false);
  }
}
