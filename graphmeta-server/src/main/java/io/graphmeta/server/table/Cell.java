package io.graphmeta.server.table;

import org.jspecify.annotations.Nullable;

/**
 * A value of a row.
 *
 * @param text as it is to be shown; null for no value
 * @param isNumber whether it is a number, which is aligned as such and never taken for a formula
 */
public record Cell(@Nullable String text, boolean isNumber) {
  /** No value, which is another thing than an empty text. */
  public static final Cell NONE = new Cell(null, false);
}
