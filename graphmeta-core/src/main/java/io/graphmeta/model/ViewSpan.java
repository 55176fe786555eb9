package io.graphmeta.model;

import io.graphmeta.time.Stamp;

/**
 * The part of the two times that is asked for: the views (V, K) with V from {@code validFrom} to
 * that of the last view, and K as the last view has it. A view alone is a span of one.
 *
 * @param validFrom the first valid stamp; not above that of the last view
 * @param last the last of the views
 */
public record ViewSpan(long validFrom, ReadView last) {
  /** Requires that the span does not end before it begins. */
  public ViewSpan {
    if (validFrom > last.validAt()) {
      throw new IllegalArgumentException("A span from " + validFrom + " to " + last.validAt());
    }
  }

  /** The span of one view. */
  public static ViewSpan of(ReadView view) {
    return new ViewSpan(view.validAt(), view);
  }

  @Override
  public String toString() {
    return "ViewSpan[valid from " + Stamp.format(validFrom) + ", " + last + "]";
  }
}
