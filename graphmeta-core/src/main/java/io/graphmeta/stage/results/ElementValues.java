package io.graphmeta.stage.results;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.TypedIds;
import io.graphmeta.protocol.ElementPage;
import java.util.Arrays;

/**
 * Finds the values of one property of an element among its rows. The value of a slot is the version
 * with the latest valid stamp; of several, the version with the latest committed stamp; of several,
 * the last in the page. Values are not copied, but are ranges of the page. Belongs to one thread.
 */
public final class ElementValues {
  private long[] valueIds = new long[4];
  private long[] valid = new long[4];
  private long[] committed = new long[4];
  private int[] starts = new int[4];
  private int[] ends = new int[4];
  private int slots;

  /** Finds the values of a property, and returns how many there are. */
  public int find(ElementPage page, int element, int propertyKeyId) {
    slots = 0;
    for (int row = page.firstRow(element); row < page.firstRow(element + 1); row++) {
      if (page.propertyKey(row) == RowKeys.BODY) {
        findInBody(page, row, propertyKeyId);
      } else if (page.propertyKey(row) == propertyKeyId) {
        findInRow(page, row);
      }
    }
    int present = 0;
    for (int slot = 0; slot < slots; slot++) {
      if (starts[slot] >= 0) {
        starts[present] = starts[slot];
        ends[present++] = ends[slot];
      }
    }
    return present;
  }

  /** The text of the id of a vertex, as users see it written. */
  public static String writtenId(ElementPage page, int element) {
    int body = page.firstRow(element);
    int start = page.valueStart(body);
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(body) - start);
    return (in.getByte() & RowValues.HAS_ID) != 0
        ? TypedIds.written(in.getText())
        : GeneratedIds.ofVertex(page.owner(element));
  }

  private void findInBody(ElementPage page, int row, int propertyKeyId) {
    int start = page.valueStart(row);
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(row) - start);
    if ((in.getByte() & RowValues.HAS_ID) != 0) {
      in.skip(in.getVarInt());
    }
    if (in.remaining() == 0) {
      return;
    }
    for (int count = in.getVarInt(); count > 0; count--) {
      int key = in.getVarInt();
      int length = in.getVarInt();
      if (key == propertyKeyId) {
        int from = page.valueEnd(row) - in.remaining();
        offer(0, page, row, from, from + length);
        return;
      }
      in.skip(length);
    }
  }

  private void findInRow(ElementPage page, int row) {
    int start = page.valueStart(row);
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(row) - start);
    int flags = in.getByte();
    if ((flags & RowValues.TOMBSTONE) != 0) {
      offer(page.valueId(row), page, row, -1, -1);
      return;
    }
    if ((flags & RowValues.HAS_ID) != 0) {
      in.skip(in.getVarInt());
    }
    int from = page.valueEnd(row) - in.remaining();
    if ((flags & RowValues.HAS_META) != 0) {
      ValueCodec.read(in); // the meta-properties behind it are not part of it
      offer(page.valueId(row), page, row, from, page.valueEnd(row) - in.remaining());
    } else {
      offer(page.valueId(row), page, row, from, page.valueEnd(row));
    }
  }

  private void offer(long valueId, ElementPage page, int row, int start, int end) {
    int slot = 0;
    while (slot < slots && valueIds[slot] != valueId) {
      slot++;
    }
    if (slot == slots) {
      if (slots == valid.length) {
        grow();
      }
      slots++;
    } else if (page.valid(row) < valid[slot]
        || page.valid(row) == valid[slot] && page.committed(row) < committed[slot]) {
      return;
    }
    valueIds[slot] = valueId;
    valid[slot] = page.valid(row);
    committed[slot] = page.committed(row);
    starts[slot] = start;
    ends[slot] = end;
  }

  private void grow() {
    int room = slots * 2;
    valueIds = Arrays.copyOf(valueIds, room);
    valid = Arrays.copyOf(valid, room);
    committed = Arrays.copyOf(committed, room);
    starts = Arrays.copyOf(starts, room);
    ends = Arrays.copyOf(ends, room);
  }

  /** Where a value begins in the bytes of the page. */
  public int start(int value) {
    return starts[value];
  }

  /** Where a value ends in the bytes of the page. */
  public int end(int value) {
    return ends[value];
  }
}
