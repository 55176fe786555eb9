package io.graphmeta.tx;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.ElementLookup;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.time.Stamp;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots of properties with several values: which of them holds a value at a time, as a
 * transaction sees it. Read once for each property of a vertex, then kept up with the writes of the
 * transaction, so that adding many values takes no more than reading those there are. Bounded: what
 * was read is forgotten when there is too much of it.
 *
 * <p>A value of a set has one slot at any time. So a value that is backfilled is put into the slot
 * that holds it from later on, if there is one, and not into another, which would hold it then too.
 * Belongs to the thread of its transaction.
 */
final class ValueSlots {
  private static final int MAX_VERSIONS = 1 << 16;

  private final ElementLookup lookup;
  private final RecordDecoder decoder;
  private final WriteBuffer writes;
  private final ReadView snapshot;
  private final Map<Long, Map<String, Slots>> known = new HashMap<>();
  private int versions;

  ValueSlots(ElementLookup lookup, RecordDecoder decoder, WriteBuffer writes, ReadView snapshot) {
    this.lookup = lookup;
    this.decoder = decoder;
    this.writes = writes;
    this.snapshot = snapshot;
  }

  /**
   * Where a value of a set is put.
   *
   * @param userId the id that a user gave the value in that slot
   * @param meta the meta-properties that it has there then
   */
  record Place(long valueId, @Nullable String userId, Map<String, Object> meta) {}

  /**
   * The slot where a set has a value at a time. If there is none, the slot among those that held it
   * that is the next to change later on; null if there is none, so that the value gets a slot of
   * its own.
   */
  @Nullable Place place(long vertex, String key, Object value, long valid) {
    Slots slots = slots(vertex, key, valid);
    long at = PendingElement.comparable(valid);
    Place next = null;
    long nextAt = 0;
    for (Held held : slots.byValue.getOrDefault(value, Map.of()).values()) {
      PropertyRecord there = slots.at(held.valueId, at);
      if (there != null && there.value().equals(value)) {
        return new Place(held.valueId, there.userId(), there.meta());
      }
      Long change = there == null ? slots.nextChange(held.valueId, at) : null;
      if (change != null
          && (next == null || change < nextAt)
          && (held.valueId != 0 || slots.holds(0, change, value))) {
        next = new Place(held.valueId, held.userId, Map.of());
        nextAt = change;
      }
    }
    return next;
  }

  /** What a slot holds at a time; null if nothing. */
  @Nullable PropertyRecord at(long vertex, String key, long valueId, long valid) {
    return slots(vertex, key, valid).at(valueId, PendingElement.comparable(valid));
  }

  /** Notes a write of this transaction; a null property is a removal. */
  void wrote(long vertex, String key, long valueId, long valid, @Nullable PropertyRecord property) {
    Map<String, Slots> ofVertex = known.get(vertex);
    Slots slots = ofVertex == null ? null : ofVertex.get(key);
    if (ofVertex == null || slots == null) {
      return;
    }
    if (valid != Stamp.AT_COMMIT && !slots.withPast) {
      ofVertex.remove(key); // what comes behind it is not known
      return;
    }
    slots.put(valueId, PendingElement.comparable(valid), Stamp.MAX, property);
    versions++;
  }

  /** Forgets what was read of a vertex, which is changed otherwise. */
  void forget(long vertex) {
    known.remove(vertex);
  }

  private Slots slots(long vertex, String key, long valid) {
    PendingElement pending = writes.vertex(vertex);
    boolean withPast = valid != Stamp.AT_COMMIT || (pending != null && pending.isBackfilled());
    Slots slots = known.computeIfAbsent(vertex, v -> new HashMap<>()).get(key);
    if (slots == null || (withPast && !slots.withPast)) {
      slots = read(vertex, key, withPast, pending);
      if (versions > MAX_VERSIONS) {
        known.clear();
        versions = 0;
      }
      versions += slots.size();
      known.computeIfAbsent(vertex, v -> new HashMap<>()).put(key, slots);
    }
    return slots;
  }

  private Slots read(long vertex, String key, boolean withPast, @Nullable PendingElement pending) {
    Slots slots = new Slots(withPast);
    if (pending == null || !pending.isCreated()) {
      lookup.vertices(
          new long[] {vertex},
          snapshot,
          withPast ? Detail.HISTORY : Detail.PROPERTIES,
          (page, e, position) -> stored(page, e, key, slots));
    }
    if (pending != null) {
      for (PendingElement.Body body : pending.bodies()) {
        Object value = body.properties().get(key);
        if (value != null) {
          long at = PendingElement.comparable(body.valid());
          slots.put(0, at, Stamp.MAX, PropertyRecord.single(key, value, at, Stamp.MAX));
        }
      }
      pending.forEachChange(
          (name, valueId, valid, property) -> {
            if (name.equals(key)) {
              slots.put(valueId, PendingElement.comparable(valid), Stamp.MAX, property);
            }
          });
    }
    return slots;
  }

  private void stored(ElementPage page, int e, String key, Slots slots) {
    for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
      long valid = page.valid(row);
      long committed = page.committed(row);
      if (page.propertyKey(row) == RowKeys.BODY) {
        decoder.readBody(
            page,
            row,
            property -> {
              if (property.key().equals(key)) {
                slots.put(0, valid, committed, property);
              }
            });
      } else if (decoder.propertyKey(page.propertyKey(row)).equals(key)) {
        slots.put(page.valueId(row), valid, committed, decoder.readProperty(page, row));
      }
    }
  }

  /** A slot that holds a value at some time, or did. */
  private record Held(long valueId, @Nullable String userId) {}

  /** The slots of one property of a vertex. */
  private static final class Slots {
    private final boolean withPast;
    private final Map<Long, TreeMap<Long, Version>> byId = new HashMap<>();
    private final Map<Object, Map<Long, Held>> byValue = new HashMap<>();

    private record Version(long committed, Optional<PropertyRecord> property) {}

    /** Slots with all versions, or with those that count now. */
    Slots(boolean withPast) {
      this.withPast = withPast;
    }

    int size() {
      return byId.values().stream().mapToInt(TreeMap::size).sum();
    }

    void put(long valueId, long at, long committed, @Nullable PropertyRecord property) {
      TreeMap<Long, Version> ofSlot = byId.computeIfAbsent(valueId, id -> new TreeMap<>());
      Version held = ofSlot.get(at);
      if (held == null || held.committed <= committed) {
        ofSlot.put(at, new Version(committed, Optional.ofNullable(property)));
      }
      if (property != null) {
        byValue
            .computeIfAbsent(property.value(), v -> new LinkedHashMap<>(2))
            .put(valueId, new Held(valueId, property.userId()));
      }
    }

    @Nullable PropertyRecord at(long valueId, long at) {
      TreeMap<Long, Version> ofSlot = byId.get(valueId);
      return ofSlot == null ? null : property(ofSlot.floorEntry(at));
    }

    /** When a slot changes next; null for never. */
    @Nullable Long nextChange(long valueId, long at) {
      TreeMap<Long, Version> ofSlot = byId.get(valueId);
      return ofSlot == null ? null : ofSlot.higherKey(at);
    }

    boolean holds(long valueId, long at, Object value) {
      PropertyRecord held = at(valueId, at);
      return held != null && held.value().equals(value);
    }

    private static @Nullable PropertyRecord property(Map.@Nullable Entry<Long, Version> entry) {
      return entry == null ? null : entry.getValue().property.orElse(null);
    }
  }
}
