package io.graphmeta.shard.retention;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.schema.NameKind;
import io.graphmeta.schema.SchemaImage;
import io.graphmeta.schema.SchemaName;
import io.graphmeta.time.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long versions are kept after something newer has taken their place. Immutable.
 *
 * @param ages by the names of labels, of vertices and edges alike; {@value #OTHERS} for all labels
 *     that are not named. What has no age is kept for ever
 */
public record RetentionPolicy(Map<String, Duration> ages) {
  /** Stands for all labels without an age of their own. */
  public static final String OTHERS = "*";

  /** Copies what is given; no age may be negative. */
  public RetentionPolicy {
    ages = Map.copyOf(ages);
    ages.forEach(
        (label, age) -> {
          if (age.isNegative()) {
            throw GraphMetaException.invalid(
                "Label '" + label + "' is kept for " + age + "; expected an age of 0 or more");
          }
        });
  }

  /**
   * What the policy says at a moment.
   *
   * @param newest the stamp that no horizon may pass
   * @throws GraphMetaException {@code NOT_FOUND} if nothing has a label that is named
   */
  public Horizons at(Instant now, long newest, SchemaImage names) {
    for (String label : ages.keySet()) {
      if (!label.equals(OTHERS)
          && names.id(NameKind.VERTEX_LABEL, label) == 0
          && names.id(NameKind.EDGE_LABEL, label) == 0) {
        throw new GraphMetaException(
            ErrorCode.NOT_FOUND,
            "No vertex and no edge has the label '"
                + label
                + "'; expected one that is in the database, or '"
                + OTHERS
                + "' for all others");
      }
    }
    return new Horizons(
        at(now, newest, names, NameKind.VERTEX_LABEL), at(now, newest, names, NameKind.EDGE_LABEL));
  }

  private Map<Integer, Long> at(Instant now, long newest, SchemaImage names, NameKind kind) {
    Map<Integer, Long> horizons = new TreeMap<>();
    for (SchemaName name : names.names(kind)) {
      Duration own = ages.get(name.name());
      Duration age = own == null ? ages.get(OTHERS) : own;
      if (age != null && age.compareTo(Duration.between(Instant.EPOCH, now)) < 0) {
        horizons.put(name.id(), Math.min(newest, Stamp.startOf(now.minus(age))));
      }
    }
    return horizons;
  }
}
