package io.graphmeta.server.layout;

import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Finds heights of the points of all columns. Each point wishes to lie at the mean of its
 * neighbours; lines between bends pull hardest, so that they become straight. Of all heights that
 * keep the order and the distances of a column, those nearest to the wishes are found by pooling
 * adjacent violators: with the distances taken off, wishes that go down where they should go up are
 * replaced by their common mean. Boxes of an earlier picture wish to lie where they did there. Used
 * by one thread.
 */
final class Heights {
  private static final int ROUNDS = 12;
  private static final int BEND_HEIGHT = 4;
  private static final int GAP = 14;
  private static final int GAP_OF_BENDS = 8;
  private static final int PULL_OF_EARLIER = 64;

  private final LayoutGraph graph;
  private final Columns columns;
  private final int[][] order;
  private final int[] heights;
  private final double[] middle;

  /** Of each column: how far each point lies below the first, if all are as near as they may. */
  private final int[][] offsets;

  Heights(LayoutGraph graph, Columns columns, int[][] order) {
    this.graph = graph;
    this.columns = columns;
    this.order = order;
    this.heights = new int[columns.columnOf.length];
    for (int point = 0; point < heights.length; point++) {
      int height = columns.isBend(point) ? BEND_HEIGHT : graph.boxes().get(point).height();
      heights[point] = height + height % 2;
    }
    this.middle = new double[heights.length];
    this.offsets = new int[order.length][];
    for (int column = 0; column < order.length; column++) {
      offsets[column] = offsets(order[column]);
      int last = offsets[column].length - 1;
      for (int i = 0; i <= last; i++) {
        middle[order[column][i]] = offsets[column][i] - offsets[column][last] / 2.0;
      }
    }
    settle();
  }

  private int[] offsets(int[] column) {
    int[] result = new int[column.length];
    for (int i = 1; i < column.length; i++) {
      boolean bends = columns.isBend(column[i - 1]) || columns.isBend(column[i]);
      result[i] =
          result[i - 1]
              + (heights[column[i - 1]] + heights[column[i]]) / 2
              + (bends ? GAP_OF_BENDS : GAP);
    }
    return result;
  }

  /** The middle of each point, in whole pixels. */
  int[] middles() {
    return Arrays.stream(middle).mapToInt(each -> (int) Math.round(each)).toArray();
  }

  private void settle() {
    for (int round = 0; round < ROUNDS; round++) {
      for (int column = 1; column < order.length; column++) {
        place(column, true, false);
      }
      for (int column = order.length - 2; column >= 0; column--) {
        place(column, false, true);
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < order.length; i++) {
        place(round % 2 == 0 ? i : order.length - 1 - i, true, true);
      }
    }
  }

  private void place(int column, boolean byBefore, boolean byBehind) {
    int[] points = order[column];
    double[] wishes = new double[points.length];
    double[] weights = new double[points.length];
    for (int i = 0; i < points.length; i++) {
      double sum = 0;
      double weight = 0;
      for (int side = 0; side < 2; side++) {
        if (side == 0 ? !byBefore : !byBehind) {
          continue;
        }
        int[] around = side == 0 ? columns.before[points[i]] : columns.behind[points[i]];
        for (int other : around) {
          double pull = pull(points[i], other);
          sum += pull * middle[other];
          weight += pull;
        }
      }
      OptionalInt earlier =
          columns.isBend(points[i]) ? OptionalInt.empty() : graph.earlier().get(points[i]);
      if (earlier.isPresent()) {
        sum += PULL_OF_EARLIER * (double) earlier.getAsInt();
        weight += PULL_OF_EARLIER;
      }
      // Without neighbours on this side it stays where it is, unless others need the room.
      wishes[i] = (weight > 0 ? sum / weight : middle[points[i]]) - offsets[column][i];
      weights[i] = weight > 0 ? weight : 0.1;
    }
    double[] places = pooled(wishes, weights);
    for (int i = 0; i < points.length; i++) {
      // Rounding keeps the order of the places, and the offsets are whole.
      middle[points[i]] = Math.rint(places[i]) + offsets[column][i];
    }
  }

  private double pull(int point, int other) {
    boolean bend = columns.isBend(point);
    boolean bent = columns.isBend(other);
    return bend && bent ? 8 : bend || bent ? 2 : 1;
  }

  /** The values nearest to those given, by weighted squares, that never become smaller. */
  static double[] pooled(double[] wishes, double[] weights) {
    int size = wishes.length;
    double[] value = new double[size];
    double[] weight = new double[size];
    int[] length = new int[size];
    int blocks = 0;
    for (int i = 0; i < size; i++) {
      value[blocks] = wishes[i];
      weight[blocks] = weights[i];
      length[blocks++] = 1;
      while (blocks > 1 && value[blocks - 2] > value[blocks - 1]) {
        double both = weight[blocks - 2] + weight[blocks - 1];
        value[blocks - 2] =
            (value[blocks - 2] * weight[blocks - 2] + value[blocks - 1] * weight[blocks - 1])
                / both;
        weight[blocks - 2] = both;
        length[blocks - 2] += length[blocks - 1];
        blocks--;
      }
    }
    double[] result = new double[size];
    int next = 0;
    for (int block = 0; block < blocks; block++) {
      Arrays.fill(result, next, next + length[block], value[block]);
      next += length[block];
    }
    return result;
  }
}
