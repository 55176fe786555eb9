package io.graphmeta.stage.results;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.frontier.Ways;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTests;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.rows.PageReader;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.flow.HoldLimit;
import io.graphmeta.stage.program.Wanted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a traversal found on this shard: a count, elements, or tuples, equal ones counted together.
 * Pages of it are taken away. Belongs to one thread at a time.
 */
public final class Results {
  private static final byte[] NONE = {};

  /** About what a vertex with its rows takes at least. */
  private static final int VERTEX_BYTES = 128;

  private final Wanted wanted;
  private final int maxSize;
  private final LongBulkMap vertices;
  private final Map<EdgeKey, long[]> edges = new LinkedHashMap<>();
  private final Map<Tuple, long[]> tuples = new HashMap<>();
  private final @Nullable TopTuples top;
  private final @Nullable ReducedValues reduced;
  private final int reducedKey;
  private final ElementValues values = new ElementValues();
  private long found;
  private volatile boolean stopped;
  private long count;
  private @Nullable VertexBatch drained;
  private int drainedAt;

  /**
   * Nothing found yet.
   *
   * @param elementsOnce whether each element counts once, however often it is added
   * @param maxSize most vertices, edges or tuples that are held
   */
  public Results(Wanted wanted, boolean elementsOnce, int maxSize) {
    this.wanted = wanted;
    this.maxSize = maxSize;
    this.vertices = new LongBulkMap(true, maxSize);
    PlanResult result = wanted.result();
    this.top =
        result instanceof PlanResult.Top first ? new TopTuples(first, elementsOnce, maxSize) : null;
    this.reduced =
        result instanceof PlanResult.Reduced of ? ReducedValues.of(of.reduction()) : null;
    this.reducedKey = result instanceof PlanResult.Reduced of ? wanted.propertyKey(of.key()) : 0;
  }

  /** Ways found so far. */
  public long found() {
    return found;
  }

  /** No more are wanted. */
  public void stop() {
    stopped = true;
  }

  /** Whether no more are wanted. */
  public boolean isFull() {
    boolean untold = wanted.isCount() && count == Ways.TOO_MANY;
    return stopped || untold || !wanted.isAll() && found >= wanted.most();
  }

  /** Adds to the count, of a plan that counts. */
  public void addCount(long more) {
    count = Ways.sum(count, more);
    found = count;
  }

  /** Adds a text that so many elements have, of a plan that counts the values of a property. */
  public void addText(String text, long number) {
    if (number > 0) {
      addTuple(column(text), number);
    }
  }

  /**
   * Whether elements whose values lie behind a value in the order of a property do not matter any
   * more: of a plan for the first in this order, all that are wanted lie before it; of one for the
   * greatest or least value, one does.
   *
   * @param falling whether greater values come first
   */
  public boolean isSettled(boolean falling, Object last) {
    ValueTest isBefore =
        new ValueTest.Compare(
            falling ? Comparison.GREATER_OR_EQUAL : Comparison.LESS_OR_EQUAL, last);
    Predicate<Object> test = ValueTests.compiled(isBefore);
    return top != null ? top.isSettled(test) : reduced != null && reduced.hasOne(test);
  }

  /** Adds neighbours as they are, of a plan that wants elements. */
  public void addVertices(long[] keys, int from, int to, long bulk) {
    vertices.addAll(keys, from, to, bulk);
    found = Ways.sum(found, Ways.product(to - from, bulk));
  }

  /**
   * Adds vertices.
   *
   * @param rows where values that are wanted of them are read
   */
  public void add(VertexBatch batch, PageReader rows, ReadView view) {
    if (wanted.isCount()) {
      addCount(batch.bulk());
    } else if (wanted.isElements()) {
      for (int i = 0; i < batch.size(); i++) {
        vertices.add(batch.keys()[i], batch.bulk(i));
      }
      found = Ways.sum(found, batch.bulk());
    } else if (wanted.needsRows()) {
      Request.Position from = Request.Position.START;
      while (from != null) {
        ElementPage page =
            rows.readVertices(
                new Request.ReadVertices(batch.keys(), view, Detail.PROPERTIES, from.index()));
        for (int e = 0; e < page.elements(); e++) {
          project(NONE, 0, page.owner(e), null, page, e, batch.bulk(page.source(e)));
        }
        from = page.next();
      }
    } else {
      for (int i = 0; i < batch.size(); i++) {
        project(NONE, 0, batch.keys()[i], null, null, 0, batch.bulk(i));
      }
    }
  }

  /** Adds edges, with their rows if values in rows are wanted of them. */
  public void add(EdgeBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (wanted.isCount()) {
        addCount(batch.bulks()[i]);
      } else if (wanted.isElements()) {
        merge(edges, batch.key(i), batch.bulks()[i]);
        found = Ways.sum(found, batch.bulks()[i]);
      } else if (!wanted.needsRows()) {
        project(NONE, 0, 0, batch.key(i), null, 0, batch.bulks()[i]);
      } else if (batch.hasRows(i)) {
        project(NONE, 0, 0, batch.key(i), batch.page(i), batch.element(i), batch.bulks()[i]);
      }
    }
  }

  /** Adds all of another, which is empty afterwards; if they can be put together. */
  public void takeAll(Results other) {
    count = Ways.sum(count, other.count);
    vertices.addAll(other.vertices.drain());
    other.edges.forEach((edge, bulk) -> merge(edges, edge, bulk[0]));
    other.tuples.forEach((tuple, bulk) -> merge(tuples, tuple, bulk[0]));
    found = Ways.sum(found, other.found);
    other.count = 0;
    other.edges.clear();
    other.tuples.clear();
    other.found = 0;
  }

  private <K> void merge(Map<K, long[]> into, K key, long bulk) {
    long[] held = into.computeIfAbsent(key, any -> new long[1]);
    held[0] = Ways.sum(held[0], bulk);
    HoldLimit.require(into.size(), maxSize);
  }

  /** Adds the tuples of an element that begin with given columns. */
  private void project(
      byte[] columnsSoFar,
      int column,
      long vertex,
      @Nullable EdgeKey edge,
      @Nullable ElementPage page,
      int element,
      long bulk) {
    if (reduced != null) {
      reduce(reduced, page, element, bulk);
      return;
    }
    if (column == wanted.columns().size()) {
      addTuple(columnsSoFar, bulk);
      return;
    }
    Projection projection = wanted.columns().get(column);
    if (projection instanceof Projection.Self) {
      byte[] key = edge != null ? RowKeys.edgeKeyBytes(edge) : longBytes(vertex);
      byte[] next = with(columnsSoFar, key, 0, key.length);
      project(next, column + 1, vertex, edge, page, element, bulk);
    } else if (projection instanceof Projection.Label) {
      byte[] id = new byte[2];
      BigEndian.putShort(id, 0, edge != null ? edge.labelId() : VertexKeys.labelId(vertex));
      project(with(columnsSoFar, id, 0, 2), column + 1, vertex, edge, page, element, bulk);
    } else if (projection instanceof Projection.Id && page != null) {
      byte[] id = id(vertex, edge, page, element);
      project(with(columnsSoFar, id, 0, id.length), column + 1, vertex, edge, page, element, bulk);
    } else if (page != null) {
      boolean each = projection instanceof Projection.EachValue;
      String key =
          projection instanceof Projection.EachValue of
              ? of.key()
              : ((Projection.FirstValue) projection).key();
      List<byte[]> alternatives = new ArrayList<>(1);
      int number = values.find(page, element, wanted.propertyKey(key));
      for (int i = 0; i < (each ? number : Math.min(1, number)); i++) {
        alternatives.add(
            with(columnsSoFar, page.data(), values.start(i), values.end(i) - values.start(i)));
      }
      for (byte[] next : alternatives) {
        project(next, column + 1, vertex, edge, page, element, bulk);
      }
    }
  }

  private void reduce(ReducedValues into, @Nullable ElementPage page, int element, long bulk) {
    int number = page == null ? 0 : values.find(page, element, reducedKey);
    for (int i = 0; i < number && page != null; i++) {
      int start = values.start(i);
      int length = values.end(i) - start;
      if (into.take(ValueCodec.read(new ByteReader(page.data(), start, length)), bulk)) {
        found = Ways.sum(found, bulk);
      } else {
        addTuple(with(NONE, page.data(), start, length), bulk);
      }
    }
  }

  private void keepReduced(Object value, long bulk) {
    tuples.merge(
        new Tuple(column(value)),
        new long[] {bulk},
        (held, more) -> new long[] {Ways.sum(held[0], more[0])});
  }

  /** A tuple of one value. */
  private static byte[] column(Object value) {
    ByteWriter out = new ByteWriter(16, Integer.MAX_VALUE - 8);
    ValueCodec.write(out, value);
    byte[] bytes = out.toArray();
    return with(NONE, bytes, 0, bytes.length);
  }

  /** The id of an element as a stored value. */
  private static byte[] id(long vertex, @Nullable EdgeKey edge, ElementPage page, int element) {
    int body = page.firstRow(element);
    int start = page.valueStart(body);
    ByteReader in = new ByteReader(page.data(), start, page.valueEnd(body) - start);
    ByteWriter value = new ByteWriter(32);
    if ((in.getByte() & RowValues.HAS_ID) != 0) {
      ValueCodec.write(value, in.getText());
    } else {
      ValueCodec.write(
          value, edge == null ? GeneratedIds.ofVertex(vertex) : GeneratedIds.ofEdge(edge));
    }
    return value.toArray();
  }

  private static byte[] longBytes(long value) {
    byte[] bytes = new byte[8];
    BigEndian.putLong(bytes, 0, value);
    return bytes;
  }

  private static byte[] with(byte[] columns, byte[] from, int offset, int length) {
    return new ByteWriter(columns.length + length + 5, Integer.MAX_VALUE - 8)
        .putBytes(columns, 0, columns.length)
        .putVarInt(length)
        .putBytes(from, offset, length)
        .toArray();
  }

  private void addTuple(byte[] columnsOfIt, long bulk) {
    if (top != null) {
      top.add(columnsOfIt, bulk);
      found = top.size();
      return;
    }
    merge(tuples, new Tuple(columnsOfIt), bulk);
    found = Ways.sum(found, bulk);
  }

  /** Bytes that are equal by content. */
  private record Tuple(byte[] bytes) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Tuple tuple && Arrays.equals(bytes, tuple.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }

  /**
   * Takes away the next results, of about so many bytes.
   *
   * @param rows where the properties of vertices are read, if they are wanted
   */
  public TraversalPage take(int pageBytes, PageReader rows, ReadView view) {
    if (wanted.isCount()) {
      long taken = count;
      count = 0;
      return new TraversalPage(taken, new long[0], List.of(), new byte[0][], new long[0], false);
    } else if (top != null) {
      return top.take();
    }
    if (reduced != null) {
      reduced.drain(this::keepReduced);
    }
    if (!tuples.isEmpty()) {
      return takeTuples(pageBytes);
    } else if (!edges.isEmpty()) {
      return takeEdges(pageBytes);
    }
    return takeVertices(pageBytes, rows, view);
  }

  private TraversalPage takeVertices(int pageBytes, PageReader rows, ReadView view) {
    VertexBatch batch = drained;
    if (batch == null) {
      if (vertices.size() == 0) {
        return TraversalPage.EMPTY;
      }
      batch = vertices.drainSorted();
      drainedAt = 0;
    }
    boolean withRows = !wanted.isElementsAlone();
    long room = Math.max(1L, pageBytes / (withRows ? VERTEX_BYTES : 16));
    VertexBatch page = batch.range(drainedAt, (int) Math.min(batch.size(), drainedAt + room));
    ElementPage read = null;
    if (withRows) {
      read = rows.readVertices(new Request.ReadVertices(page.keys(), view, Detail.PROPERTIES, 0));
      Request.Position next = read.next();
      page = next == null ? page : page.range(0, next.index());
    }
    drainedAt += page.size();
    drained = drainedAt < batch.size() ? batch : null;
    return new TraversalPage(
        0, page.keys(), List.of(), new byte[0][], bulks(page), drained != null, read);
  }

  private static long[] bulks(VertexBatch page) {
    long[] bulks = page.bulks();
    return bulks == null ? new long[0] : bulks;
  }

  private TraversalPage takeEdges(int pageBytes) {
    List<EdgeKey> keys = new ArrayList<>();
    List<long[]> bulks = new ArrayList<>();
    Iterator<Map.Entry<EdgeKey, long[]>> all = edges.entrySet().iterator();
    while (all.hasNext() && keys.size() < Math.max(1, pageBytes / 40)) {
      Map.Entry<EdgeKey, long[]> entry = all.next();
      keys.add(entry.getKey());
      bulks.add(entry.getValue());
      all.remove();
    }
    return new TraversalPage(
        0,
        new long[0],
        keys,
        new byte[0][],
        bulks.stream().mapToLong(bulk -> bulk[0]).toArray(),
        !edges.isEmpty());
  }

  private TraversalPage takeTuples(int pageBytes) {
    List<byte[]> page = new ArrayList<>();
    List<long[]> bulks = new ArrayList<>();
    long bytes = 0;
    Iterator<Map.Entry<Tuple, long[]>> all = tuples.entrySet().iterator();
    while (all.hasNext() && bytes < pageBytes) {
      Map.Entry<Tuple, long[]> entry = all.next();
      page.add(entry.getKey().bytes());
      bulks.add(entry.getValue());
      bytes += entry.getKey().bytes().length + 16;
      all.remove();
    }
    return new TraversalPage(
        0,
        new long[0],
        List.of(),
        page.toArray(new byte[0][]),
        bulks.stream().mapToLong(bulk -> bulk[0]).toArray(),
        !tuples.isEmpty());
  }
}
