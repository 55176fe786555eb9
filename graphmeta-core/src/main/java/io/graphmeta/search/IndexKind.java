package io.graphmeta.search;

import java.util.Locale;

/** What an index can be asked. The ordinal is part of the stored format: append only. */
public enum IndexKind {
  /** Equality, and the beginnings of texts. */
  EXACT,
  /** Order of numbers, whatever their types, and of dates. */
  RANGE,
  /** Parts of texts, of three characters or more. */
  FRAGMENT,
  /** Words of paths: their components, also cut at {@code _ . -}. */
  PATH,
  /** Words of command lines; flags whole, {@code --nodes=4} by its parts too. */
  COMMAND,
  /** Words of any text. */
  WORDS;

  /** The name that users write. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
