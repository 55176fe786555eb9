package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyTypes;
import io.graphmeta.schema.SchemaName;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one way for names, ids and values into a transaction: each is checked here, and what it takes
 * is counted, before any of a write is taken. A write opens the gate with {@link #begin}, passes
 * through it all that it brings, and is {@linkplain #take charged} as a whole; what was refused on
 * the way was not counted. Belongs to the thread of its transaction.
 */
final class WriteGate {
  /** About what an element that is created takes in memory, without what it carries. */
  static final long ELEMENT_BYTES = 512;

  /** About what a change of an element takes in memory, or its end, without what it carries. */
  static final long CHANGE_BYTES = 256;

  private static final long PROPERTY_BYTES = 48;

  private final WriteBuffer writes;
  private final TransactionLimits limits;
  private long passed;

  WriteGate(WriteBuffer writes, TransactionLimits limits) {
    this.writes = writes;
    this.limits = limits;
  }

  /** Begins a write that takes so much beside what it brings. */
  void begin(long bytes) {
    passed = bytes;
  }

  /** Counts something that comes with the write. */
  void more(long bytes) {
    passed += bytes;
  }

  /** Charges the transaction with the write. */
  void take() {
    writes.charge(passed);
  }

  /** As {@link #take}, of a write that brings nothing. */
  void take(long bytes) {
    begin(bytes);
    take();
  }

  /** Refuses a write before it is gathered, if it would take more than is left. */
  void requireRoom(long bytes) {
    writes.requireRoom(bytes);
  }

  /** A label of an element. */
  void label(String label) {
    name(label, "label");
    if (label.startsWith(GeneratedIds.PREFIX)) {
      throw GraphMetaException.invalid(
          "Label '"
              + label
              + "' begins with '"
              + GeneratedIds.PREFIX
              + "', as what the database keeps for itself does; expected another label");
    }
  }

  /** The key of a property. */
  void key(String key) {
    name(key, "property key");
  }

  private void name(String name, String what) {
    if (name.isEmpty()) {
      throw GraphMetaException.invalid("An empty " + what + "; expected a name");
    }
    long bytes = PropertyTypes.utf8Bytes(name);
    if (bytes > SchemaName.MAX_BYTES) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "The "
              + what
              + " '"
              + start(name)
              + "' has "
              + bytes
              + " bytes; expected at most "
              + SchemaName.MAX_BYTES);
    }
    passed += bytes;
  }

  /** The id of an element. */
  void elementId(String id) {
    if (id.isEmpty() || GeneratedIds.isReserved(id)) {
      throw GraphMetaException.invalid(
          "Id '"
              + start(id)
              + "' cannot be given; expected a text that is not empty and does not begin with '"
              + GeneratedIds.PREFIX
              + "', which generated ids do");
    }
    id(id);
  }

  /** The id of a property of a vertex. */
  void propertyId(@Nullable String id) {
    if (id != null) {
      id(id);
    }
  }

  private void id(String id) {
    long bytes = PropertyTypes.utf8Bytes(id);
    if (bytes > limits.maxIdBytes()) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "Id '"
              + start(id)
              + "' has "
              + bytes
              + " bytes; expected at most "
              + limits.maxIdBytes()
              + " (graphmeta.max-id-bytes)");
    }
    passed += 2 * bytes;
  }

  /** The immutable copy of a value of a property. */
  Object value(String key, @Nullable Object value) {
    key(key);
    Object supported = PropertyTypes.requireSupported(key, value);
    long bytes = PropertyTypes.estimatedBytes(supported);
    if (bytes > limits.maxValueBytes()) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "Property '"
              + key
              + "' has about "
              + bytes
              + " bytes; expected at most "
              + limits.maxValueBytes()
              + " (graphmeta.max-value-bytes)");
    }
    passed += PROPERTY_BYTES + bytes;
    return PropertyTypes.copy(supported);
  }

  /** Immutable copies of the values of properties, or of properties of a property. */
  Map<String, Object> values(Map<String, ?> properties) {
    Map<String, Object> taken = new LinkedHashMap<>(2 * properties.size());
    for (Map.Entry<String, ?> property : properties.entrySet()) {
      taken.put(property.getKey(), value(property.getKey(), property.getValue()));
    }
    return taken;
  }

  /** Counts values that were stored before and are to be written again. */
  void again(Map<String, Object> stored) {
    stored.forEach(this::again);
  }

  /** Counts a value that was stored before and is to be written again. */
  void again(String key, Object stored) {
    passed += PROPERTY_BYTES + key.length() + PropertyTypes.estimatedBytes(stored);
  }

  private static String start(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }
}
