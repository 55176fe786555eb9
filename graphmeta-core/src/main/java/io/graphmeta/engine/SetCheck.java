package io.graphmeta.engine;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks for values that are in a set twice at a time, in the rows of vertices in the order of their
 * keys. Holds the values of one set of one vertex at a time. Belongs to one thread.
 */
final class SetCheck {
  private final CheckFaults faults;
  private final IntFunction<String> names;
  private final Map<Object, List<Span>> spans = new HashMap<>();
  private long vertex;
  private int property;
  private long valueId;
  private long end = Stamp.MAX;
  private long valid;
  private long committed;
  private byte @Nullable [] held;

  /** When a slot held a value: from a stamp on, up to another. */
  private record Span(long from, long to) {}

  /**
   * A check of sets.
   *
   * @param names of property keys
   */
  SetCheck(CheckFaults faults, IntFunction<String> names) {
    this.faults = faults;
    this.names = names;
  }

  /**
   * The next row of a vertex. Of the versions of a slot those that became true last come first; of
   * several that became true at once the one that was learned of last counts, in whichever order.
   */
  void row(byte[] key, byte[] value) {
    long nextVertex = BigEndian.getLong(key, 0);
    int nextProperty = ElementLayout.VERTEX.propertyKeyId(key);
    long nextValueId = ElementLayout.VERTEX.valueId(key);
    if (nextVertex != vertex || nextProperty != property) {
      finish();
    } else if (nextValueId != valueId) {
      endSlot();
    }
    vertex = nextVertex;
    property = nextProperty;
    valueId = nextValueId;
    if (property == RowKeys.BODY) {
      return;
    }
    long nextValid = ElementLayout.VERTEX.valid(key);
    long nextCommitted = ElementLayout.VERTEX.committed(key, key.length);
    if (held == null || nextValid != valid) {
      endVersion();
    } else if (nextCommitted < committed) {
      return;
    }
    valid = nextValid;
    committed = nextCommitted;
    held = value;
  }

  private void endVersion() {
    if (held != null) {
      if ((held[0] & RowValues.OF_SET) != 0) {
        read(held, new Span(valid, end));
      }
      end = valid;
    }
    held = null;
  }

  private void endSlot() {
    endVersion();
    end = Stamp.MAX;
  }

  private void read(byte[] value, Span span) {
    try {
      ByteReader in = new ByteReader(value, 0, value.length);
      if ((in.getByte() & RowValues.HAS_ID) != 0) {
        in.skip(in.getVarInt());
      }
      spans.computeIfAbsent(ValueCodec.read(in), v -> new ArrayList<>(1)).add(span);
    } catch (GraphMetaException e) {
      // RowCheck, which reads all of the row, reports it.
    }
  }

  /** After the last row. */
  void finish() {
    endSlot();
    spans.forEach(this::compare);
    spans.clear();
  }

  /** Those of one slot do not overlap. */
  private void compare(Object value, List<Span> ofValue) {
    if (ofValue.size() == 1) {
      return;
    }
    ofValue.sort(Comparator.comparingLong(Span::from));
    long to = 0;
    for (Span span : ofValue) {
      if (span.from() < to) {
        faults.add(
            "Vertex "
                + GeneratedIds.ofVertex(vertex)
                + " has an equal value twice in the set '"
                + names.apply(property)
                + "' at "
                + Stamp.format(span.from())
                + ", of type "
                + value.getClass().getSimpleName());
        return;
      }
      to = Math.max(to, span.to());
    }
  }
}
