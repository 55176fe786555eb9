package io.graphmeta.records;

import io.graphmeta.model.PropertyRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which version of each property slot counts: the one with the latest valid stamp; of
 * several with the same valid stamp the one with the latest committed stamp; of several with the
 * same two stamps the one offered last (a property row is offered after the body of the same
 * commit). Belongs to one thread.
 */
public final class SlotResolver {
  private final Map<Slot, Version> slots = new LinkedHashMap<>();

  /** Offers a version of a property. */
  public void offer(PropertyRecord property) {
    offer(
        new Slot(property.key(), property.valueId()),
        new Version(property.validStamp(), property.committedStamp(), property));
  }

  /** Offers the removal of a property. */
  public void offerTombstone(String key, long valueId, long valid, long committed) {
    offer(new Slot(key, valueId), new Version(valid, committed, null));
  }

  private void offer(Slot slot, Version offered) {
    Version held = slots.get(slot);
    if (held == null
        || offered.valid > held.valid
        || offered.valid == held.valid && offered.committed >= held.committed) {
      slots.put(slot, offered);
    }
  }

  /** The properties that exist; the values of one key stand side by side. */
  public List<PropertyRecord> resolve() {
    Map<String, List<PropertyRecord>> byKey = new LinkedHashMap<>();
    slots.forEach(
        (slot, version) -> {
          if (version.property != null) {
            byKey.computeIfAbsent(slot.key, key -> new ArrayList<>(1)).add(version.property);
          }
        });
    List<PropertyRecord> resolved = new ArrayList<>(slots.size());
    byKey.values().forEach(resolved::addAll);
    return List.copyOf(resolved);
  }

  private record Slot(String key, long valueId) {}

  private record Version(long valid, long committed, @Nullable PropertyRecord property) {}
}
