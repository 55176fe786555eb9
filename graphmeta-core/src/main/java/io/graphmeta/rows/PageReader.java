package io.graphmeta.rows;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.RowUnits;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests for elements and rows of one shard, a page at a time, from the rows of the store
 * or from the cache of them. Pages end when they reach their limit of bytes, or up to a quarter
 * above it by what was cached together. Safe for use by many threads.
 */
public final class PageReader {
  private static final byte[] NONE = new byte[0];

  /** About the least that an element takes of a page, in bytes. */
  private static final int LEAST_ELEMENT_BYTES = 64;

  private final StorageEngine storage;
  private final SplitTable splits;
  private final Supplier<RowUnits> units;
  private final int pageBytes;

  /** A reader of a store, with a cache over the same store. */
  public PageReader(StorageEngine storage, SplitTable splits, AdjacencyCache cache, int pageBytes) {
    this(storage, splits, cache::rows, pageBytes);
  }

  private PageReader(
      StorageEngine storage, SplitTable splits, Supplier<RowUnits> units, int pageBytes) {
    this.storage = storage;
    this.splits = splits;
    this.units = units;
    this.pageBytes = pageBytes;
  }

  /**
   * A reader that reads nothing of the store, and takes no lock: it throws {@link
   * io.graphmeta.adjacency.NotCachedException} where not all is in the cache.
   */
  public static PageReader ofCache(
      StorageEngine storage, SplitTable splits, AdjacencyCache cache, int pageBytes) {
    return new PageReader(storage, splits, cache::rowsOnly, pageBytes);
  }

  private ElementPage.Builder page(int expectedElements, boolean edges) {
    return new ElementPage.Builder(
        Math.min(expectedElements, Math.max(16, pageBytes / LEAST_ELEMENT_BYTES)), edges);
  }

  private ElementSource source(
      Family family, ReadView view, Detail detail, ElementPage.Builder page) {
    return new ElementSource(storage, units.get(), family, view, detail, page, pageBytes / 4);
  }

  /** Vertices by id. */
  public ElementPage findVertices(Request.FindVertices find) {
    List<String> ids = find.ids();
    ElementPage.Builder page = page(ids.size() - find.fromIndex(), false);
    try (ElementSource source = source(Family.ATTRIBUTES, find.view(), Detail.PROPERTIES, page)) {
      IdRows rows = new IdRows(storage, units, ids, RowKeys::vertexIdKey);
      for (int i = find.fromIndex(); i < ids.size(); i++) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(i, NONE));
        }
        byte[] vertices = rows.value(i);
        // The youngest first: it is the one that counts unless the view lies in the past.
        for (int at = vertices.length - 8; at >= 0; at -= 8) {
          if (source.addVertex(i, BigEndian.getLong(vertices, at))) {
            break;
          }
        }
      }
    }
    return page.build(null);
  }

  /** Edges by id. */
  public ElementPage findEdges(Request.FindEdges find) {
    List<String> ids = find.ids();
    ElementPage.Builder page = page(ids.size() - find.fromIndex(), true);
    try (ElementSource source = source(Family.OUT, find.view(), Detail.PROPERTIES, page)) {
      IdRows rows = new IdRows(storage, units, ids, RowKeys::edgeIdKey);
      byte[] key = new byte[RowKeys.EDGE_KEY_BYTES];
      for (int i = find.fromIndex(); i < ids.size(); i++) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(i, NONE));
        }
        byte[] edges = rows.value(i);
        for (int at = edges.length - key.length; at >= 0; at -= key.length) {
          System.arraycopy(edges, at, key, 0, key.length);
          EdgeKey edge = RowKeys.edgeKey(key, 0);
          boolean found =
              (splits.isTrivial() || isHere(edge, find.view())) && source.addEdge(i, key);
          splits.requireKept(edge.out(), true, find.view().snapshot());
          if (found) {
            break;
          }
        }
      }
    }
    return page.build(null);
  }

  /** Vertices by key. */
  public ElementPage readVertices(Request.ReadVertices read) {
    ElementPage.Builder page = page(read.keys().length - read.fromIndex(), false);
    try (ElementSource source = source(Family.ATTRIBUTES, read.view(), read.detail(), page)) {
      for (int i = read.fromIndex(); i < read.keys().length; i++) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(i, NONE));
        }
        source.addVertex(i, read.keys()[i]);
      }
    }
    return page.build(null);
  }

  /**
   * Edges by key.
   *
   * @throws GraphMetaException {@code MISPLACED} if one of them belongs to another shard
   */
  public ElementPage readEdges(Request.ReadEdges read) {
    List<EdgeKey> keys = read.keys();
    if (splits.places().shards() > 1) {
      requireHere(keys.subList(read.fromIndex(), keys.size()), read.view());
    }
    ElementPage.Builder page = page(keys.size() - read.fromIndex(), true);
    try (ElementSource source = source(Family.OUT, read.view(), read.detail(), page)) {
      for (int i = read.fromIndex(); i < keys.size(); i++) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(i, NONE));
        }
        source.addEdge(i, RowKeys.edgeKeyBytes(keys.get(i)));
        splits.requireKept(keys.get(i).out(), true, read.view().snapshot());
      }
    }
    return page.build(null);
  }

  /** Before anything is answered: what is not here is asked for elsewhere, and nothing twice. */
  private void requireHere(List<EdgeKey> keys, ReadView view) {
    for (EdgeKey key : keys) {
      if (!isHere(key, view)) {
        throw splits.misplaced(key.out());
      }
    }
  }

  private boolean isHere(EdgeKey key, ReadView view) {
    return splits.isHere(key.out(), true, key.in(), view.snapshot());
  }

  /** The edges of vertices in one direction. */
  public ElementPage expand(Request.Expand expand) {
    long[] frontier = expand.frontier();
    ElementPage.Builder page = page(Math.max(8, frontier.length * 4), true);
    Family family = expand.outgoing() ? Family.OUT : Family.IN;
    try (ElementSource source = source(family, expand.view(), expand.detail(), page)) {
      byte[] resume = expand.from().key();
      boolean refer = !expand.partOnly() && !splits.isTrivial();
      for (int i = expand.from().index(); i < frontier.length; i++) {
        if (refer && resume.length == 0) {
          if (page.sizeBytes() >= pageBytes) {
            return page.build(new Position(i, NONE));
          }
          refer(expand, i, page);
        }
        Position next = expandVertex(source, expand, i, resume, page);
        splits.requireKept(frontier[i], expand.outgoing(), expand.view().snapshot());
        if (next != null) {
          return page.build(next);
        }
        resume = NONE;
      }
    }
    return page.build(null);
  }

  private @Nullable Position expandVertex(
      ElementSource source,
      Request.Expand expand,
      int index,
      byte[] resume,
      ElementPage.Builder page) {
    long vertex = expand.frontier()[index];
    LongPredicate here = splits.entriesHere(vertex, expand.outgoing(), expand.view().snapshot());
    int[] labels = expand.labelIds();
    int resumeLabel = resume.length == 0 ? 0 : BigEndian.getShort(resume, 8);
    for (int l = 0; l < Math.max(1, labels.length); l++) {
      int label = labels.length == 0 ? 0 : labels[l];
      if (label != 0 && label < resumeLabel) {
        continue;
      }
      boolean resuming = resume.length > 0 && (label == 0 || label == resumeLabel);
      byte[] next =
          source.addEdges(index, vertex, label, resuming ? resume : NONE, here, pageBytes);
      if (next != null) {
        return new Position(index, next);
      }
    }
    return null;
  }

  private void refer(Request.Expand expand, int index, ElementPage.Builder page) {
    long vertex = expand.frontier()[index];
    for (int other : splits.elsewhere(vertex, expand.outgoing(), expand.view().snapshot())) {
      page.refer(index, other);
    }
  }

  /** The vertices of a label, or all, by rising keys. */
  public ElementPage scanVertices(Request.ScanVertices scan) {
    ElementPage.Builder page = new ElementPage.Builder(256, false);
    try (ElementReader reader = new ElementReader(storage, Family.ATTRIBUTES, Scope.FAMILY)) {
      byte[] start = scan.from().key();
      if (start.length == 0) {
        start = new byte[8];
        BigEndian.putLong(start, 0, VertexKeys.firstOfLabel(scan.labelId()));
      }
      reader.seek(start, start.length);
      while (reader.hasElement()) {
        if (scan.labelId() != 0
            && VertexKeys.labelId(BigEndian.getLong(reader.key(), 0)) != scan.labelId()) {
          break;
        }
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(0, reader.elementKey()));
        }
        reader.read(scan.view(), scan.detail(), 0, page);
      }
    }
    return page.build(null);
  }

  /**
   * Those of some vertices that a view sees, in pages like those of a scan.
   *
   * @param keys rising in unsigned order
   * @param from where to go on: a key of a vertex
   */
  public ElementPage scanAmong(long[] keys, ReadView view, Detail detail, Position from) {
    ElementPage.Builder page = page(keys.length, false);
    try (ElementSource source = source(Family.ATTRIBUTES, view, detail, page)) {
      for (int i = from.key().length == 0 ? 0 : firstAt(keys, from); i < keys.length; i++) {
        if (page.sizeBytes() >= pageBytes) {
          byte[] next = new byte[8];
          BigEndian.putLong(next, 0, keys[i]);
          return page.build(new Position(0, next));
        }
        source.addVertex(0, keys[i]);
      }
    }
    return page.build(null);
  }

  /**
   * The vertices of a label, deleted ones too, with what some views see of them.
   *
   * @param keys those that are looked at, rising in unsigned order; null for all of the label
   */
  public ElementPage searchDuring(Request.SearchDuring search, long @Nullable [] keys) {
    ElementPage.Builder page = new ElementPage.Builder(256, false);
    byte[] start = new byte[8];
    if (keys == null) {
      try (ElementReader reader = new ElementReader(storage, Family.ATTRIBUTES, Scope.FAMILY)) {
        BigEndian.putLong(start, 0, VertexKeys.firstOfLabel(search.labelId()));
        byte[] from = search.from().key();
        reader.seek(from.length == 0 ? start : from, 8);
        while (reader.hasElement()
            && VertexKeys.labelId(BigEndian.getLong(reader.key(), 0)) == search.labelId()) {
          if (page.sizeBytes() >= pageBytes) {
            return page.build(new Position(0, reader.elementKey()));
          }
          reader.readDuring(search.views(), page);
        }
      }
      return page.build(null);
    }
    try (ElementReader reader = new ElementReader(storage, Family.ATTRIBUTES, Scope.VERTEX)) {
      byte[] from = search.from().key();
      for (int i = from.length == 0 ? 0 : firstAt(keys, search.from()); i < keys.length; i++) {
        BigEndian.putLong(start, 0, keys[i]);
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(0, start));
        }
        if (reader.seek(start, 8)) {
          reader.readDuring(search.views(), page);
        }
      }
    }
    return page.build(null);
  }

  /**
   * Those of some edges that belong here and that a view sees, in pages like those of a scan.
   *
   * @param keys rising in unsigned order
   * @param from where to go on: a key of an edge, or what one begins with
   */
  public ElementPage scanAmong(byte[][] keys, ReadView view, Detail detail, Position from) {
    ElementPage.Builder page = page(keys.length, true);
    int found = Arrays.binarySearch(keys, from.key(), Arrays::compareUnsigned);
    try (ElementSource source = source(Family.OUT, view, detail, page)) {
      for (int i = found < 0 ? -found - 1 : found; i < keys.length; i++) {
        if (page.sizeBytes() >= pageBytes) {
          splits.requireAllKept(view.snapshot());
          return page.build(new Position(0, keys[i]));
        }
        if (splits.isTrivial() || isHere(RowKeys.edgeKey(keys[i], 0), view)) {
          source.addEdge(0, keys[i]);
        }
      }
    }
    splits.requireAllKept(view.snapshot());
    return page.build(null);
  }

  private static int firstAt(long[] keys, Position from) {
    long key = BigEndian.getLong(from.key(), 0);
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Long.compareUnsigned(keys[middle], key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The edges of some labels, or all, by rising keys. */
  public ElementPage scanEdges(Request.ScanEdges scan) {
    ElementPage.Builder page = new ElementPage.Builder(256, true);
    Set<Integer> labels = scan.labelIds();
    try (ElementReader reader = new ElementReader(storage, Family.OUT, Scope.FAMILY)) {
      byte[] start = scan.from().key();
      reader.seek(start, start.length);
      boolean trivial = splits.isTrivial();
      LongPredicate here = null;
      for (long owner = 0; reader.hasElement(); ) {
        if (page.sizeBytes() >= pageBytes) {
          splits.requireAllKept(scan.view().snapshot());
          return page.build(new Position(0, reader.elementKey()));
        }
        if (!trivial && owner != BigEndian.getLong(reader.key(), 0)) {
          owner = BigEndian.getLong(reader.key(), 0);
          here = splits.entriesHere(owner, true, scan.view().snapshot());
        }
        if (here != null && !here.test(BigEndian.getLong(reader.key(), 10))) {
          reader.pass();
          continue;
        }
        boolean wanted = labels.isEmpty() || labels.contains(BigEndian.getShort(reader.key(), 8));
        if (reader.read(scan.view(), scan.detail(), 0, page) && !wanted) {
          page.dropElement();
        }
      }
    }
    splits.requireAllKept(scan.view().snapshot());
    return page.build(null);
  }

  /** All elements that ids were ever given to, as stored. */
  public Response.Rows incarnations(Request.Incarnations request) {
    List<String> ids = request.ids();
    IdRows rows =
        new IdRows(
            storage, units, ids, request.edges() ? RowKeys::edgeIdKey : RowKeys::vertexIdKey);
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    long bytes = 0;
    for (int i = request.fromIndex(); i < ids.size(); i++) {
      if (bytes >= pageBytes) {
        return rows(keys, values, new Position(i, NONE));
      }
      keys.add(rows.key(i));
      values.add(rows.value(i));
      bytes += rows.key(i).length + rows.value(i).length + 32L;
    }
    return rows(keys, values, null);
  }

  /** Raw rows by key; an empty array for a key that is not there. */
  public Response.Rows probe(Family family, byte[][] keys) {
    return rows(keys, storage.multiGet(family, keys));
  }

  private static Response.Rows rows(byte[][] keys, byte[] @Nullable [] values) {
    byte[][] found = new byte[keys.length][];
    for (int i = 0; i < keys.length; i++) {
      byte[] value = values[i];
      found[i] = value == null ? NONE : value;
    }
    return new Response.Rows(keys, found, null);
  }

  /** Counts a page of rows. */
  public Response.RowSizes measure(Request.MeasureRows measure) {
    return new RowMeasure(storage, splits, measure, pageBytes).page();
  }

  /** Raw rows of a family, by rising keys. */
  public Response.Rows scanRows(Request.ScanRows scan) {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    long bytes = 0;
    try (RowCursor cursor = storage.cursor(scan.family(), Scope.FAMILY)) {
      boolean more = cursor.seek(scan.from().key(), scan.from().key().length);
      while (more) {
        byte[] key = Arrays.copyOf(cursor.key(), cursor.keyLength());
        if (bytes >= pageBytes) {
          return rows(keys, values, new Position(0, key));
        }
        byte[] value = Arrays.copyOf(cursor.value(), cursor.valueLength());
        keys.add(key);
        values.add(value);
        bytes += key.length + value.length + 32L;
        more = cursor.next();
      }
    }
    return rows(keys, values, null);
  }

  private static Response.Rows rows(
      List<byte[]> keys, List<byte[]> values, @Nullable Position next) {
    return new Response.Rows(keys.toArray(new byte[0][]), values.toArray(new byte[0][]), next);
  }
}
