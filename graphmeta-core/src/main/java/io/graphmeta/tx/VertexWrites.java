package io.graphmeta.tx;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes new vertices, and the ends of vertices, into the {@link WriteBuffer}. Everything is checked
 * before anything is taken. Belongs to the thread of its transaction.
 */
final class VertexWrites {
  private static final long[] NONE = {};

  private final Router router;
  private final SnapshotReads reads;
  private final WriteBuffer writes;
  private final WriteGate gate;
  private final Lifetimes lifetimes;
  private final LifetimeRules rules;
  private final GivenIds ids;
  private final TransactionNames names;
  private final ValueSlots slots;
  private final EdgeWrites edges;

  VertexWrites(
      Router router,
      SnapshotReads reads,
      WriteBuffer writes,
      WriteGate gate,
      Lifetimes lifetimes,
      LifetimeRules rules,
      GivenIds ids,
      TransactionNames names,
      ValueSlots slots,
      EdgeWrites edges) {
    this.router = router;
    this.reads = reads;
    this.writes = writes;
    this.gate = gate;
    this.lifetimes = lifetimes;
    this.rules = rules;
    this.ids = ids;
    this.names = names;
    this.slots = slots;
    this.edges = edges;
  }

  long add(@Nullable String id, String label, Map<String, ?> properties, long valid) {
    gate.begin(WriteGate.ELEMENT_BYTES);
    gate.label(label);
    rules.requirePast(valid);
    Map<String, Object> checked = gate.values(properties);
    if (id == null) {
      int labelId = names.id(NameKind.VERTEX_LABEL, label);
      gate.take();
      long key = router.newVertexKey(labelId);
      create(key, new PendingElement(true, null, label), NONE, valid, checked);
      return key;
    }
    gate.elementId(id);
    return addWithId(id, label, checked, valid);
  }

  /** Adds the vertex of the variables, whose id and label users cannot give. */
  void addVariables(String key, Object value) {
    gate.begin(WriteGate.ELEMENT_BYTES);
    Map<String, Object> variables = gate.values(Map.of(key, value));
    addWithId(VariablesVertex.NAME, VariablesVertex.NAME, variables, Stamp.AT_COMMIT);
  }

  private long addWithId(String id, String label, Map<String, Object> checked, long valid) {
    if (ids.canAskLater(id, valid)) {
      gate.take();
      long key = router.newVertexKey(names.id(NameKind.VERTEX_LABEL, label), id);
      create(key, new PendingElement(true, id, label), NONE, valid, checked);
      ids.askLater(id);
      return key;
    }
    long[] earlier = ids.earlierVertices(id);
    Long extended = extended(id, label, earlier, valid);
    gate.take();
    if (extended != null) {
      writes.existingVertex(extended, id, label).addBody(valid, id, checked);
      lifetimes.extend(extended, valid);
      slots.forget(extended);
      return extended;
    }
    long key = router.newVertexKey(names.id(NameKind.VERTEX_LABEL, label), id);
    create(key, new PendingElement(true, id, label), earlier, valid, checked);
    return key;
  }

  private void create(
      long key, PendingElement vertex, long[] earlier, long valid, Map<String, Object> properties) {
    vertex.addBody(valid, vertex.givenId(), properties);
    writes.createVertex(key, vertex, earlier);
  }

  /** The vertex with the id that is to begin earlier; null if a new one is to be made. */
  private @Nullable Long extended(String id, String label, long[] earlier, long valid) {
    Long behind = ids.vertexBehind(id, earlier, valid);
    if (behind != null && !names.vertexLabel(behind).equals(label)) {
      throw GraphMetaException.invalid(
          "Vertex '"
              + id
              + "' has label '"
              + names.vertexLabel(behind)
              + "' from "
              + Stamp.format(lifetimes.ofVertex(behind).begin())
              + " on and cannot begin earlier as '"
              + label
              + "'");
    }
    return behind;
  }

  void remove(long vertex, long valid) {
    rules.requirePast(valid);
    rules.requireVertex(vertex, valid);
    PendingElement pending = writes.vertex(vertex);
    Set<EdgeKey> incident = incidentEdges(vertex, valid);
    if (valid != Stamp.AT_COMMIT) {
      requireNothingLater(vertex, valid);
    }
    gate.requireRoom(WriteGate.CHANGE_BYTES * (incident.size() + 1L));
    for (EdgeKey edge : incident) {
      edges.removeExisting(edge, valid);
    }
    if (pending != null && pending.isNeverSeen(valid)) {
      writes.cancelVertex(vertex);
      lifetimes.forget(vertex);
      return;
    }
    gate.take(WriteGate.CHANGE_BYTES);
    writes.existingVertex(vertex, null, names.vertexLabel(vertex)).delete(valid);
    lifetimes.end(vertex, valid);
  }

  private Set<EdgeKey> incidentEdges(long vertex, long valid) {
    ReadView now = reads.snapshot();
    ReadView view = valid == Stamp.AT_COMMIT ? now : new ReadView(valid, now.knownAt());
    Set<EdgeKey> incident = new LinkedHashSet<>();
    Expansion all = new Expansion(new long[] {vertex}, Direction.BOTH, Set.of(), false);
    try (AdjacencyCursor stored = reads.expand(all, view)) {
      while (stored.next()) {
        incident.add(stored.edge().key());
        gate.requireRoom(WriteGate.CHANGE_BYTES * (long) incident.size());
      }
    }
    incident.addAll(writes.newEdges(vertex, true));
    incident.addAll(writes.newEdges(vertex, false));
    long at = PendingElement.comparable(valid);
    incident.removeIf(edge -> writes.edge(edge) != null && !lifetimes.ofEdge(edge).contains(at));
    return incident;
  }

  /** A backfilled deletion must not cut off what is known to have been there afterwards. */
  private void requireNothingLater(long vertex, long valid) {
    rules.requireVertexEnds(vertex, valid);
    // Edges that ended since count too: the past must not get half edges either.
    reads.edgesEver(vertex, key -> rules.requireBegun(vertex, key, valid));
    writes.newEdges(vertex, true).forEach(key -> rules.requireBegun(vertex, key, valid));
    writes.newEdges(vertex, false).forEach(key -> rules.requireBegun(vertex, key, valid));
  }
}
