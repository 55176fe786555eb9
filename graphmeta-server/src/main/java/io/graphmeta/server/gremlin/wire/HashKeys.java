package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Refusal;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Counts the keys of one set or map that a client sends. Among many keys with the same hash, Java
 * finds one by its order, if its class has an order. Lists and maps have none, and their hashes are
 * easily made equal; to add many of them would take the square of their number in time. So a set or
 * map may have few such keys. Belongs to one set or map.
 */
final class HashKeys {
  private static final int MAX_WITHOUT_ORDER = 1000;

  private static final Set<Class<?>> ORDERED =
      Set.of(
          String.class,
          Boolean.class,
          Character.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          Date.class,
          Instant.class,
          OffsetDateTime.class);

  private int withoutOrder;

  /**
   * The key, counted.
   *
   * @throws Refusal if there are too many
   */
  @Nullable Object counted(@Nullable Object key) {
    if (key != null && !ORDERED.contains(key.getClass()) && ++withoutOrder > MAX_WITHOUT_ORDER) {
      throw Refusal.invalid(
          "A set or map has more than "
              + MAX_WITHOUT_ORDER
              + " keys that are lists, maps or other values without an order; give them as a list");
    }
    return key;
  }
}
