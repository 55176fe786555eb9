package io.graphmeta.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An edge as one view sees it. Immutable.
 *
 * @param key where it lies
 * @param givenId the id that the user gave, or null
 * @param label the label
 * @param properties all property values, one for each key
 * @param validStamp when the edge began to exist
 * @param committedStamp when the store learned of it
 */
public record EdgeRecord(
    EdgeKey key,
    @Nullable String givenId,
    String label,
    List<PropertyRecord> properties,
    long validStamp,
    long committedStamp) {

  /** The id, given by the user or generated. */
  public String id() {
    return givenId != null ? givenId : GeneratedIds.ofEdge(key);
  }

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
