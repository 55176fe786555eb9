package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.ValueOrder;
import java.util.Comparator;
import java.util.List;

/**
 * The order of the tuples of a plan for the first in an order: an element and the values that it is
 * ordered by, each behind its length. Immutable.
 */
public final class TupleOrder implements Comparator<Object[]> {
  private final List<PlanResult.Ordering> by;

  /** The order by some properties, the first of which decides first. */
  public TupleOrder(List<PlanResult.Ordering> by) {
    this.by = List.copyOf(by);
  }

  /** The values that a tuple is ordered by. */
  public Object[] values(byte[] tuple) {
    ByteReader in = new ByteReader(tuple, 0, tuple.length);
    in.skip(in.getVarInt());
    Object[] values = new Object[by.size()];
    for (int i = 0; i < values.length; i++) {
      in.getVarInt();
      values[i] = ValueCodec.read(in);
    }
    return values;
  }

  @Override
  public int compare(Object[] one, Object[] other) {
    for (int i = 0; i < one.length; i++) {
      int order = ValueOrder.INSTANCE.compare(one[i], other[i]);
      if (order != 0) {
        return by.get(i).descending() ? -order : order;
      }
    }
    return 0;
  }
}
