package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.StoredElements;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.records.SlotResolver;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes properties of vertices into the {@link WriteBuffer}. Everything is checked before anything
 * is taken. Belongs to the thread of its transaction.
 *
 * <p>A property of one value has the slot with value id 0; each value of a list or a set has a slot
 * of its own. Setting a single value removes the values in all other slots of the key.
 */
final class VertexPropertyWrites {
  private final StoredElements stored;
  private final ReadView snapshot;
  private final WriteBuffer writes;
  private final WriteGate gate;
  private final LifetimeRules rules;
  private final TransactionNames names;
  private final ValueSlots slots;

  VertexPropertyWrites(
      StoredElements stored,
      ReadView snapshot,
      WriteBuffer writes,
      WriteGate gate,
      LifetimeRules rules,
      TransactionNames names,
      ValueSlots slots) {
    this.stored = stored;
    this.snapshot = snapshot;
    this.writes = writes;
    this.gate = gate;
    this.rules = rules;
    this.names = names;
    this.slots = slots;
  }

  PropertyRecord set(
      long vertex,
      String key,
      Object value,
      Cardinality cardinality,
      Map<String, ?> meta,
      @Nullable String userId,
      long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    rules.requirePast(valid);
    Object checked = gate.value(key, value);
    Map<String, Object> checkedMeta = gate.values(meta);
    gate.propertyId(userId);
    rules.requireVertex(vertex, valid);
    if (cardinality == Cardinality.SINGLE) {
      List<PropertyRecord> others =
          names.isMultiValued(key) ? otherValues(vertex, key, valid) : List.of();
      gate.more(WriteGate.CHANGE_BYTES * others.size());
      gate.take();
      others.forEach(other -> take(vertex, key, other.valueId(), null, valid));
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
    long valueId = stored.router().newSequence(vertex);
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
      return property(key, stored.router().newSequence(vertex), userId, value, meta, true, valid);
    }
    Map<String, Object> merged = new LinkedHashMap<>(place.meta());
    merged.putAll(meta);
    return property(key, place.valueId(), place.userId(), value, merged, true, valid);
  }

  PropertyRecord setMeta(long vertex, String key, long valueId, Map<String, ?> meta, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    rules.requirePast(valid);
    Map<String, Object> checkedMeta = gate.values(meta);
    rules.requireVertex(vertex, valid);
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
        "Vertex "
            + rules.shown(vertex)
            + " has no such value of property '"
            + key
            + "' "
            + LifetimeRules.when(valid));
  }

  void remove(long vertex, String key, long valueId, long valid) {
    gate.begin(WriteGate.CHANGE_BYTES);
    gate.key(key);
    rules.requirePast(valid);
    rules.requireVertex(vertex, valid);
    gate.take();
    take(vertex, key, valueId, null, valid);
  }

  /** The values that are not in the slot of a single one. */
  private List<PropertyRecord> otherValues(long vertex, String key, long valid) {
    return propertiesAt(vertex, valid).stream()
        .filter(property -> property.key().equals(key) && property.valueId() != 0)
        .toList();
  }

  /** The properties of a vertex that exists at a valid stamp, with what this transaction wrote. */
  private List<PropertyRecord> propertiesAt(long vertex, long valid) {
    PendingElement pending = writes.vertex(vertex);
    long at = PendingElement.comparable(valid);
    if (pending != null && pending.isCreated()) {
      SlotResolver resolver = new SlotResolver();
      pending.offerTo(resolver, at);
      return resolver.resolve();
    }
    ReadView view = valid == Stamp.AT_COMMIT ? snapshot : new ReadView(valid, snapshot.knownAt());
    List<PropertyRecord> found = new ArrayList<>();
    RecordDecoder decoder = stored.decoder();
    stored
        .lookup()
        .vertices(
            new long[] {vertex},
            view,
            Detail.PROPERTIES,
            (page, e, position) ->
                found.addAll(
                    decoder.vertex(page, e, PendingElement.changes(pending, at)).properties()));
    return found;
  }

  private PropertyRecord put(long vertex, PropertyRecord property, long valid) {
    take(vertex, property.key(), property.valueId(), property, valid);
    return property;
  }

  /** Takes what a slot holds from a valid stamp on; nothing if the property is null. */
  private void take(
      long vertex, String key, long valueId, @Nullable PropertyRecord property, long valid) {
    writes
        .existingVertex(vertex, null, names.vertexLabel(vertex))
        .change(key, valueId, valid, property);
    slots.wrote(vertex, key, valueId, valid, property);
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
}
