package io.graphmeta.stage.level;

import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanResult.Reduction;
import io.graphmeta.rows.ElementCandidates.Order;
import io.graphmeta.stage.results.Results;
import org.jspecify.annotations.Nullable;

/**
 * The order in which a scan reads elements of which the first in the order of a property are
 * wanted: part by part, the first parts small and each larger than the one before, until what was
 * found cannot be surpassed by what follows. Belongs to one thread at a time.
 */
final class ScanOrder {
  private static final int LEAST_ABOUT = 64;
  private static final int MOST_ABOUT = 1 << 16;
  private static final int GROWTH = 8;

  private final Results results;
  private final String key;
  private final boolean falling;
  private final boolean ofOneType;
  private final int firstAbout;
  private int about;
  private @Nullable Object behind;

  private ScanOrder(Results results, String key, boolean falling, boolean ofOneType, long wanted) {
    this.results = results;
    this.key = key;
    this.falling = falling;
    this.ofOneType = ofOneType;
    this.firstAbout = (int) Math.max(LEAST_ABOUT, Math.min(MOST_ABOUT, wanted));
    this.about = firstAbout;
  }

  /** The order that a plan wants; null if it does not want the first of what it scans. */
  static @Nullable ScanOrder of(Plan plan, Results results) {
    if (!plan.endsAtScan()) {
      return null;
    }
    if (plan.result() instanceof PlanResult.Top top) {
      PlanResult.Ordering first = top.by().get(0);
      return new ScanOrder(results, first.key(), first.descending(), false, top.limit());
    }
    // The type of a number in the answer depends on the types of all.
    return plan.result() instanceof PlanResult.Reduced reduced
            && (reduced.reduction() == Reduction.MIN || reduced.reduction() == Reduction.MAX)
        ? new ScanOrder(results, reduced.key(), reduced.reduction() == Reduction.MAX, true, 1)
        : null;
  }

  /** The part that is to be read now. */
  Order part() {
    return new Order(key, falling, behind, about, ofOneType);
  }

  /**
   * Goes on behind a part; false if nothing behind it can be among the first.
   *
   * @param last the last value of the part that was read
   */
  boolean next(Object last) {
    behind = last;
    about = Math.min(MOST_ABOUT, about * GROWTH);
    return !results.isSettled(falling, last);
  }

  /** Begins anew, with other elements. */
  void restart() {
    behind = null;
    about = firstAbout;
  }
}
