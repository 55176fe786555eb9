package io.graphmeta.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry in the history of a vertex or an edge.
 *
 * @param operation what happened
 * @param propertyKey the property that changed, or null when the element itself came or went
 * @param valueId which value of a list or set
 * @param value the new value, or null for removals and for the element itself
 * @param properties for {@link Operation#CREATE}: the properties given at creation; else the
 *     meta-properties
 * @param validStamp when it became true
 * @param committedStamp when the store learned it
 */
public record ElementVersion(
    Operation operation,
    @Nullable String propertyKey,
    long valueId,
    @Nullable Object value,
    Map<String, Object> properties,
    long validStamp,
    long committedStamp) {

  /** What a version did. */
  public enum Operation {
    /** The element began to exist. */
    CREATE,
    /** A property was set. */
    SET,
    /** A property was removed. */
    REMOVE,
    /** The element ceased to exist. */
    DELETE
  }
}
