package io.graphmeta.server.ingest;

import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.RecordRules;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that vertices and edges that several logs share exist from a time on: adds those that
 * are missing, extends backwards those that begin later, and leaves the others alone. Collects
 * first, then looks all up at once. Used by the thread of the transaction.
 */
final class ElementBackfill {
  private record WantedVertex(
      String id, String label, Map<String, Object> properties, long stamp) {}

  private record WantedEdge(String id, String out, String label, String in, long stamp) {}

  private final GraphTransaction tx;
  private final Map<String, WantedVertex> wantedVertices = new LinkedHashMap<>();
  private final Map<String, WantedEdge> wantedEdges = new LinkedHashMap<>();
  private final List<String> addedByCaller = new ArrayList<>();
  private final Map<String, Long> keys = new HashMap<>();
  private final Map<String, @Nullable VertexRecord> found = new HashMap<>();
  private long newestStamp;
  private int addedVertices;
  private int addedEdges;

  ElementBackfill(GraphTransaction tx) {
    this.tx = tx;
  }

  /** Elements are looked up as of this stamp, or a later one that something is asked for from. */
  void lookUpAsOf(long stamp) {
    newestStamp = Math.max(newestStamp, stamp);
  }

  /** A vertex must exist from a stamp on. */
  void vertex(String id, String label, Map<String, Object> properties, long stamp) {
    newestStamp = Math.max(newestStamp, stamp);
    WantedVertex known = wantedVertices.get(id);
    if (known == null) {
      wantedVertices.put(id, new WantedVertex(id, label, properties, stamp));
      return;
    }
    boolean isDirectory = label.equals(Vocabulary.DIRECTORY);
    if (stamp < known.stamp() || isDirectory && !known.label().equals(label)) {
      String kept = isDirectory ? label : known.label();
      wantedVertices.put(
          id, new WantedVertex(id, kept, known.properties(), Math.min(stamp, known.stamp())));
    }
  }

  /** A file or directory must exist from a stamp on, with the directories above it. */
  void path(String path, String label, long stamp) {
    vertex(path, label, Map.of(Vocabulary.NAME, nameOf(path)), stamp);
    String child = path;
    String parent = FilePaths.parent(path);
    while (parent != null) {
      WantedVertex known = wantedVertices.get(parent);
      boolean done =
          known != null && known.label().equals(Vocabulary.DIRECTORY) && known.stamp() <= stamp;
      vertex(parent, Vocabulary.DIRECTORY, Map.of(Vocabulary.NAME, nameOf(parent)), stamp);
      edge(Vocabulary.CONTAINS + ":" + child, parent, Vocabulary.CONTAINS, child, stamp);
      if (done) {
        return;
      }
      child = parent;
      parent = FilePaths.parent(parent);
    }
  }

  private static String nameOf(String path) {
    String name = RecordRules.baseName(path);
    return name.isEmpty() ? path : name;
  }

  /** An edge without properties must exist from a stamp on; its ends must be asked for too. */
  void edge(String id, String out, String label, String in, long stamp) {
    wantedEdges.merge(
        id, new WantedEdge(id, out, label, in, stamp), (a, b) -> a.stamp() <= b.stamp() ? a : b);
  }

  /** A vertex with this id is added by the caller, who knows that it is not there yet. */
  void addedByCaller(String id) {
    addedByCaller.add(id);
  }

  /** Looks all up and writes what is missing. */
  void write() {
    List<String> ids = new ArrayList<>(wantedVertices.keySet());
    ids.addAll(addedByCaller);
    tx.lookUpIds(ids, List.of());
    List<VertexRecord> vertices =
        lookUp(wantedVertices.keySet(), tx::verticesById, VertexRecord::id);
    vertices.forEach(vertex -> found.put(vertex.id(), vertex));
    for (WantedVertex wanted : wantedVertices.values()) {
      VertexRecord known = found.get(wanted.id());
      if (known == null) {
        keys.put(
            wanted.id(),
            tx.addVertex(wanted.id(), wanted.label(), wanted.properties(), wanted.stamp()));
        addedVertices++;
      } else if (known.validStamp() > wanted.stamp()) {
        keys.put(
            wanted.id(),
            tx.addVertex(wanted.id(), known.label(), lasting(known, wanted), wanted.stamp()));
      } else {
        keys.put(wanted.id(), known.key());
      }
    }
    writeEdges();
  }

  /** Who somebody is called does not depend on the time: it goes back with the beginning. */
  private static Map<String, Object> lasting(VertexRecord known, WantedVertex wanted) {
    Map<String, Object> properties = new LinkedHashMap<>(wanted.properties());
    for (String key : List.of(Vocabulary.NAME, Vocabulary.UID)) {
      Object value = known.value(key);
      if (value != null) {
        properties.put(key, value);
      }
    }
    return properties;
  }

  private void writeEdges() {
    // An edge into a vertex that was there in time is there too: both came in one transaction.
    List<String> ids = new ArrayList<>();
    for (WantedEdge wanted : wantedEdges.values()) {
      VertexRecord end = found.get(wanted.in());
      if (end != null
          && (end.validStamp() > wanted.stamp() || !wanted.label().equals(Vocabulary.CONTAINS))) {
        ids.add(wanted.id());
      }
    }
    Map<String, EdgeRecord> known = new HashMap<>();
    lookUp(ids, tx::edgesById, EdgeRecord::id).forEach(edge -> known.put(edge.id(), edge));
    List<WantedEdge> toAdd = new ArrayList<>();
    for (WantedEdge wanted : wantedEdges.values()) {
      VertexRecord end = found.get(wanted.in());
      EdgeRecord edge = known.get(wanted.id());
      boolean isNew = end == null || (edge == null && ids.contains(wanted.id()));
      boolean isLater =
          edge != null
              && edge.validStamp() > wanted.stamp()
              && edge.key().out() == key(wanted.out());
      if (isNew || isLater) {
        toAdd.add(wanted);
        addedEdges += isNew ? 1 : 0;
      }
    }
    add(toAdd);
  }

  private void add(List<WantedEdge> edges) {
    tx.lookUpIds(List.of(), edges.stream().map(WantedEdge::id).toList());
    for (WantedEdge edge : edges) {
      tx.addEdge(edge.id(), key(edge.out()), edge.label(), key(edge.in()), Map.of(), edge.stamp());
    }
  }

  /** Elements as of the newest stamp asked for; those that begin later as of now. */
  private <T> List<T> lookUp(
      Collection<String> ids,
      BiFunction<Collection<String>, ReadView, List<@Nullable T>> read,
      Function<T, String> idOf) {
    List<T> result = new ArrayList<>();
    if (ids.isEmpty()) {
      return result;
    }
    ReadView now = tx.snapshot();
    Map<String, T> inTime = new HashMap<>();
    for (T element : read.apply(ids, new ReadView(newestStamp, now.knownAt()))) {
      if (element != null) {
        inTime.put(idOf.apply(element), element);
      }
    }
    List<String> missing = ids.stream().filter(id -> !inTime.containsKey(id)).toList();
    result.addAll(inTime.values());
    if (!missing.isEmpty()) {
      read.apply(missing, now).stream().filter(Objects::nonNull).forEach(result::add);
    }
    return result;
  }

  /** The key of a vertex that was asked for. */
  long key(String id) {
    Long key = keys.get(id);
    if (key == null) {
      throw new IllegalStateException("Vertex '" + id + "' was not asked for");
    }
    return key;
  }

  /** The vertex as it was before, or null if it is new. */
  @Nullable VertexRecord before(String id) {
    return found.get(id);
  }

  /** The label that a vertex has. */
  String label(String id) {
    VertexRecord known = found.get(id);
    return known != null ? known.label() : Objects.requireNonNull(wantedVertices.get(id)).label();
  }

  int addedVertices() {
    return addedVertices;
  }

  int addedEdges() {
    return addedEdges;
  }
}
