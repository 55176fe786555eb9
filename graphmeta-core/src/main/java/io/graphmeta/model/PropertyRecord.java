package io.graphmeta.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A version of one property of a vertex or an edge.
 *
 * @param key the property key
 * @param valueId tells the values of a list or set apart; 0 is the single value of a key
 * @param userId the id that the user gave this vertex property, or null
 * @param value the value, of a type of {@link PropertyTypes}
 * @param meta the meta-properties, never null, in the order in which they were given
 * @param ofSet whether it was added to a set, which no other value equal to it may be in
 * @param validStamp when it became true
 * @param committedStamp when the store learned it; {@link io.graphmeta.time.Stamp#MAX} for a write
 *     of the running transaction
 */
public record PropertyRecord(
    String key,
    long valueId,
    @Nullable String userId,
    Object value,
    Map<String, Object> meta,
    boolean ofSet,
    long validStamp,
    long committedStamp) {
  /** The single value of a key, without an id and meta-properties. */
  public static PropertyRecord single(
      String key, Object value, long validStamp, long committedStamp) {
    return new PropertyRecord(key, 0, null, value, Map.of(), false, validStamp, committedStamp);
  }
}
