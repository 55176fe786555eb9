package io.graphmeta.tx;

import io.graphmeta.model.PropertyRecord;
import io.graphmeta.records.SlotResolver;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction has written to one element: bodies (its creation, or its extension into the
 * past), versions of properties, and perhaps its end. Belongs to the thread of its transaction.
 *
 * <p>A property of an element that the same transaction creates is kept in the body as long as it
 * is a single value without meta-properties that becomes true with the body, so that a new element
 * is one row.
 */
final class PendingElement {
  private final boolean created;
  private final @Nullable String givenId;
  private final String label;
  private final List<Body> bodies = new ArrayList<>(1);
  private Map<Slot, Map<Long, Optional<PropertyRecord>>> changes =
      Map.of(); // few new elements change before they are committed
  private boolean changesPast;
  private boolean deleted;
  private long deletedValid;

  PendingElement(boolean created, @Nullable String givenId, String label) {
    this.created = created;
    this.givenId = givenId;
    this.label = label;
  }

  /** True if this transaction creates the element. */
  boolean isCreated() {
    return created;
  }

  @Nullable String givenId() {
    return givenId;
  }

  String label() {
    return label;
  }

  boolean isDeleted() {
    return deleted;
  }

  long deletedValid() {
    return deletedValid;
  }

  List<Body> bodies() {
    return bodies;
  }

  /**
   * When the first pending body becomes true, as a stamp to compare with; {@link Stamp#MAX} for at
   * commit.
   */
  long firstValid() {
    long first = Stamp.MAX;
    for (Body body : bodies) {
      first = Math.min(first, comparable(body.valid));
    }
    return first;
  }

  /** Adds a body; it carries the id given to the element. */
  void addBody(long valid, @Nullable String id, Map<String, Object> properties) {
    bodies.add(new Body(valid, id, properties));
  }

  /** When the element exists, by its pending bodies alone. */
  Lifetime lifetime() {
    long newest = Stamp.MIN;
    for (Body body : bodies) {
      newest = Math.max(newest, comparable(body.valid));
    }
    return new Lifetime(firstValid(), Stamp.MAX, newest);
  }

  /**
   * Ends the element. What would begin at that moment does not begin; {@link #isNeverSeen} elements
   * are cancelled instead.
   */
  void delete(long valid) {
    bodies.removeIf(body -> body.valid == valid);
    deleted = true;
    deletedValid = valid;
  }

  /**
   * True if the element would begin and end at the same moment, so that nobody could ever see it.
   */
  boolean isNeverSeen(long endValid) {
    return created && bodies.stream().allMatch(body -> body.valid == endValid);
  }

  /** Sets or, with a null property, removes what a slot holds from a valid stamp on. */
  void change(String key, long valueId, long valid, @Nullable PropertyRecord property) {
    Slot slot = new Slot(key, valueId);
    if (created && property != null && valueId == 0 && !changes.containsKey(slot)) {
      Body body = bodies.get(0);
      if (body.valid == valid && property.meta().isEmpty() && property.userId() == null) {
        body.properties.put(key, property.value());
        return;
      }
    }
    changesPast |= valid != Stamp.AT_COMMIT;
    if (changes.isEmpty()) {
      changes = new LinkedHashMap<>();
    }
    changes
        .computeIfAbsent(slot, s -> new LinkedHashMap<>(2))
        .put(valid, Optional.ofNullable(property));
  }

  /** True if something of it became true in the past and is only now learned of. */
  boolean isBackfilled() {
    return bodies.stream().anyMatch(body -> body.valid != Stamp.AT_COMMIT) || changesPast;
  }

  /** True if a property of it was changed, but for those that it was created with. */
  boolean hasChanges() {
    return !changes.isEmpty();
  }

  /** Calls the visitor for every changed slot version. */
  void forEachChange(ChangeVisitor visitor) {
    changes.forEach(
        (slot, versions) ->
            versions.forEach(
                (valid, property) ->
                    visitor.change(slot.key, slot.valueId, valid, property.orElse(null))));
  }

  /** What does {@link #offerTo}; null for an element that was not changed. */
  static @Nullable Consumer<SlotResolver> changes(@Nullable PendingElement pending, long validAt) {
    return pending == null ? null : slots -> pending.offerTo(slots, validAt);
  }

  /**
   * Lays the pending versions that are true at a valid stamp over the stored ones; {@link
   * Stamp#MAX} is now.
   */
  void offerTo(SlotResolver slots, long validAt) {
    for (Body body : bodies) {
      long valid = comparable(body.valid);
      if (valid <= validAt) {
        body.properties.forEach(
            (key, value) -> slots.offer(PropertyRecord.single(key, value, valid, Stamp.MAX)));
      }
    }
    forEachChange(
        (key, valueId, valid, property) -> {
          if (comparable(valid) > validAt) {
            return;
          }
          if (property == null) {
            slots.offerTombstone(key, valueId, comparable(valid), Stamp.MAX);
          } else {
            slots.offer(property);
          }
        });
  }

  /**
   * A valid stamp as one to compare with: what becomes true at commit is later than all that is
   * stored.
   */
  static long comparable(long valid) {
    return valid == Stamp.AT_COMMIT ? Stamp.MAX : valid;
  }

  record Body(long valid, @Nullable String id, Map<String, Object> properties) {}

  private record Slot(String key, long valueId) {}

  /** Receives changed slots; a null property is a removal. */
  @FunctionalInterface
  interface ChangeVisitor {
    void change(String key, long valueId, long valid, @Nullable PropertyRecord property);
  }
}
