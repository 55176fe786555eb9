package io.graphmeta.provenance.folding;

import java.util.Locale;

/** At which of two times something is part of a lineage. */
public enum Presence {
  /** At both; all of a lineage that is not compared with another. */
  KEPT,
  /** In the first of the two alone. */
  GONE,
  /** In the second of the two alone. */
  NEW;

  /** The presence as a word for programs, such as {@code gone}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
