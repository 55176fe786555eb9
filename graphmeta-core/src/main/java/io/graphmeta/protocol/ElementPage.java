package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Elements with their visible rows, in columns. Element {@code e} has the rows {@code firstRow(e)}
 * to {@code firstRow(e + 1)}, bodies first; values are ranges of {@link #data}. Immutable once
 * built.
 */
public final class ElementPage {
  private static final int LEAST_VERTEX_BYTES = 10;
  private static final int LEAST_EDGE_BYTES = 20;
  private static final int LEAST_ROW_BYTES = 12;
  private static final int LEAST_REFERRAL_BYTES = 2;
  private static final int[] NO_REFERRALS = {};

  private final int elements;
  private final int[] source;
  private final long[] owner;
  private final int[] label;
  private final long[] other;
  private final long[] sequence;
  private final int[] firstRow;
  private final int[] propertyKey;
  private final long[] valueId;
  private final long[] valid;
  private final long[] committed;
  private final int[] valueEnd;
  private final byte[] data;
  private final int[] referrals;
  private final Request.@Nullable Position next;

  private ElementPage(Builder built, Request.@Nullable Position next) {
    elements = built.elements;
    source = built.source;
    owner = built.owner;
    label = built.label;
    other = built.other;
    sequence = built.sequence;
    firstRow = built.firstRow;
    propertyKey = built.propertyKey;
    valueId = built.valueId;
    valid = built.valid;
    committed = built.committed;
    valueEnd = built.valueEnd;
    data = built.data;
    referrals =
        built.referrals == NO_REFERRALS
            ? NO_REFERRALS
            : Arrays.copyOf(built.referrals, 2 * built.referralCount);
    this.next = next;
  }

  /** Number of elements. */
  public int elements() {
    return elements;
  }

  /** The position in the request that element {@code e} answers. */
  public int source(int e) {
    return source[e];
  }

  /** The vertex key, or for an edge the key of the vertex whose row it was. */
  public long owner(int e) {
    return owner[e];
  }

  /** The label id of an edge. */
  public int label(int e) {
    return label[e];
  }

  /** The vertex key at the other end of an edge. */
  public long other(int e) {
    return other[e];
  }

  /** The sequence of an edge. */
  public long sequence(int e) {
    return sequence[e];
  }

  /** Compares the keys of two edges that were read at the same end. */
  public int compareEdges(int e, ElementPage that, int thatEdge) {
    int order = Long.compareUnsigned(owner[e], that.owner[thatEdge]);
    order = order != 0 ? order : Integer.compare(label[e], that.label[thatEdge]);
    order = order != 0 ? order : Long.compareUnsigned(other[e], that.other[thatEdge]);
    return order != 0 ? order : Long.compare(sequence[e], that.sequence[thatEdge]);
  }

  /** The first row of element {@code e}; for {@code e == elements()} the number of rows. */
  public int firstRow(int e) {
    return firstRow[e];
  }

  /** The property key id of a row. */
  public int propertyKey(int row) {
    return propertyKey[row];
  }

  /** The value id of a row. */
  public long valueId(int row) {
    return valueId[row];
  }

  /** The valid stamp of a row. */
  public long valid(int row) {
    return valid[row];
  }

  /** The committed stamp of a row. */
  public long committed(int row) {
    return committed[row];
  }

  /** Where the value of a row begins in {@link #data}. */
  public int valueStart(int row) {
    return row == 0 ? 0 : valueEnd[row - 1];
  }

  /** Where the value of a row ends in {@link #data}. */
  public int valueEnd(int row) {
    return valueEnd[row];
  }

  /** The bytes of all values. */
  public byte[] data() {
    return data;
  }

  /**
   * Number of referrals: other shards that hold some of the edges of a vertex in the request. They
   * come with the first page that is about the vertex, by rising positions.
   */
  public int referrals() {
    return referrals.length / 2;
  }

  /** The position in the request of the vertex that a referral is about. */
  public int referredSource(int referral) {
    return referrals[2 * referral];
  }

  /** The shard that holds edges of it. */
  public int referredShard(int referral) {
    return referrals[2 * referral + 1];
  }

  /** Where to go on, or null if this was the last page. */
  public Request.@Nullable Position next() {
    return next;
  }

  /** Whether the elements are edges. */
  boolean isOfEdges() {
    return label.length > 0;
  }

  /** Size of all values, and about that of the rest, in bytes. */
  int sizeBytes() {
    int rows = firstRow[elements];
    return valueStart(rows) + elements * (isOfEdges() ? 24 : 10) + rows * 16 + referrals.length * 4;
  }

  void writeTo(ByteWriter out) {
    boolean edges = isOfEdges();
    int rows = firstRow[elements];
    PositionForm.writeNext(next, out);
    Fields.flag(edges, out);
    out.putVarInt(elements).putVarInt(rows);
    for (int e = 0; e < elements; e++) {
      out.putVarInt(source[e]).putLong(owner[e]);
      if (edges) {
        out.putVarInt(label[e]).putLong(other[e]).putVarLong(sequence[e]);
      }
      out.putVarInt(firstRow[e + 1] - firstRow[e]);
    }
    for (int row = 0; row < rows; row++) {
      long delta = committed[row] - valid[row];
      out.putVarInt(propertyKey[row]).putVarLong(valueId[row]).putLong(valid[row]);
      out.putVarLong(delta << 1 ^ delta >> 63).putVarInt(valueEnd[row] - valueStart(row));
    }
    out.putBytes(data, 0, valueStart(rows));
    out.putVarInt(referrals());
    for (int referral : referrals) {
      out.putVarInt(referral);
    }
  }

  /** A page as written by {@link #writeTo}. */
  static ElementPage readFrom(ByteReader in) {
    Request.Position next = PositionForm.readNext(in);
    boolean edges = Fields.flag(in);
    int elements = Fields.count(in, edges ? LEAST_EDGE_BYTES : LEAST_VERTEX_BYTES);
    int rows = Fields.count(in, LEAST_ROW_BYTES);
    Builder page = new Builder(elements, rows, edges);
    for (int e = 0; e < elements; e++) {
      int source = Fields.index(in, Integer.MAX_VALUE);
      if (edges) {
        page.beginEdge(source, in.getLong(), in.getVarInt(), in.getLong(), in.getVarLong());
      } else {
        page.beginVertex(source, in.getLong());
      }
      page.rows += Fields.index(in, rows - page.rows);
      page.firstRow[e + 1] = page.rows;
    }
    if (page.rows != rows) {
      throw Fields.corrupt("Elements have " + page.rows + " rows; expected " + rows);
    }
    int end = 0;
    for (int row = 0; row < rows; row++) {
      page.propertyKey[row] = in.getVarInt();
      page.valueId[row] = in.getVarLong();
      page.valid[row] = in.getLong();
      long delta = in.getVarLong();
      page.committed[row] = page.valid[row] + (delta >>> 1 ^ -(delta & 1));
      end += Fields.index(in, in.remaining() - end);
      page.valueEnd[row] = end;
    }
    page.data = in.getBytes(end);
    for (int left = Fields.count(in, LEAST_REFERRAL_BYTES); left > 0; left--) {
      page.refer(Fields.index(in, Integer.MAX_VALUE), Fields.index(in, Integer.MAX_VALUE));
    }
    return page.build(next);
  }

  /** Collects elements. Belongs to one thread. */
  public static final class Builder {
    private int elements;
    private int rows;
    private int dataSize;
    private int[] source;
    private long[] owner;
    private int[] label;
    private long[] other;
    private long[] sequence;
    private int[] firstRow;
    private int[] propertyKey;
    private long[] valueId;
    private long[] valid;
    private long[] committed;
    private int[] valueEnd;
    private byte[] data;
    private int[] referrals = NO_REFERRALS;
    private int referralCount;

    /** A builder with room for about so many elements of one row each. */
    public Builder(int expectedElements, boolean edges) {
      this(expectedElements, Math.max(1, expectedElements), edges);
      data = new byte[valid.length * 64];
    }

    private Builder(int expectedElements, int expectedRows, boolean edges) {
      int room = Math.max(1, expectedElements);
      source = new int[room];
      owner = new long[room];
      label = new int[edges ? room : 0];
      other = new long[edges ? room : 0];
      sequence = new long[edges ? room : 0];
      firstRow = new int[room + 1];
      propertyKey = new int[expectedRows];
      valueId = new long[expectedRows];
      valid = new long[expectedRows];
      committed = new long[expectedRows];
      valueEnd = new int[expectedRows];
      data = new byte[0];
    }

    /** Begins a vertex. */
    public void beginVertex(int sourceIndex, long key) {
      if (elements == source.length) {
        growElements();
      }
      source[elements] = sourceIndex;
      owner[elements] = key;
      firstRow[elements] = rows;
      firstRow[++elements] = rows;
    }

    /** Begins an edge. */
    public void beginEdge(
        int sourceIndex, long ownerKey, int labelId, long otherKey, long edgeSequence) {
      beginVertex(sourceIndex, ownerKey);
      if (elements > label.length) {
        label = Arrays.copyOf(label, source.length);
        other = Arrays.copyOf(other, source.length);
        sequence = Arrays.copyOf(sequence, source.length);
      }
      label[elements - 1] = labelId;
      other[elements - 1] = otherKey;
      sequence[elements - 1] = edgeSequence;
    }

    /** Adds a row to the element begun last. */
    public void addRow(
        int key, long id, long validStamp, long committedStamp, byte[] value, int length) {
      addRow(key, id, validStamp, committedStamp, value, 0, length);
    }

    private void addRow(
        int key,
        long id,
        long validStamp,
        long committedStamp,
        byte[] value,
        int offset,
        int length) {
      if (rows == valid.length) {
        growRows();
      }
      makeRoom(length);
      System.arraycopy(value, offset, data, dataSize, length);
      dataSize += length;
      propertyKey[rows] = key;
      valueId[rows] = id;
      valid[rows] = validStamp;
      committed[rows] = committedStamp;
      valueEnd[rows] = dataSize;
      firstRow[elements] = ++rows;
    }

    /** Makes room for so many bytes of values. */
    private void makeRoom(int length) {
      if (dataSize + length > data.length) {
        long wider = Math.max(dataSize + (long) length, data.length * 2L);
        data = Arrays.copyOf(data, (int) Math.min(Integer.MAX_VALUE - 8L, wider));
      }
    }

    /** Drops the row added last. */
    public void dropRow() {
      rows--;
      dataSize = rows == 0 ? 0 : valueEnd[rows - 1];
      firstRow[elements] = rows;
    }

    /** Drops the element begun last and its rows. */
    public void dropElement() {
      elements--;
      rows = firstRow[elements];
      dataSize = rows == 0 ? 0 : valueEnd[rows - 1];
    }

    /** Writes the rows of an element so that {@link #addRows} can add them again. */
    public void writeRows(int element, ByteWriter out) {
      int last = firstRow[element + 1];
      out.putVarInt(last - firstRow[element]);
      for (int row = firstRow[element]; row < last; row++) {
        int start = row == 0 ? 0 : valueEnd[row - 1];
        long delta = committed[row] - valid[row];
        out.putVarInt(propertyKey[row]).putVarLong(valueId[row]).putLong(valid[row]);
        out.putVarLong(delta << 1 ^ delta >> 63).putVarInt(valueEnd[row] - start);
        out.putBytes(data, start, valueEnd[row] - start);
      }
    }

    /** Writes an edge without its owner, so that {@link #addEdges} can add it again. */
    public void writeEdge(int element, ByteWriter out) {
      out.putVarInt(label[element]).putLong(other[element]).putVarLong(sequence[element]);
      writeRows(element, out);
    }

    /** Adds rows written by {@link #writeRows} to the element begun last. */
    public void addRows(ByteReader in) {
      for (int left = in.getVarInt(); left > 0; left--) {
        int key = in.getVarInt();
        long id = in.getVarLong();
        long validStamp = in.getLong();
        long delta = in.getVarLong();
        int length = in.getVarInt();
        int from = in.position();
        in.skip(length);
        addRow(
            key,
            id,
            validStamp,
            validStamp + (delta >>> 1 ^ -(delta & 1)),
            in.array(),
            from,
            length);
      }
    }

    /**
     * Adds edges written by {@link #writeEdge}.
     *
     * @param labelId which of them; 0 for all
     */
    public void addEdges(int sourceIndex, long ownerKey, int labelId, ByteReader in) {
      makeRoom(in.remaining()); // more than their values are
      while (in.remaining() > 0) {
        int edgeLabel = in.getVarInt();
        beginEdge(sourceIndex, ownerKey, edgeLabel, in.getLong(), in.getVarLong());
        addRows(in);
        if (labelId != 0 && edgeLabel != labelId) {
          dropElement();
        }
      }
    }

    /** Tells that another shard holds edges of the vertex at a position of the request. */
    public void refer(int sourceIndex, int shard) {
      if (2 * referralCount == referrals.length) {
        referrals = Arrays.copyOf(referrals, Math.max(8, 4 * referralCount));
      }
      referrals[2 * referralCount] = sourceIndex;
      referrals[2 * referralCount++ + 1] = shard;
    }

    /** Number of elements so far. */
    public int elements() {
      return elements;
    }

    /** Size so far, in bytes, for the limit of a page. */
    public int sizeBytes() {
      return dataSize + elements * 40 + rows * 32 + referralCount * 8;
    }

    /** The page. The builder must not be used again. */
    public ElementPage build(Request.@Nullable Position next) {
      return new ElementPage(this, next);
    }

    private void growElements() {
      int room = source.length * 2;
      source = Arrays.copyOf(source, room);
      owner = Arrays.copyOf(owner, room);
      firstRow = Arrays.copyOf(firstRow, room + 1);
    }

    private void growRows() {
      int room = valid.length * 2;
      propertyKey = Arrays.copyOf(propertyKey, room);
      valueId = Arrays.copyOf(valueId, room);
      valid = Arrays.copyOf(valid, room);
      committed = Arrays.copyOf(committed, room);
      valueEnd = Arrays.copyOf(valueEnd, room);
    }
  }
}
