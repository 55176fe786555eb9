package io.graphmeta.archive;

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
   * Fails if it names a label that nothing has.
   *
   * @throws GraphMetaException {@code NOT_FOUND}
   */
  public void requireLabels(SchemaImage names) {
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
  }

  /**
   * The horizons of labels at a moment, by the ids of labels that are not kept for ever.
   *
   * @param newest the stamp that no horizon may pass
   * @param kind that of labels of vertices or of edges
   */
  public Map<Integer, Long> horizons(Instant now, long newest, SchemaImage names, NameKind kind) {
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
