package io.graphmeta.rows;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.EdgeKey;
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
import org.jspecify.annotations.Nullable;

/**
 * Answers reads from the rows of a store. Pages end when they reach their limit of bytes. Safe for
 * use by many threads.
 */
public final class RowReads {
  private static final byte[] NONE = new byte[0];

  private final StorageEngine storage;
  private final SplitTable splits;
  private final int pageBytes;

  public RowReads(StorageEngine storage, SplitTable splits, int pageBytes) {
    this.storage = storage;
    this.splits = splits;
    this.pageBytes = pageBytes;
  }

  public ElementPage findVertices(Request.FindVertices find) {
    ElementPage.Builder page = new ElementPage.Builder(find.ids().size(), false);
    try (ElementReader reader = new ElementReader(storage, Family.ATTRIBUTES, Scope.VERTEX)) {
      byte[] key = new byte[8];
      for (int i = 0; i < find.ids().size(); i++) {
        byte[] vertices = storage.get(Family.IDS, RowKeys.vertexIdKey(find.ids().get(i)));
        // The youngest first: it is the one that counts unless the view lies in the past.
        for (int at = vertices == null ? -8 : vertices.length - 8;
            at >= 0 && vertices != null;
            at -= 8) {
          System.arraycopy(vertices, at, key, 0, 8);
          if (reader.seek(key, 8) && reader.read(find.view(), Detail.PROPERTIES, i, page)) {
            break;
          }
        }
      }
    }
    return page.build(null);
  }

  public ElementPage findEdges(Request.FindEdges find) {
    ElementPage.Builder page = new ElementPage.Builder(find.ids().size(), true);
    try (ElementReader reader = new ElementReader(storage, Family.OUT, Scope.VERTEX)) {
      byte[] key = new byte[RowKeys.EDGE_KEY_BYTES];
      for (int i = 0; i < find.ids().size(); i++) {
        byte[] edges = storage.get(Family.IDS, RowKeys.edgeIdKey(find.ids().get(i)));
        for (int at = edges == null ? -1 : edges.length - key.length;
            at >= 0 && edges != null;
            at -= key.length) {
          System.arraycopy(edges, at, key, 0, key.length);
          if (seekElement(reader, key) && reader.read(find.view(), Detail.PROPERTIES, i, page)) {
            break;
          }
        }
      }
    }
    return page.build(null);
  }

  public ElementPage readVertices(Request.ReadVertices read) {
    ElementPage.Builder page =
        new ElementPage.Builder(read.keys().length - read.fromIndex(), false);
    try (ElementReader reader = new ElementReader(storage, Family.ATTRIBUTES, Scope.VERTEX)) {
      byte[] key = new byte[8];
      for (int i = read.fromIndex(); i < read.keys().length; i++) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(i, NONE));
        }
        BigEndian.putLong(key, 0, read.keys()[i]);
        if (reader.seek(key, 8)) {
          reader.read(read.view(), read.detail(), i, page);
        }
      }
    }
    return page.build(null);
  }

  public ElementPage readEdges(Request.ReadEdges read) {
    List<EdgeKey> keys = read.keys();
    ElementPage.Builder page = new ElementPage.Builder(keys.size() - read.fromIndex(), true);
    try (ElementReader reader = new ElementReader(storage, Family.OUT, Scope.VERTEX)) {
      for (int i = read.fromIndex(); i < keys.size(); i++) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(i, NONE));
        }
        if (seekElement(reader, RowKeys.edgeKeyBytes(keys.get(i)))) {
          reader.read(read.view(), read.detail(), i, page);
        }
      }
    }
    return page.build(null);
  }

  private static boolean seekElement(ElementReader reader, byte[] elementKey) {
    return reader.seek(elementKey, elementKey.length)
        && Arrays.equals(reader.key(), 0, elementKey.length, elementKey, 0, elementKey.length);
  }

  public ElementPage expand(Request.Expand expand) {
    long[] frontier = expand.frontier();
    ElementPage.Builder page =
        new ElementPage.Builder(Math.max(8, Math.min(1024, frontier.length * 4)), true);
    Family family = expand.outgoing() ? Family.OUT : Family.IN;
    try (ElementReader reader = new ElementReader(storage, family, Scope.VERTEX)) {
      byte[] resume = expand.from().key();
      for (int i = expand.from().index(); i < frontier.length; i++) {
        Position next = expandVertex(reader, expand, i, resume, page);
        if (next != null) {
          return page.build(next);
        }
        resume = NONE;
      }
    }
    return page.build(null);
  }

  private @Nullable Position expandVertex(
      ElementReader reader,
      Request.Expand expand,
      int index,
      byte[] resume,
      ElementPage.Builder page) {
    byte[] start = new byte[10];
    BigEndian.putLong(start, 0, expand.frontier()[index]);
    int[] labels = expand.labelIds();
    int resumeLabel = resume.length == 0 ? 0 : BigEndian.getShort(resume, 8);
    for (int l = 0; l < Math.max(1, labels.length); l++) {
      int label = labels.length == 0 ? 0 : labels[l];
      if (label != 0 && label < resumeLabel) {
        continue;
      }
      boolean resuming = resume.length > 0 && (label == 0 || label == resumeLabel);
      BigEndian.putShort(start, 8, label);
      boolean more =
          resuming ? reader.seek(resume, resume.length) : reader.seek(start, label == 0 ? 8 : 10);
      while (more && (label == 0 || BigEndian.getShort(reader.key(), 8) == label)) {
        if (page.sizeBytes() >= pageBytes) {
          return new Position(index, reader.elementKey());
        }
        reader.read(expand.view(), expand.detail(), index, page);
        more = reader.hasElement();
      }
    }
    return null;
  }

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

  public ElementPage scanEdges(Request.ScanEdges scan) {
    ElementPage.Builder page = new ElementPage.Builder(256, true);
    Set<Integer> labels = scan.labelIds();
    try (ElementReader reader = new ElementReader(storage, Family.OUT, Scope.FAMILY)) {
      byte[] start = scan.from().key();
      reader.seek(start, start.length);
      while (reader.hasElement()) {
        if (page.sizeBytes() >= pageBytes) {
          return page.build(new Position(0, reader.elementKey()));
        }
        boolean wanted = labels.isEmpty() || labels.contains(BigEndian.getShort(reader.key(), 8));
        if (reader.read(scan.view(), scan.detail(), 0, page) && !wanted) {
          page.dropElement();
        }
      }
    }
    return page.build(null);
  }

  public Response.Rows incarnations(Request.Incarnations request) {
    byte[][] keys = new byte[request.ids().size()][];
    for (int i = 0; i < keys.length; i++) {
      String id = request.ids().get(i);
      keys[i] = request.edges() ? RowKeys.edgeIdKey(id) : RowKeys.vertexIdKey(id);
    }
    return probe(Family.IDS, keys);
  }

  public Response.Rows probe(Family family, byte[][] keys) {
    byte[][] values = storage.multiGet(family, keys);
    byte[][] found = new byte[keys.length][];
    for (int i = 0; i < keys.length; i++) {
      byte[] value = values[i];
      found[i] = value == null ? NONE : value;
    }
    return new Response.Rows(keys, found, null);
  }

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
