package io.graphmeta.provenance.folding;

import java.util.Locale;

/** At which of two times something is part of a lineage. */
public enum Presence {
  /** At both; all of a lineage that is not compared with another. */
  KEPT,
  /** At the first time alone. */
  GONE,
  /** At the second time alone. */
  NEW;

  /** The presence as a word for programs, such as {@code gone}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
