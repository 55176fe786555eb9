package io.graphmeta.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An edge as one view sees it. Immutable.
 *
 * @param key where it lies
 * @param id the id, given by the user or generated
 * @param label the label
 * @param properties all property values, one for each key
 * @param validStamp when the edge began to exist
 * @param committedStamp when the store learned of it
 */
public record EdgeRecord(
    EdgeKey key,
    String id,
    String label,
    List<PropertyRecord> properties,
    long validStamp,
    long committedStamp) {

  /** The value of a key, or null. */
  public @Nullable Object value(String propertyKey) {
    for (PropertyRecord property : properties) {
      if (property.key().equals(propertyKey)) {
        return property.value();
      }
    }
    return null;
  }
}
