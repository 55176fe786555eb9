package io.graphmeta.engine;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.storage.Family;
import io.graphmeta.time.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads all rows of all servers, page by page, and compares them with one another. Memory is
 * bounded by a page. Belongs to one thread.
 */
final class ConsistencyCheck {
  private static final int MAX_EXAMPLES = 20;
  private static final ReadView EVER = new ReadView(Stamp.MAX, Stamp.MAX);

  private final Router router;
  private final LongConsumer progress;
  private final SchemaImage schema;
  private final List<String> examples = new ArrayList<>();
  private final byte[] lastVertex = new byte[8];
  private long rows;
  private long vertexRows;
  private long outRows;
  private long inRows;
  private long idRows;
  private long livingVertices;
  private long livingEdges;
  private long faults;

  ConsistencyCheck(Router router, LongConsumer progress) {
    this.router = router;
    this.progress = progress;
    this.schema = router.schema();
  }

  CheckReport run() {
    for (int server = 0; server < router.servers(); server++) {
      scan(server, Family.ATTRIBUTES, this::vertexPage);
      scan(server, Family.OUT, page -> edgePage(page, Family.OUT));
      scan(server, Family.IN, page -> edgePage(page, Family.IN));
      scan(server, Family.IDS, this::idPage);
      checkLiving(server);
    }
    return new CheckReport(
        vertexRows,
        outRows,
        inRows,
        idRows,
        livingVertices,
        livingEdges,
        faults,
        List.copyOf(examples));
  }

  private interface PageCheck {
    void check(Response.Rows page);
  }

  private void scan(int server, Family family, PageCheck check) {
    Position from = Position.START;
    while (from != null) {
      Response.Rows page =
          router.call(server, new Request.ScanRows(family, from), Response.Rows.class);
      check.check(page);
      rows += page.keys().length;
      progress.accept(rows);
      from = page.next();
    }
  }

  private void fault(String words) {
    faults++;
    if (examples.size() < MAX_EXAMPLES) {
      examples.add(words);
    }
  }

  // Vertices

  private void vertexPage(Response.Rows page) {
    List<String> ids = new ArrayList<>();
    List<Long> owners = new ArrayList<>();
    for (int i = 0; i < page.keys().length; i++) {
      byte[] key = page.keys()[i];
      vertexRows++;
      if (!ElementLayout.VERTEX.isKeyLength(key.length)) {
        fault("A row of vertices has a key of " + key.length + " bytes");
        continue;
      }
      long vertex = BigEndian.getLong(key, 0);
      int propertyKey = ElementLayout.VERTEX.propertyKeyId(key);
      boolean first = !Arrays.equals(key, 0, 8, lastVertex, 0, 8);
      System.arraycopy(key, 0, lastVertex, 0, 8);
      if (first && propertyKey != RowKeys.BODY) {
        fault("Vertex " + GeneratedIds.ofVertex(vertex) + " has properties but no body");
      }
      if (first && !schema.has(NameKind.VERTEX_LABEL, VertexKeys.labelId(vertex))) {
        fault(
            "Vertex "
                + GeneratedIds.ofVertex(vertex)
                + " has label "
                + VertexKeys.labelId(vertex)
                + ", which is not defined");
      }
      String id =
          readValue(page.values()[i], propertyKey, "vertex " + GeneratedIds.ofVertex(vertex));
      if (id != null && propertyKey == RowKeys.BODY) {
        ids.add(id);
        owners.add(vertex);
      }
    }
    checkIdsLeadBack(ids, owners);
  }

  private void checkIdsLeadBack(List<String> ids, List<Long> owners) {
    for (int i = 0; i < ids.size(); i += 1024) {
      List<String> some = ids.subList(i, Math.min(ids.size(), i + 1024));
      byte[][] stored =
          router.servers() == 1
              ? router.call(0, new Request.Incarnations(some, false), Response.Rows.class).values()
              : some.stream()
                  .map(
                      id ->
                          router.call(
                              router.home(id),
                              new Request.Incarnations(List.of(id), false),
                              Response.Rows.class))
                  .map(answer -> answer.values()[0])
                  .toArray(byte[][]::new);
      for (int j = 0; j < stored.length; j++) {
        if (!containsLong(stored[j], owners.get(i + j))) {
          fault(
              "Id '"
                  + some.get(j)
                  + "' does not lead to its vertex "
                  + GeneratedIds.ofVertex(owners.get(i + j)));
        }
      }
    }
  }

  private static boolean containsLong(byte[] stored, long wanted) {
    for (int at = 0; at + 8 <= stored.length; at += 8) {
      if (BigEndian.getLong(stored, at) == wanted) {
        return true;
      }
    }
    return false;
  }

  /** Reads a whole value for faults; returns the id that it carries, or null. */
  private @Nullable String readValue(byte[] value, int propertyKey, String where) {
    try {
      ByteReader in = new ByteReader(value, 0, value.length);
      int flags = in.getByte();
      if ((flags & RowValues.TOMBSTONE) != 0) {
        return null;
      }
      String id = (flags & RowValues.HAS_ID) != 0 ? in.getText() : null;
      if (propertyKey == RowKeys.BODY) {
        for (int count = in.remaining() == 0 ? 0 : in.getVarInt(); count > 0; count--) {
          checkPropertyKey(in.getVarInt(), where);
          in.getVarInt();
          ValueCodec.read(in);
        }
      } else {
        checkPropertyKey(propertyKey, where);
        ValueCodec.read(in);
        for (int count = (flags & RowValues.HAS_META) == 0 ? 0 : in.getVarInt();
            count > 0;
            count--) {
          checkPropertyKey(in.getVarInt(), where);
          ValueCodec.read(in);
        }
      }
      if (in.remaining() > 0) {
        fault("A value of " + where + " has " + in.remaining() + " bytes too many");
      }
      return id;
    } catch (GraphMetaException e) {
      fault("A value of " + where + " cannot be read: " + e.getMessage());
      return null;
    }
  }

  private void checkPropertyKey(int id, String where) {
    if (!schema.has(NameKind.PROPERTY_KEY, id)) {
      fault("Property key " + id + " of " + where + " is not defined");
    }
  }

  // Edges

  private void edgePage(Response.Rows page, Family family) {
    boolean out = family == Family.OUT;
    Map<Integer, List<byte[]>> mirrorKeys = new HashMap<>();
    Map<Integer, List<Integer>> mirrorRows = new HashMap<>();
    for (int i = 0; i < page.keys().length; i++) {
      byte[] key = page.keys()[i];
      count(out);
      if (!ElementLayout.EDGE.isKeyLength(key.length)) {
        fault("A row of edges has a key of " + key.length + " bytes");
        continue;
      }
      EdgeKey edge = edgeOf(key, out);
      int propertyKey = ElementLayout.EDGE.propertyKeyId(key);
      readValue(page.values()[i], propertyKey, "edge " + GeneratedIds.ofEdge(edge));
      if (!schema.has(NameKind.EDGE_LABEL, edge.labelId())) {
        fault(
            "Edge "
                + GeneratedIds.ofEdge(edge)
                + " has label "
                + edge.labelId()
                + ", which is not defined");
      }
      if (propertyKey == RowKeys.BODY) {
        int home = router.home(out ? edge.in() : edge.out());
        mirrorKeys.computeIfAbsent(home, h -> new ArrayList<>()).add(mirror(key));
        mirrorRows.computeIfAbsent(home, h -> new ArrayList<>()).add(i);
      }
    }
    mirrorKeys.forEach(
        (home, keys) ->
            checkMirrors(page, out, home, keys, Objects.requireNonNull(mirrorRows.get(home))));
    if (out) {
      checkEnds(page);
    }
  }

  private void count(boolean out) {
    if (out) {
      outRows++;
    } else {
      inRows++;
    }
  }

  private static EdgeKey edgeOf(byte[] key, boolean out) {
    long owner = BigEndian.getLong(key, 0);
    long other = BigEndian.getLong(key, 10);
    return new EdgeKey(
        out ? owner : other,
        BigEndian.getShort(key, 8),
        out ? other : owner,
        BigEndian.getFive(key, 18));
  }

  private static byte[] mirror(byte[] key) {
    byte[] mirrored = key.clone();
    System.arraycopy(key, 0, mirrored, 10, 8);
    System.arraycopy(key, 10, mirrored, 0, 8);
    return mirrored;
  }

  private void checkMirrors(
      Response.Rows page, boolean out, int home, List<byte[]> keys, List<Integer> rowsOfKeys) {
    Family other = out ? Family.IN : Family.OUT;
    Request probe = new Request.ProbeRows(other, keys.toArray(new byte[0][]));
    byte[][] mirrored = router.call(home, probe, Response.Rows.class).values();
    for (int i = 0; i < mirrored.length; i++) {
      byte[] key = page.keys()[rowsOfKeys.get(i)];
      byte[] value = page.values()[rowsOfKeys.get(i)];
      String edge = GeneratedIds.ofEdge(edgeOf(key, out));
      if (mirrored[i].length == 0) {
        fault(
            "Edge "
                + edge
                + " has an entry in "
                + (out ? Family.OUT : Family.IN)
                + " and none in "
                + other);
      } else if (RowValues.isTombstone(mirrored[i], 0) != RowValues.isTombstone(value, 0)) {
        fault("Edge " + edge + " has ended at one end only");
      }
    }
  }

  /** Both ends of the edges of a page must be there, whether they exist now or not. */
  private void checkEnds(Response.Rows page) {
    Map<Long, EdgeKey> ends = new TreeMap<>();
    for (byte[] key : page.keys()) {
      if (ElementLayout.EDGE.isKeyLength(key.length)) {
        EdgeKey edge = edgeOf(key, true);
        ends.put(edge.out(), edge);
        ends.put(edge.in(), edge);
      }
    }
    Set<Long> there = seen(ends.keySet(), Detail.BODIES);
    ends.forEach(
        (end, edge) -> {
          if (!there.contains(end)) {
            fault(
                "Edge "
                    + GeneratedIds.ofEdge(edge)
                    + " ends at vertex "
                    + GeneratedIds.ofVertex(end)
                    + ", which is not there");
          }
        });
  }

  // What exists now

  /** Counts what exists now, and looks whether the ends of what exists do too. */
  private void checkLiving(int server) {
    Position from = Position.START;
    while (from != null) {
      Request scan = new Request.ScanVertices(0, EVER, Detail.KEYS, from);
      ElementPage page = router.call(server, scan, ElementPage.class);
      livingVertices += page.elements();
      from = page.next();
    }
    from = Position.START;
    while (from != null) {
      Request scan = new Request.ScanEdges(Set.of(), EVER, Detail.KEYS, from);
      ElementPage page = router.call(server, scan, ElementPage.class);
      livingEdges += page.elements();
      checkLivingEnds(page);
      from = page.next();
    }
  }

  private void checkLivingEnds(ElementPage page) {
    Set<Long> ends = new TreeSet<>();
    for (int e = 0; e < page.elements(); e++) {
      ends.add(page.owner(e));
      ends.add(page.other(e));
    }
    Set<Long> living = seen(ends, Detail.KEYS);
    for (int e = 0; e < page.elements(); e++) {
      EdgeKey edge = new EdgeKey(page.owner(e), page.label(e), page.other(e), page.sequence(e));
      for (long end : new long[] {edge.out(), edge.in()}) {
        if (!living.contains(end)) {
          fault(
              "Edge "
                  + GeneratedIds.ofEdge(edge)
                  + " exists, but its end "
                  + GeneratedIds.ofVertex(end)
                  + " is deleted");
        }
      }
    }
  }

  /** Those of some vertices that can be seen with all versions in view. */
  private Set<Long> seen(Set<Long> vertices, Detail detail) {
    Map<Integer, List<Long>> byServer = new HashMap<>();
    vertices.forEach(
        vertex ->
            byServer.computeIfAbsent(router.home(vertex), h -> new ArrayList<>()).add(vertex));
    Set<Long> seen = new HashSet<>();
    byServer.forEach(
        (server, keys) -> {
          long[] wanted = keys.stream().mapToLong(Long::longValue).toArray();
          Position next = Position.START;
          while (next != null) {
            Request read = new Request.ReadVertices(wanted, EVER, detail, next.index());
            ElementPage found = router.call(server, read, ElementPage.class);
            for (int e = 0; e < found.elements(); e++) {
              seen.add(found.owner(e));
            }
            next = found.next();
          }
        });
    return seen;
  }

  // Ids

  private void idPage(Response.Rows page) {
    for (int i = 0; i < page.keys().length; i++) {
      idRows++;
      byte[] key = page.keys()[i];
      byte[] value = page.values()[i];
      String id = new String(key, 1, key.length - 1, StandardCharsets.UTF_8);
      int each = key[0] == 'V' ? 8 : RowKeys.EDGE_KEY_BYTES;
      if (key[0] != 'V' && key[0] != 'E' || value.length == 0 || value.length % each != 0) {
        fault("The row of id '" + id + "' has " + value.length + " bytes");
        continue;
      }
      for (int at = 0; at < value.length; at += each) {
        if (!leadsToElement(id, key[0] == 'V', value, at)) {
          fault("Id '" + id + "' leads to an element that is not there or has another id");
        }
      }
    }
  }

  private boolean leadsToElement(String id, boolean vertex, byte[] value, int at) {
    ElementPage found;
    if (vertex) {
      long key = BigEndian.getLong(value, at);
      found =
          router.call(
              router.home(key),
              new Request.ReadVertices(new long[] {key}, EVER, Detail.BODIES, 0),
              ElementPage.class);
    } else {
      EdgeKey key = RowKeys.edgeKey(value, at);
      found =
          router.call(
              router.home(key.out()),
              new Request.ReadEdges(List.of(key), EVER, Detail.BODIES, 0),
              ElementPage.class);
    }
    for (int row = 0; found.elements() > 0 && row < found.firstRow(1); row++) {
      int start = found.valueStart(row);
      if ((found.data()[start] & RowValues.HAS_ID) != 0) {
        ByteReader in = new ByteReader(found.data(), start + 1, found.valueEnd(row) - start - 1);
        if (in.getText().equals(id)) {
          return true;
        }
      }
    }
    return false;
  }
}
