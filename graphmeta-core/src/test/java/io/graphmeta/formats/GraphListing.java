package io.graphmeta.formats;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All that a database says, as lines of text: what each of some views sees, by scans and along the
 * edges of both directions, and the history of every element that one of them sees. Belongs to one
 * thread.
 */
public final class GraphListing {
  private static final String VIEW = "view ";

  private final GraphTransaction tx;
  private final List<String> lines = new ArrayList<>();
  private final Map<Long, String> vertices = new TreeMap<>();
  private final Map<String, EdgeRecord> edges = new TreeMap<>();

  /** What was committed later is left out of histories. */
  private final long knownAt;

  private GraphListing(GraphTransaction tx, long knownAt) {
    this.tx = tx;
    this.knownAt = knownAt;
  }

  /** A point in the two times, as stamps. */
  public record Point(long validAt, long knownAt) {}

  /** The listing of a database at some points. */
  public static List<String> of(GraphDatabase database, List<Point> points) {
    try (GraphTransaction tx = database.begin()) {
      GraphListing listing = new GraphListing(tx, Stamp.MAX);
      listing.lines.add("vertex labels " + database.vertexLabels());
      listing.lines.add("edge labels " + database.edgeLabels());
      points.forEach(listing::add);
      listing.addHistories();
      return listing.lines;
    }
  }

  /**
   * The listing of a database at some points, as it was when nothing was committed above a stamp.
   * Names have no stamps, and are left out.
   */
  public static List<String> upTo(long knownAt, GraphDatabase database, List<Point> points) {
    try (GraphTransaction tx = database.begin()) {
      GraphListing listing = new GraphListing(tx, knownAt);
      points.forEach(listing::add);
      listing.addHistories();
      return listing.lines;
    }
  }

  /** The points that a listing shows. */
  public static List<Point> pointsOf(List<String> listing) {
    List<Point> points = new ArrayList<>();
    for (String line : listing) {
      if (line.startsWith(VIEW)) {
        String[] stamps = line.substring(VIEW.length()).split(" ");
        points.add(new Point(Long.parseLong(stamps[0]), Long.parseLong(stamps[1])));
      }
    }
    return points;
  }

  private void add(Point point) {
    lines.add(VIEW + point.validAt() + " " + point.knownAt());
    ReadView view = tx.view(point.validAt(), point.knownAt());
    List<VertexRecord> seen = new ArrayList<>();
    List<EdgeRecord> seenEdges = new ArrayList<>();
    try (var cursor = tx.scanVertices(Set.of(), view)) {
      for (VertexRecord v = cursor.next(); v != null; v = cursor.next()) {
        seen.add(v);
      }
    }
    try (var cursor = tx.scanEdges(Set.of(), view)) {
      for (EdgeRecord e = cursor.next(); e != null; e = cursor.next()) {
        seenEdges.add(e);
      }
    }
    List<String> found = new ArrayList<>();
    for (VertexRecord vertex : seen) {
      vertices.put(vertex.key(), vertex.id());
      found.add(
          ("vertex " + vertex.id() + " " + Long.toHexString(vertex.key()) + " " + vertex.label())
              + stamps(vertex.validStamp(), vertex.committedStamp())
              + properties(vertex.properties()));
    }
    for (EdgeRecord edge : seenEdges) {
      edges.put(edge.id(), edge);
      found.add("edge " + text(edge) + properties(edge.properties()));
    }
    addAlongEdges(seen, view, found);
    Collections.sort(found);
    found.forEach(line -> lines.add("  " + GoldenFile.inOneLine(line)));
    lines.add("  variables " + new TreeMap<>(tx.variables(view)));
  }

  private void addAlongEdges(List<VertexRecord> seen, ReadView view, List<String> found) {
    long[] frontier = seen.stream().mapToLong(VertexRecord::key).toArray();
    Expansion expansion = new Expansion(frontier, Direction.BOTH, Set.of(), true);
    try (var cursor = tx.expand(expansion, view)) {
      while (cursor.next()) {
        String end = seen.get(cursor.frontierIndex()).id();
        found.add(end + (cursor.outgoing() ? " out " : " in ") + text(cursor.edge()));
      }
    }
  }

  private static String text(EdgeRecord edge) {
    return edge.id()
        + (" " + Long.toHexString(edge.key().out()) + " " + edge.label())
        + (" " + Long.toHexString(edge.key().in()) + " " + edge.key().sequence())
        + stamps(edge.validStamp(), edge.committedStamp());
  }

  private static String stamps(long valid, long committed) {
    return " @" + valid + (committed == valid ? "" : "/" + committed);
  }

  private static String properties(List<PropertyRecord> properties) {
    TreeSet<String> texts = new TreeSet<>();
    for (PropertyRecord property : properties) {
      texts.add(
          (property.key() + "#" + property.valueId() + "=" + value(property.value()))
              + (property.userId() == null ? "" : " id " + property.userId())
              + (property.ofSet() ? " of a set" : "")
              + values(property.meta())
              + stamps(property.validStamp(), property.committedStamp()));
    }
    return " " + texts;
  }

  private static String values(Map<String, Object> values) {
    Map<String, String> texts = new TreeMap<>();
    values.forEach((key, value) -> texts.put(key, value(value)));
    return texts.isEmpty() ? "" : texts.toString();
  }

  private static String value(Object value) {
    if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return "bytes " + HexFormat.of().formatHex(copy);
    }
    return value instanceof Collection || value instanceof Map
        ? value.toString()
        : value.getClass().getSimpleName() + " " + value;
  }

  private void addHistories() {
    Map<String, Long> byId = new TreeMap<>();
    for (Map.Entry<Long, String> vertex : vertices.entrySet()) {
      byId.put(vertex.getValue(), vertex.getKey());
      List<String> texts = new ArrayList<>();
      for (ElementVersion version : tx.vertexHistory(vertex.getKey())) {
        if (version.committedStamp() <= knownAt) {
          texts.add(text(version));
        }
      }
      lines.add(GoldenFile.inOneLine("history of vertex " + vertex.getValue()));
      texts.forEach(line -> lines.add("  " + GoldenFile.inOneLine(line)));
    }
    edges.forEach(
        (id, edge) -> {
          lines.add("history of edge " + GoldenFile.inOneLine(id));
          for (ElementVersion version : tx.edgeHistory(edge.key())) {
            if (version.committedStamp() <= knownAt) {
              lines.add("  " + GoldenFile.inOneLine(text(version)));
            }
          }
        });
    for (String id : byId.keySet()) {
      List<String> keys = new ArrayList<>();
      for (long key : tx.incarnations(id)) {
        if (tx.vertexHistory(key).stream().anyMatch(each -> each.committedStamp() <= knownAt)) {
          keys.add(Long.toHexString(key));
        }
      }
      lines.add(GoldenFile.inOneLine("id " + id + " " + keys));
    }
  }

  private static String text(ElementVersion version) {
    return version.operation()
        + (version.propertyKey() == null
            ? ""
            : " " + version.propertyKey() + "#" + version.valueId())
        + (version.value() == null ? "" : " " + value(version.value()))
        + values(version.properties())
        + stamps(version.validStamp(), version.committedStamp());
  }
}
