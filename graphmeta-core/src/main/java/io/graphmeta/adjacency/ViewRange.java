package io.graphmeta.adjacency;

import io.graphmeta.model.ReadView;

/**
 * The views for which what is read at one view is the same: those that see the same of all versions
 * that were looked at. A version that was seen keeps out the views that do not see it, one that was
 * not seen those that do. What no decision needed to look at must not be told. Belongs to one
 * thread.
 */
public final class ViewRange {
  private long leastValid;
  private long leastKnown;
  private long validLimit;
  private long knownLimit;

  /** For all views. */
  public ViewRange() {
    clear();
  }

  /** Begins anew: for all views. */
  public void clear() {
    leastValid = Long.MIN_VALUE;
    leastKnown = Long.MIN_VALUE;
    validLimit = Long.MAX_VALUE;
    knownLimit = Long.MAX_VALUE;
  }

  /** A version was seen. */
  public void seen(long valid, long committed) {
    leastValid = Math.max(leastValid, valid);
    leastKnown = Math.max(leastKnown, committed);
  }

  /** A version was not seen at a view. */
  public void unseen(long valid, long committed, long validAt) {
    if (valid > validAt) {
      validLimit = Math.min(validLimit, valid);
    } else {
      knownLimit = Math.min(knownLimit, committed);
    }
  }

  /** Versions of later valid stamps than that of a view were passed over unlooked at. */
  public void passedOver(ReadView view) {
    validLimit = Math.min(validLimit, view.validAt() + 1);
  }

  /** Writes the range into a unit. */
  void copyTo(long[] unit) {
    unit[Unit.LEAST_VALID] = leastValid;
    unit[Unit.LEAST_KNOWN] = leastKnown;
    unit[Unit.VALID_LIMIT] = validLimit;
    unit[Unit.KNOWN_LIMIT] = knownLimit;
  }
}
