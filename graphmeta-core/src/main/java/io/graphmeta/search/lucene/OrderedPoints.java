package io.graphmeta.search.lucene;

import io.graphmeta.search.AttributeIndex.OrderedPart;
import io.graphmeta.time.Stamp;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Looks up where the next so many values of a definition end, in their order. The trees of points
 * are walked from the end that comes first, and only as far as that. What it answers is where to
 * look for candidates: it need not be exact, and is of what is live, whether or not a view sees it.
 */
final class OrderedPoints {
  private final OrderedPart part;
  private final List<LeafReader> leaves = new ArrayList<>();
  private final String field;
  private final boolean ofDates;

  /** The best so far, the last of them on top: of each the sortable bits of its point. */
  private final PriorityQueue<Long> best;

  private long behind;

  private OrderedPoints(OrderedPart part, List<Side> sides, boolean ofDates) {
    this.part = part;
    this.ofDates = ofDates;
    field =
        ofDates
            ? VersionDocuments.dates(part.definition())
            : VersionDocuments.numbers(part.definition());
    for (Side side : sides) {
      for (LeafReaderContext leaf : side.reader().leaves()) {
        leaves.add(leaf.reader());
      }
    }
    best =
        new PriorityQueue<>(
            (one, other) -> part.falling() ? Long.compare(one, other) : Long.compare(other, one));
  }

  /**
   * Walks the points of some sides.
   *
   * @return null if there are points of numbers and of dates, or none, or others than before
   */
  static @Nullable OrderedPoints of(OrderedPart part, List<Side> sides) throws IOException {
    OrderedPoints numbers = new OrderedPoints(part, sides, false);
    OrderedPoints dates = new OrderedPoints(part, sides, true);
    boolean hasNumbers = numbers.hasPoints();
    if (hasNumbers == dates.hasPoints()) {
      return null;
    }
    OrderedPoints points = hasNumbers ? numbers : dates;
    return part.behind() == null || points.goOnBehind(part.behind()) ? points : null;
  }

  private boolean goOnBehind(Object value) {
    if (ofDates && value instanceof OffsetDateTime date) {
      behind = Stamp.epochMicros(date.toInstant());
      return true;
    } else if (!ofDates && value instanceof Double number) {
      behind = NumericUtils.doubleToSortableLong(number);
      return true;
    }
    return false;
  }

  private boolean hasPoints() throws IOException {
    for (LeafReader leaf : leaves) {
      if (leaf.getPointValues(field) != null) {
        return true;
      }
    }
    return false;
  }

  /** The value of the last of the next so many; null if there are not so many. */
  @Nullable Object last() throws IOException {
    for (LeafReader leaf : leaves) {
      PointValues points = leaf.getPointValues(field);
      if (points != null) {
        walk(points.getPointTree(), leaf.getLiveDocs());
      }
    }
    Long last = best.size() < part.about() ? null : best.peek();
    if (last == null) {
      return null;
    }
    return ofDates ? Bounds.date(last) : NumericUtils.sortableLongToDouble(last);
  }

  private void walk(PointTree tree, @Nullable Bits live) throws IOException {
    long least = NumericUtils.sortableBytesToLong(tree.getMinPackedValue(), 0);
    long greatest = NumericUtils.sortableBytesToLong(tree.getMaxPackedValue(), 0);
    if (!isWanted(part.falling() ? greatest : least) || isAllBefore(least, greatest)) {
      return;
    }
    if (!tree.moveToChild()) {
      visit(tree, live);
      return;
    }
    PointTree left = tree.clone();
    boolean hasRight = tree.moveToSibling();
    if (part.falling()) {
      if (hasRight) {
        walk(tree, live);
      }
      walk(left, live);
    } else {
      walk(left, live);
      if (hasRight) {
        walk(tree, live);
      }
    }
  }

  private void visit(PointTree leaf, @Nullable Bits live) throws IOException {
    leaf.visitDocValues(
        new PointValues.IntersectVisitor() {
          @Override
          public void visit(int doc) {
            throw new AssertionError("All cells are visited with their values");
          }

          @Override
          public void visit(int doc, byte[] packed) {
            if (live == null || live.get(doc)) {
              take(NumericUtils.sortableBytesToLong(packed, 0));
            }
          }

          @Override
          public PointValues.Relation compare(byte[] least, byte[] greatest) {
            return PointValues.Relation.CELL_CROSSES_QUERY;
          }
        });
  }

  private void take(long point) {
    if (isWanted(point) && !isAllBefore(point, point)) {
      best.add(point);
      if (best.size() > part.about()) {
        best.poll();
      }
    }
  }

  /** Whether a point comes before the last of the best, or these are not complete. */
  private boolean isWanted(long point) {
    Long last = best.size() < part.about() ? null : best.peek();
    return last == null || (part.falling() ? point > last : point < last);
  }

  /** Whether all points from one to another were in parts before. */
  private boolean isAllBefore(long least, long greatest) {
    return part.behind() != null && (part.falling() ? least >= behind : greatest <= behind);
  }
}
