package io.graphmeta.tx;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.StoredReads;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.Router;
import io.graphmeta.schema.NameKind;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks writes and takes them into the {@link WriteBuffer}. Everything is checked before anything
 * is taken.
 *
 * <p>The rules of lifetimes, on which reads rely:
 *
 * <ul>
 *   <li>An element exists from its first body to its tombstone, and is never put again behind it.
 *   <li>At any valid time at most one element of a kind has an id. An id that is given again before
 *       an element that has it extends that element backwards; behind one, it makes a new element.
 *   <li>An edge exists only while both its ends do: deleting a vertex deletes its edges at the same
 *       stamp, and an edge that is backfilled between vertices that ended later ends with them.
 * </ul>
 *
 * Belongs to the thread of its transaction.
 */
final class ElementWrites {
  private final BufferedTransaction transaction;
  private final Router router;
  private final StoredReads reads;
  private final WriteBuffer writes;
  private final WriteGate gate;
  private final Lifetimes lifetimes;
  private final ValueSlots slots;
  private final TransactionNames names;

  ElementWrites(
      BufferedTransaction transaction,
      Router router,
      StoredReads reads,
      RecordDecoder decoder,
      WriteBuffer writes,
      TransactionNames names,
      TransactionLimits limits) {
    this.transaction = transaction;
    this.router = router;
    this.reads = reads;
    this.writes = writes;
    this.gate = new WriteGate(writes, limits);
    this.names = names;
    this.lifetimes = new Lifetimes(reads, writes, transaction.snapshot());
    this.slots = new ValueSlots(reads, decoder, writes, transaction.snapshot());
  }

  // Vertices

  long addVertex(@Nullable String id, String label, Map<String, ?> properties, long valid) {
    gate.begin(WriteGate.ELEMENT_BYTES);
    gate.label(label);
    checkPast(valid);
    Map<String, Object> checked = gate.values(properties);
    if (id == null) {
      int labelId = names.id(NameKind.VERTEX_LABEL, label);
      gate.take();
      long key = router.newVertexKey(labelId);
      create(key, new PendingElement(true, null, label), new long[0], valid, checked);
      return key;
    }
    gate.elementId(id);
    return addVertexWithId(id, label, checked, valid);
  }

  /** Adds the vertex of the variables, whose id and label users cannot give. */
  long addVariablesVertex(String key, Object value) {
    gate.begin(WriteGate.ELEMENT_BYTES);
    Map<String, Object> variables = gate.values(Map.of(key, value));
    return addVertexWithId(VariableStore.NAME, VariableStore.NAME, variables, Stamp.AT_COMMIT);
  }

  private long addVertexWithId(String id, String label, Map<String, Object> checked, long valid) {
    long[] incarnations = Arrays.stream(reads.incarnations(id)).filter(this::everWas).toArray();
    long extended = findExtended(id, label, incarnations, valid);
    gate.take();
    if (extended != 0) {
      writes.existingVertex(extended, id, label).addBody(valid, id, checked);
      lifetimes.extend(extended, valid);
      slots.forget(extended);
      return extended;
    }
    long key = router.newVertexKey(names.id(NameKind.VERTEX_LABEL, label), id);
    create(key, new PendingElement(true, id, label), incarnations, valid, checked);
    return key;
  }

  /**
   * False for what the row of an id names although it is not there: that of a transaction that is
   * under way or was given up. Such a row has no stamp; this transaction commits only if nobody
   * else has given the id since its snapshot, and then the row must not lead there any more.
   */
  private boolean everWas(long vertex) {
    return lifetimes.ofVertex(vertex) != Lifetime.NEVER;
  }

  private boolean everWas(EdgeKey edge) {
    return lifetimes.ofEdge(edge) != Lifetime.NEVER;
  }

  private void create(
      long key, PendingElement vertex, long[] earlier, long valid, Map<String, Object> properties) {
    vertex.addBody(valid, vertex.givenId(), properties);
    writes.createVertex(key, vertex, earlier);
  }

  /**
   * The vertex with this id that begins first behind the stamp, or 0; an error if one exists at the
   * stamp.
   */
  private long findExtended(String id, String label, long[] incarnations, long valid) {
    long at = PendingElement.comparable(valid);
    long extended = 0;
    long extendedBegin = Stamp.MAX;
    List<Long> candidates = new ArrayList<>();
    for (long incarnation : incarnations) {
      candidates.add(incarnation);
    }
    candidates.addAll(writes.verticesWithId(id));
    for (long candidate : candidates) {
      Lifetime lifetime = lifetimes.ofVertex(candidate);
      if (lifetime.contains(at)) {
        throw new GraphMetaException(
            ErrorCode.ALREADY_EXISTS,
            "A vertex with id '"
                + id
                + "' exists already "
                + when(valid)
                + "; expected an id that is free then");
      }
      if (lifetime.begin() > at
          && lifetime != Lifetime.NEVER
          && lifetime.begin() <= extendedBegin) {
        extended = candidate;
        extendedBegin = lifetime.begin();
      }
    }
    if (extended != 0 && !labelOf(extended).equals(label)) {
      throw GraphMetaException.invalid(
          "Vertex '"
              + id
              + "' has label '"
              + labelOf(extended)
              + "' from "
              + Stamp.format(extendedBegin)
              + " on and cannot begin earlier as '"
              + label
              + "'");
    }
    return extended;
  }

  private String labelOf(long vertex) {
    return transaction.vertexLabel(vertex);
  }

  void removeVertex(long vertex, long valid) {
    checkPast(valid);
    requireVertex(vertex, valid);
    PendingElement pending = writes.vertex(vertex);
    Set<EdgeKey> incident = incidentEdges(vertex, valid);
    if (valid != Stamp.AT_COMMIT) {
      requireNothingLater(vertex, valid);
    }
    gate.requireRoom(WriteGate.CHANGE_BYTES * (incident.size() + 1L));
    for (EdgeKey edge : incident) {
      removeKnownEdge(edge, valid);
    }
    if (pending != null && pending.isNeverSeen(valid)) {
      writes.cancelVertex(vertex);
      lifetimes.forget(vertex);
      return;
    }
    gate.take(WriteGate.CHANGE_BYTES);
    writes.existingVertex(vertex, null, labelOf(vertex)).delete(valid);
    lifetimes.end(vertex, valid);
  }

  private Set<EdgeKey> incidentEdges(long vertex, long valid) {
    ReadView now = transaction.snapshot();
    ReadView view = valid == Stamp.AT_COMMIT ? now : new ReadView(valid, now.knownAt());
    Set<EdgeKey> incident = new LinkedHashSet<>();
    Expansion all = new Expansion(new long[] {vertex}, Direction.BOTH, Set.of(), false);
    try (AdjacencyCursor edges = transaction.expand(all, view)) {
      while (edges.next()) {
        incident.add(edges.edge().key());
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
    long newest = lifetimes.ofVertex(vertex).newestBody();
    if (newest > valid) {
      throw GraphMetaException.invalid(
          "Vertex "
              + shown(vertex)
              + " cannot end at "
              + Stamp.format(valid)
              + ": it is known to exist at "
              + Stamp.format(newest));
    }
    // Edges that ended since count too: the past must not get half edges either.
    reads.edgesEver(vertex, transaction.snapshot(), key -> requireBegun(vertex, key, valid));
    writes.newEdges(vertex, true).forEach(key -> requireBegun(vertex, key, valid));
    writes.newEdges(vertex, false).forEach(key -> requireBegun(vertex, key, valid));
  }

  private void requireBegun(long vertex, EdgeKey edge, long valid) {
    long begin = lifetimes.ofEdge(edge).newestBody();
    if (begin > valid) {
      throw GraphMetaException.invalid(
          "Vertex "
              + shown(vertex)
              + " cannot end at "
              + Stamp.format(valid)
              + ": its edge "
              + GeneratedIds.ofEdge(edge)
              + " begins "
              + (begin == Stamp.MAX ? "with this commit" : "at " + Stamp.format(begin))
              + "; end it then or later");
    }
  }

  // Properties of vertices

  PropertyRecord setVertexProperty(
      long vertex,
      String key,
      Object value,
      Cardinality cardinality,
      Map<String, ?> meta,
      @Nullable String userId,
      long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    checkPast(valid);
    Object checked = gate.value(key, value);
    Map<String, Object> checkedMeta = gate.values(meta);
    gate.propertyId(userId);
    requireVertex(vertex, valid);
    if (cardinality == Cardinality.SINGLE) {
      List<PropertyRecord> others =
          names.isMultiValued(key) ? otherValues(vertex, key, valid) : List.of();
      gate.more(WriteGate.CHANGE_BYTES * others.size());
      gate.take();
      others.forEach(other -> remove(vertex, key, other.valueId(), valid));
      return put(vertex, property(key, 0, userId, checked, checkedMeta, false, valid), valid);
    }
    if (cardinality == Cardinality.SET) {
      ValueSlots.Place place = slots.place(vertex, key, checked, valid);
      if (place != null) {
        gate.again(place.meta());
      }
      gate.take();
      names.becomesMultiValued(key);
      return put(
          vertex, valueOfSet(vertex, place, key, checked, checkedMeta, userId, valid), valid);
    }
    gate.take();
    names.becomesMultiValued(key);
    long valueId = router.newSequence(vertex);
    return put(vertex, property(key, valueId, userId, checked, checkedMeta, false, valid), valid);
  }

  private PropertyRecord valueOfSet(
      long vertex,
      ValueSlots.@Nullable Place place,
      String key,
      Object value,
      Map<String, Object> meta,
      @Nullable String userId,
      long valid) {
    if (place == null) {
      return property(key, router.newSequence(vertex), userId, value, meta, true, valid);
    }
    Map<String, Object> merged = new LinkedHashMap<>(place.meta());
    merged.putAll(meta);
    return property(key, place.valueId(), place.userId(), value, merged, true, valid);
  }

  PropertyRecord setMetaProperties(
      long vertex, String key, long valueId, Map<String, ?> meta, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    checkPast(valid);
    Map<String, Object> checkedMeta = gate.values(meta);
    requireVertex(vertex, valid);
    PropertyRecord held = slots.at(vertex, key, valueId, valid);
    if (held != null) {
      gate.again(key, held.value());
      gate.more(held.userId() == null ? 0 : 2L * held.userId().length());
      gate.take();
      return put(
          vertex,
          property(key, valueId, held.userId(), held.value(), checkedMeta, held.ofSet(), valid),
          valid);
    }
    throw new GraphMetaException(
        ErrorCode.NOT_FOUND,
        "Vertex " + shown(vertex) + " has no such value of property '" + key + "' " + when(valid));
  }

  void removeVertexProperty(long vertex, String key, long valueId, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    gate.key(key);
    checkPast(valid);
    requireVertex(vertex, valid);
    gate.take();
    remove(vertex, key, valueId, valid);
  }

  private void remove(long vertex, String key, long valueId, long valid) {
    writes.existingVertex(vertex, null, labelOf(vertex)).change(key, valueId, valid, null);
    slots.wrote(vertex, key, valueId, valid, null);
  }

  /** The values that are not in the place of a single one. */
  private List<PropertyRecord> otherValues(long vertex, String key, long valid) {
    return values(vertex, key, valid).stream().filter(value -> value.valueId() != 0).toList();
  }

  private List<PropertyRecord> values(long vertex, String key, long valid) {
    return transaction.propertiesAt(vertex, valid).stream()
        .filter(property -> property.key().equals(key))
        .toList();
  }

  private PropertyRecord put(long vertex, PropertyRecord property, long valid) {
    writes
        .existingVertex(vertex, null, labelOf(vertex))
        .change(property.key(), property.valueId(), valid, property);
    slots.wrote(vertex, property.key(), property.valueId(), valid, property);
    return property;
  }

  private static PropertyRecord property(
      String key,
      long valueId,
      @Nullable String userId,
      Object value,
      Map<String, Object> meta,
      boolean ofSet,
      long valid) {
    return new PropertyRecord(
        key, valueId, userId, value, meta, ofSet, PendingElement.comparable(valid), Stamp.MAX);
  }

  // Edges

  EdgeKey addEdge(
      @Nullable String id, long out, String label, long in, Map<String, ?> properties, long valid) {
    gate.begin(WriteGate.ELEMENT_BYTES);
    gate.label(label);
    checkPast(valid);
    Map<String, Object> checked = gate.values(properties);
    if (id != null) {
      gate.elementId(id);
    }
    requireVertex(out, valid);
    requireVertex(in, valid);
    List<EdgeKey> earlier =
        id == null ? List.of() : reads.edgeIncarnations(id).stream().filter(this::everWas).toList();
    EdgeKey extended = id == null ? null : findExtended(id, out, label, in, earlier, valid);
    gate.take();
    if (extended != null) {
      PendingElement edge = writes.edge(extended);
      (edge != null ? edge : writes.existingEdge(extended, id, label)).addBody(valid, id, checked);
      lifetimes.extend(extended, valid);
      return extended;
    }
    int labelId = names.id(NameKind.EDGE_LABEL, label);
    EdgeKey key = new EdgeKey(out, labelId, in, router.newSequence(out));
    PendingElement edge = new PendingElement(true, id, label);
    edge.addBody(valid, id, checked);
    writes.createEdge(key, edge, earlier);
    if (valid != Stamp.AT_COMMIT) {
      endWithItsEnds(key);
    }
    return key;
  }

  private void endWithItsEnds(EdgeKey key) {
    long end = Math.min(lifetimes.ofVertex(key.out()).end(), lifetimes.ofVertex(key.in()).end());
    if (end != Stamp.MAX) {
      long valid = end == Lifetimes.END_AT_COMMIT ? Stamp.AT_COMMIT : end;
      writes.endEdge(key, valid);
      lifetimes.end(key, valid);
    }
  }

  /**
   * The edge with this id that begins first behind the stamp, or null; an error if one exists at
   * the stamp.
   */
  private @Nullable EdgeKey findExtended(
      String id, long out, String label, long in, List<EdgeKey> earlier, long valid) {
    long at = PendingElement.comparable(valid);
    EdgeKey extended = null;
    long extendedBegin = Stamp.MAX;
    List<EdgeKey> candidates = new ArrayList<>(earlier);
    candidates.addAll(writes.edgesWithId(id));
    for (EdgeKey candidate : candidates) {
      Lifetime lifetime = lifetimes.ofEdge(candidate);
      if (lifetime.contains(at)) {
        throw new GraphMetaException(
            ErrorCode.ALREADY_EXISTS,
            "An edge with id '"
                + id
                + "' exists already "
                + when(valid)
                + "; expected an id that is free then");
      }
      if (lifetime.begin() > at
          && lifetime != Lifetime.NEVER
          && lifetime.begin() <= extendedBegin) {
        extended = candidate;
        extendedBegin = lifetime.begin();
      }
    }
    if (extended != null
        && (extended.out() != out
            || extended.in() != in
            || extended.labelId() != names.id(NameKind.EDGE_LABEL, label))) {
      throw GraphMetaException.invalid(
          "Edge '"
              + id
              + "' joins other vertices or has another label from "
              + Stamp.format(extendedBegin)
              + " on and cannot begin earlier between these");
    }
    return extended;
  }

  PropertyRecord setEdgeProperty(EdgeKey edge, String key, Object value, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    checkPast(valid);
    Object checked = gate.value(key, value);
    PendingElement pending = requireEdge(edge, valid);
    gate.take();
    PropertyRecord property =
        PropertyRecord.single(key, checked, PendingElement.comparable(valid), Stamp.MAX);
    pending.change(key, 0, valid, property);
    return property;
  }

  void removeEdgeProperty(EdgeKey edge, String key, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    gate.key(key);
    checkPast(valid);
    PendingElement pending = requireEdge(edge, valid);
    gate.take();
    pending.change(key, 0, valid, null);
  }

  void removeEdge(EdgeKey edge, long valid) {
    checkPast(valid);
    requireExists(
        lifetimes.ofEdge(edge).contains(PendingElement.comparable(valid)),
        "Edge " + GeneratedIds.ofEdge(edge),
        valid);
    long newest = lifetimes.ofEdge(edge).newestBody();
    if (valid != Stamp.AT_COMMIT && newest > valid) {
      throw GraphMetaException.invalid(
          "Edge "
              + GeneratedIds.ofEdge(edge)
              + " cannot end at "
              + Stamp.format(valid)
              + ": it is known to exist at "
              + Stamp.format(newest));
    }
    removeKnownEdge(edge, valid);
  }

  private void removeKnownEdge(EdgeKey edge, long valid) {
    PendingElement pending = writes.edge(edge);
    if (pending != null && pending.isNeverSeen(valid)) {
      writes.cancelEdge(edge);
      lifetimes.forget(edge);
      return;
    }
    if (pending == null) {
      pending = writes.existingEdge(edge, null, edgeLabel(edge));
    }
    gate.take(WriteGate.CHANGE_BYTES);
    pending.delete(valid);
    lifetimes.end(edge, valid);
  }

  private PendingElement requireEdge(EdgeKey edge, long valid) {
    requireExists(
        lifetimes.ofEdge(edge).contains(PendingElement.comparable(valid)),
        "Edge " + GeneratedIds.ofEdge(edge),
        valid);
    return writes.existingEdge(edge, null, edgeLabel(edge));
  }

  private String edgeLabel(EdgeKey edge) {
    PendingElement pending = writes.edge(edge);
    return pending != null
        ? pending.label()
        : router.schema().name(NameKind.EDGE_LABEL, edge.labelId());
  }

  // Checks

  private void requireVertex(long vertex, long valid) {
    boolean exists = lifetimes.ofVertex(vertex).contains(PendingElement.comparable(valid));
    if (!exists) {
      requireExists(false, "Vertex " + shown(vertex), valid);
    }
  }

  private static void requireExists(boolean exists, String element, long valid) {
    if (!exists) {
      throw new GraphMetaException(ErrorCode.NOT_FOUND, element + " does not exist " + when(valid));
    }
  }

  private String shown(long vertex) {
    String[] shown = {GeneratedIds.ofVertex(vertex)};
    ReadView ever = new ReadView(Stamp.MAX, transaction.snapshot().knownAt());
    reads.vertices(
        new long[] {vertex},
        ever,
        Detail.HISTORY,
        (page, e, position) -> {
          for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
            String given =
                page.propertyKey(row) == RowKeys.BODY ? RecordDecoder.bodyId(page, row) : null;
            shown[0] = given != null ? given : shown[0];
          }
        });
    return "'" + shown[0] + "'";
  }

  private static String when(long valid) {
    return valid == Stamp.AT_COMMIT ? "now" : "at " + Stamp.format(valid);
  }

  private void checkPast(long valid) {
    if (valid != Stamp.AT_COMMIT
        && (valid < Stamp.MIN || valid > transaction.snapshot().validAt())) {
      throw GraphMetaException.invalid(
          "Valid time "
              + (valid < 0 ? Long.toString(valid) : Stamp.format(valid))
              + " lies in the future of this transaction ("
              + Stamp.format(transaction.snapshot().validAt())
              + "); expected a time in the past, or none for now");
    }
  }
}
