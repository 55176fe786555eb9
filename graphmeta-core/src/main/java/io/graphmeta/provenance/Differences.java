package io.graphmeta.provenance;

import java.util.List;

/**
 * In what two runs differ, or elements at two times. Immutable.
 *
 * @param all the differences: by element, aspect, id and key
 * @param partial whether a limit on a lineage left something out of the comparison
 */
public record Differences(List<Difference> all, boolean partial) {
  public Differences {
    all = List.copyOf(all);
  }
}
