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
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.storage.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rows of vertices and edges: each by itself, and against the row at the other end and
 * the rows of its vertices. Rows that were committed behind the stamp of the check are left out,
 * since the rows at their other ends may not be written yet. Belongs to one thread.
 */
final class RowCheck {
  private final Router router;
  private final StoreProbe probe;
  private final DroppedProbe dropped;
  private final CheckFaults faults;
  private final IdCheck ids;
  private final ReadView view;
  private final SetCheck sets;
  private final byte[] lastElement = new byte[ElementLayout.EDGE.elementBytes()];

  /** The tombstone that was seen last of the edge whose rows are read; null if there was none. */
  private byte @Nullable [] tombstone;

  private long vertexRows;
  private long outRows;
  private long inRows;
  private long laterRows;
  private long keptRows;

  /**
   * A check of rows.
   *
   * @param view sees all versions up to the stamp of the check
   */
  RowCheck(Router router, StoreProbe probe, CheckFaults faults, IdCheck ids, ReadView view) {
    this.router = router;
    this.probe = probe;
    this.dropped = new DroppedProbe(probe, router.shards());
    this.faults = faults;
    this.ids = ids;
    this.view = view;
    this.sets = new SetCheck(faults, this::propertyKey);
  }

  private String propertyKey(int id) {
    return router.schema().has(NameKind.PROPERTY_KEY, id)
        ? router.schema().name(NameKind.PROPERTY_KEY, id)
        : Integer.toString(id);
  }

  long vertexRows() {
    return vertexRows;
  }

  long outRows() {
    return outRows;
  }

  long inRows() {
    return inRows;
  }

  /** Rows that were left out. */
  long laterRows() {
    return laterRows;
  }

  /** Rows that lie where readers of other snapshots look for them. */
  long keptRows() {
    return keptRows;
  }

  /** Before the first page of a family of a shard. */
  void begin() {
    sets.finish();
    Arrays.fill(lastElement, (byte) 0);
  }

  /** True if a row is complete and not later than the check. */
  private boolean counts(ElementLayout layout, byte[] key, String what) {
    if (!layout.isKeyLength(key.length)) {
      faults.add("A row of " + what + " has a key of " + key.length + " bytes");
      return false;
    }
    if (layout.committed(key, key.length) > view.knownAt()) {
      laterRows++;
      return false;
    }
    return true;
  }

  private boolean isFirstOfElement(ElementLayout layout, byte[] key) {
    int length = layout.elementBytes();
    boolean first = !Arrays.equals(key, 0, length, lastElement, 0, length);
    System.arraycopy(key, 0, lastElement, 0, length);
    return first;
  }

  // Vertices

  void vertexPage(int shard, Response.Rows page) {
    List<String> given = new ArrayList<>();
    List<Long> owners = new ArrayList<>();
    for (int i = 0; i < page.keys().length; i++) {
      byte[] key = page.keys()[i];
      if (!counts(ElementLayout.VERTEX, key, "vertices")) {
        continue;
      }
      vertexRows++;
      long vertex = BigEndian.getLong(key, 0);
      int propertyKey = ElementLayout.VERTEX.propertyKeyId(key);
      if (isFirstOfElement(ElementLayout.VERTEX, key)) {
        checkVertex(shard, vertex, propertyKey);
      }
      sets.row(key, page.values()[i]);
      String id =
          readValue(page.values()[i], propertyKey, "vertex " + GeneratedIds.ofVertex(vertex));
      if (id != null && propertyKey == RowKeys.BODY) {
        given.add(id);
        owners.add(vertex);
      }
    }
    ids.leadBack(given, owners);
  }

  private void checkVertex(int shard, long vertex, int propertyKey) {
    String shown = "Vertex " + GeneratedIds.ofVertex(vertex);
    if (router.home(vertex) != shard) {
      faults.add(shown + " lies on shard " + shard + ", not on " + router.home(vertex));
    }
    if (propertyKey != RowKeys.BODY) {
      faults.add(shown + " has properties but no body");
    }
    if (!isDefined(NameKind.VERTEX_LABEL, VertexKeys.labelId(vertex))) {
      faults.add(shown + " has label " + VertexKeys.labelId(vertex) + ", which is not defined");
    }
  }

  private boolean isDefined(NameKind kind, int id) {
    return probe.mayBeDefined(kind, id);
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
        faults.add("A value of " + where + " has " + in.remaining() + " bytes too many");
      }
      return id;
    } catch (GraphMetaException e) {
      faults.add("A value of " + where + " cannot be read: " + e.getMessage());
      return null;
    }
  }

  private void checkPropertyKey(int id, String where) {
    if (!isDefined(NameKind.PROPERTY_KEY, id)) {
      faults.add("Property key " + id + " of " + where + " is not defined");
    }
  }

  // Edges

  void outPage(int shard, Response.Rows page) {
    outRows += edgePage(shard, page, true);
  }

  void inPage(int shard, Response.Rows page) {
    inRows += edgePage(shard, page, false);
  }

  private int edgePage(int shard, Response.Rows page, boolean out) {
    Map<Integer, List<Integer>> bodies = new HashMap<>();
    Map<Integer, byte[]> tombstones = new HashMap<>();
    Map<Integer, List<Integer>> misplaced = new TreeMap<>();
    List<String> given = new ArrayList<>();
    List<EdgeKey> owners = new ArrayList<>();
    Map<Long, EdgeKey> ends = new TreeMap<>();
    int rows = 0;
    probe.learnPlaces(edgesOf(page, out));
    for (int i = 0; i < page.keys().length; i++) {
      byte[] key = page.keys()[i];
      if (!counts(ElementLayout.EDGE, key, "edges")) {
        continue;
      }
      EdgeKey edge = StoreProbe.edgeOf(key, out);
      int propertyKey = ElementLayout.EDGE.propertyKeyId(key);
      boolean first = isFirstOfElement(ElementLayout.EDGE, key);
      tombstone = first ? null : tombstone;
      int place = probe.knowsPlace(edge, out) ? probe.entryShard(edge, out, view) : shard;
      if (place != shard) {
        misplaced.computeIfAbsent(place, any -> new ArrayList<>()).add(i);
        continue;
      }
      rows++;
      if (first) {
        checkEdge(edge, propertyKey);
      }
      String id = readValue(page.values()[i], propertyKey, "edge " + GeneratedIds.ofEdge(edge));
      if (propertyKey == RowKeys.BODY) {
        if (tombstone != null) {
          tombstones.put(i, tombstone);
        }
        byte[] value = page.values()[i];
        tombstone = value.length > 0 && RowValues.isTombstone(value, 0) ? key : tombstone;
        if (probe.knowsPlace(edge, !out)) {
          bodies
              .computeIfAbsent(probe.entryShard(edge, !out, view), any -> new ArrayList<>())
              .add(i);
        }
        ends.put(edge.out(), edge);
        ends.put(edge.in(), edge);
        if (id != null && out) {
          given.add(id);
          owners.add(edge);
        }
      }
    }
    misplaced.forEach((place, at) -> checkKept(shard, page, out, place, at));
    bodies.forEach((place, at) -> checkMirrors(page, out, place, at, tombstones));
    ids.edgesLeadBack(given, owners);
    if (out) {
      checkEnds(ends);
    }
    return rows;
  }

  private static List<EdgeKey> edgesOf(Response.Rows page, boolean out) {
    return Arrays.stream(page.keys())
        .filter(key -> ElementLayout.EDGE.isKeyLength(key.length))
        .map(key -> StoreProbe.edgeOf(key, out))
        .distinct()
        .toList();
  }

  /** Rows that belong to another shard must be there too. */
  private void checkKept(
      int shard, Response.Rows page, boolean out, int place, List<Integer> rows) {
    Family family = out ? Family.OUT : Family.IN;
    byte[][] there = probe.values(place, family, rows.stream().map(i -> page.keys()[i]).toList());
    if (there == null) {
      return;
    }
    for (int i = 0; i < there.length; i++) {
      byte[] key = page.keys()[rows.get(i)];
      byte[] value = page.values()[rows.get(i)];
      if (Arrays.equals(there[i], value)
          || mayBeCopy(key, out, shard)
          || mayBe(probe.valueNow(family, key), value)
          || dropped.mayHave(family, key)) {
        keptRows++;
      } else {
        faults.add(
            "The entry of Edge "
                + GeneratedIds.ofEdge(StoreProbe.edgeOf(key, out))
                + " in "
                + family
                + " lies on shard "
                + shard
                + ", not on "
                + place);
      }
    }
  }

  private static boolean mayBe(byte @Nullable [] found, byte[] expected) {
    return found == null || Arrays.equals(found, expected);
  }

  /** A row that was copied for a split that failed can have been undone at its place since. */
  private boolean mayBeCopy(byte[] key, boolean out, int shard) {
    long owner = BigEndian.getLong(key, 0);
    long other = BigEndian.getLong(key, RowKeys.OTHER_AT);
    return router.places().mayBeCopy(router.splits(owner, out), owner, other, shard);
  }

  private void checkEdge(EdgeKey edge, int propertyKey) {
    String shown = "Edge " + GeneratedIds.ofEdge(edge);
    if (propertyKey != RowKeys.BODY) {
      faults.add(shown + " has properties but no body");
    }
    if (!isDefined(NameKind.EDGE_LABEL, edge.labelId())) {
      faults.add(shown + " has label " + edge.labelId() + ", which is not defined");
    }
  }

  private static byte[] mirror(byte[] key) {
    byte[] mirrored = key.clone();
    System.arraycopy(key, 0, mirrored, 10, 8);
    System.arraycopy(key, 10, mirrored, 0, 8);
    return mirrored;
  }

  private void checkMirrors(
      Response.Rows page,
      boolean out,
      int place,
      List<Integer> bodies,
      Map<Integer, byte[]> tombstones) {
    Family other = out ? Family.IN : Family.OUT;
    byte[][] mirrored =
        probe.values(place, other, bodies.stream().map(i -> mirror(page.keys()[i])).toList());
    if (mirrored == null) {
      return;
    }
    for (int i = 0; i < mirrored.length; i++) {
      byte[] value = page.values()[bodies.get(i)];
      byte[] key = page.keys()[bodies.get(i)];
      String edge = "Edge " + GeneratedIds.ofEdge(StoreProbe.edgeOf(key, out));
      byte[] there = mirrored[i].length > 0 ? mirrored[i] : probe.valueNow(other, mirror(key));
      if (there == null) {
        continue;
      }
      byte[] end = tombstones.get(bodies.get(i));
      if (there.length == 0 && end != null && dropped.mayHaveEnded(other, mirror(key), end)) {
        continue;
      } else if (there.length == 0) {
        faults.add(
            edge
                + " has an entry in "
                + (out ? Family.OUT : Family.IN)
                + " and none in "
                + other
                + " on shard "
                + place);
      } else if (RowValues.isTombstone(there, 0) != RowValues.isTombstone(value, 0)) {
        faults.add(edge + " has ended at one end only");
      }
    }
  }

  /** Both ends of edges must be there, whether they exist now or not. */
  private void checkEnds(Map<Long, EdgeKey> ends) {
    Set<Long> there = probe.seen(ends.keySet(), view, Detail.BODIES);
    ends.forEach(
        (end, edge) -> {
          if (!there.contains(end)) {
            faults.add(
                "Edge "
                    + GeneratedIds.ofEdge(edge)
                    + " ends at vertex "
                    + GeneratedIds.ofVertex(end)
                    + ", which is not there");
          }
        });
  }
}
