package io.graphmeta.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A vertex as one view sees it. Immutable.
 *
 * @param key the vertex key
 * @param givenId the id that the user gave, or null
 * @param label the label
 * @param properties all property values, those of one key in a row
 * @param validStamp when the vertex began to exist
 * @param committedStamp when the store learned of it
 */
public record VertexRecord(
    long key,
    @Nullable String givenId,
    String label,
    List<PropertyRecord> properties,
    long validStamp,
    long committedStamp) {

  /** The id, given by the user or generated. */
  public String id() {
    return givenId != null ? givenId : GeneratedIds.ofVertex(key);
  }

  /** The first value of a key, or null. */
  public @Nullable Object value(String propertyKey) {
    for (PropertyRecord property : properties) {
      if (property.key().equals(propertyKey)) {
        return property.value();
      }
    }
    return null;
  }
}
