package io.graphmeta.server.layout;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Finds an order of the points of each column with few crossings. Columns are put in order one
 * after another, forward and back: each point goes to where its neighbours in the column before
 * lie, in turn by their mean and by their median, and points that lie next to each other are
 * exchanged for as long as that helps. The best order that was met is kept; small pictures begin
 * anew from several orders. Used by one thread.
 *
 * <p>What was in an earlier picture keeps the order that it had there, if that costs few crossings.
 */
final class Ordering {
  private static final int SWEEPS = 24;
  private static final int MAX_EXCHANGE_ROUNDS = 20;

  /** Sweeps of each kind once; if none of them helps, no more are made. */
  private static final int ROUND = 8;

  /** Orders to begin with. */
  private static final int STARTS = 4;

  /** Up to this number of lines, each of them is tried, and points are exchanged in each sweep. */
  private static final int MOST_TRIED = 300;

  /** To keep an earlier order, a few crossings more are taken, and another one for so many. */
  private static final int FEW_CROSSINGS = 4;

  private static final int CROSSINGS_FOR_ONE_MORE = 4;

  /** Beyond this number of lines, exchanging points would take longer than it is worth. */
  private static final int MOST_EXCHANGED = 20_000;

  private final Columns columns;

  /** Where each point lay in the earlier picture, if it did. */
  private final OptionalInt[] earlier;

  private final int[] place;
  private int[][] order;
  private long crossings;

  private Ordering(Columns columns, OptionalInt[] earlier) {
    this.columns = columns;
    this.earlier = earlier;
    this.place = new int[columns.columnOf.length];
    this.order = first(false, true);
    this.crossings = Long.MAX_VALUE;
    boolean isSmall = !isLarge();
    for (int start = 0; start < (isSmall ? STARTS : 1) && crossings > 0; start++) {
      int[][] current = first(start % 2 == 1, start < 2);
      for (int[] column : current) {
        sortAsEarlier(column);
      }
      improve(current, isSmall);
    }
    if (!isSmall && crossings > 0 && lines() <= MOST_EXCHANGED) {
      crossings -= exchange(order);
    }
  }

  /** The order of a graph in columns. */
  static Ordering of(LayoutGraph graph, Columns columns) {
    OptionalInt[] earlier = new OptionalInt[columns.columnOf.length];
    Arrays.fill(earlier, OptionalInt.empty());
    Ordering free = new Ordering(columns, earlier.clone());
    if (!graph.hasEarlier()) {
      return free;
    }
    for (int box = 0; box < columns.boxes; box++) {
      earlier[box] = graph.earlier().get(box);
    }
    Ordering near = new Ordering(columns, earlier);
    long dearest = free.crossings + free.crossings / CROSSINGS_FOR_ONE_MORE + FEW_CROSSINGS;
    return near.crossings <= dearest ? near : free;
  }

  /** Sorts what was in the earlier picture as it was there; all others stay where they are. */
  private void sortAsEarlier(int[] column) {
    int[] sorted =
        Arrays.stream(column)
            .filter(point -> earlier[point].isPresent())
            .boxed()
            .sorted(Comparator.comparing(point -> earlier[point].orElse(0)))
            .mapToInt(Integer::intValue)
            .toArray();
    int next = 0;
    for (int i = 0; i < column.length; i++) {
      if (earlier[column[i]].isPresent()) {
        column[i] = sorted[next++];
      }
    }
  }

  /** The points of each column, from above. */
  int[][] order() {
    return order;
  }

  long crossings() {
    return crossings;
  }

  /** Whether there are too many lines to try other orders. */
  boolean isLarge() {
    return lines() > MOST_TRIED;
  }

  private int lines() {
    return Arrays.stream(columns.behind).mapToInt(each -> each.length).sum();
  }

  /**
   * Points as they are met when links are followed in depth, so that what belongs together is.
   *
   * @param fromLast whether the last point is followed first
   * @param backFirst whether links are followed against their direction before they are with it
   */
  private int[][] first(boolean fromLast, boolean backFirst) {
    int points = columns.columnOf.length;
    boolean[] met = new boolean[points];
    int[] sequence = new int[points];
    int[] stack = new int[points];
    int found = 0;
    for (int each = 0; each < points; each++) {
      int start = fromLast ? points - 1 - each : each;
      int size = 0;
      if (!met[start]) {
        met[start] = true;
        stack[size++] = start;
      }
      while (size > 0) {
        int point = stack[--size];
        sequence[found++] = point;
        int[] before = columns.before[point];
        int[] behind = columns.behind[point];
        for (int[] around : backFirst ? List.of(before, behind) : List.of(behind, before)) {
          for (int i = around.length - 1; i >= 0; i--) {
            if (!met[around[i]]) {
              met[around[i]] = true;
              stack[size++] = around[i];
            }
          }
        }
      }
    }
    return IntStream.range(0, columns.count)
        .mapToObj(
            column -> Arrays.stream(sequence).filter(p -> columns.columnOf[p] == column).toArray())
        .toArray(int[][]::new);
  }

  private void improve(int[][] current, boolean exchanges) {
    keep(current, count(current));
    int last = 0;
    for (int sweep = 0; sweep < SWEEPS && sweep - last <= ROUND && crossings > 0; sweep++) {
      boolean forward = sweep % 2 == 0;
      boolean byMedian = sweep / 2 % 2 == 1;
      boolean turnsTies = sweep / 4 % 2 == 1;
      for (int i = 1; i < columns.count; i++) {
        int column = forward ? i : columns.count - 1 - i;
        number(current[forward ? column - 1 : column + 1]);
        arrange(current[column], forward ? columns.before : columns.behind, byMedian, turnsTies);
      }
      long now = count(current);
      if (exchanges && now > 0) {
        now -= exchange(current);
      }
      if (keep(current, now)) {
        last = sweep;
      }
    }
  }

  /** Keeps an order if it is better than that which is kept; whether it is. */
  private boolean keep(int[][] current, long now) {
    boolean isBetter = now < crossings;
    if (isBetter) {
      crossings = now;
      order = copy(current);
    }
    return isBetter;
  }

  private void number(int[] column) {
    for (int i = 0; i < column.length; i++) {
      place[column[i]] = i;
    }
  }

  /**
   * Sorts a column; points without neighbours stay where they are.
   *
   * @param turnsTies whether points that wish to lie at the same place are turned round
   */
  private void arrange(int[] column, int[][] neighbours, boolean byMedian, boolean turnsTies) {
    int[] moving = Arrays.stream(column).filter(point -> neighbours[point].length > 0).toArray();
    double[] wish = new double[moving.length];
    for (int i = 0; i < moving.length; i++) {
      wish[i] = wish(neighbours[moving[i]], byMedian);
    }
    int[] sorted =
        IntStream.range(0, moving.length)
            .map(i -> turnsTies ? moving.length - 1 - i : i)
            .boxed()
            .sorted((a, b) -> Double.compare(wish[a], wish[b]))
            .mapToInt(i -> moving[i])
            .toArray();
    int next = 0;
    for (int i = 0; i < column.length; i++) {
      if (neighbours[column[i]].length > 0) {
        column[i] = sorted[next++];
      }
    }
    sortAsEarlier(column);
  }

  private double wish(int[] neighbours, boolean byMedian) {
    int[] places = places(neighbours);
    if (byMedian) {
      int middle = places.length / 2;
      return places.length % 2 == 1 ? places[middle] : (places[middle - 1] + places[middle]) / 2.0;
    }
    long sum = 0;
    for (int each : places) {
      sum += each;
    }
    return (double) sum / places.length;
  }

  private long count(int[][] of) {
    long sum = 0;
    for (int column = 1; column < of.length; column++) {
      number(of[column - 1]);
      sum += countBefore(of[column], of[column - 1].length);
    }
    return sum;
  }

  /** Pairs of lines in the wrong order, by a tree of sums. */
  private long countBefore(int[] column, int size) {
    long[] tree = new long[size + 1];
    long crossing = 0;
    long seen = 0;
    for (int point : column) {
      int[] places = places(columns.before[point]);
      for (int each : places) {
        long notAfter = 0;
        for (int i = each + 1; i > 0; i -= i & -i) {
          notAfter += tree[i];
        }
        crossing += seen - notAfter;
      }
      for (int each : places) {
        seen++;
        for (int i = each + 1; i <= size; i += i & -i) {
          tree[i]++;
        }
      }
    }
    return crossing;
  }

  /** Exchanges points that lie next to each other; by how much crossings have become fewer. */
  private long exchange(int[][] order) {
    for (int[] column : order) {
      number(column);
    }
    long sum = 0;
    boolean changed = true;
    for (int round = 0; changed && round < MAX_EXCHANGE_ROUNDS; round++) {
      changed = false;
      for (int[] column : order) {
        // What lies in other columns does not move meanwhile.
        int[][] before = places(column, columns.before);
        int[][] behind = places(column, columns.behind);
        for (int i = 1; i < column.length; i++) {
          if (earlier[column[i - 1]].isPresent() && earlier[column[i]].isPresent()) {
            continue;
          }
          long gain = gain(before[i - 1], before[i]) + gain(behind[i - 1], behind[i]);
          if (gain > 0) {
            swap(before, i);
            swap(behind, i);
            int above = column[i - 1];
            column[i - 1] = column[i];
            column[i] = above;
            sum += gain;
            changed = true;
          }
        }
        number(column);
      }
    }
    return sum;
  }

  private static void swap(int[][] rows, int i) {
    int[] above = rows[i - 1];
    rows[i - 1] = rows[i];
    rows[i] = above;
  }

  /** Where the neighbours of each point of a column lie, from above. */
  private int[][] places(int[] column, int[][] neighbours) {
    int[][] places = new int[column.length][];
    for (int i = 0; i < column.length; i++) {
      places[i] = places(neighbours[column[i]]);
    }
    return places;
  }

  private int[] places(int[] points) {
    int[] places = new int[points.length];
    for (int i = 0; i < points.length; i++) {
      places[i] = place[points[i]];
    }
    Arrays.sort(places);
    return places;
  }

  /** By how much the crossings of two points with others become fewer if they are exchanged. */
  private static long gain(int[] upper, int[] lower) {
    return inversions(upper, lower) - inversions(lower, upper);
  }

  private static long inversions(int[] upper, int[] lower) {
    long sum = 0;
    int smaller = 0;
    for (int each : upper) {
      while (smaller < lower.length && lower[smaller] < each) {
        smaller++;
      }
      sum += smaller;
    }
    return sum;
  }

  private static int[][] copy(int[][] of) {
    return Arrays.stream(of).map(int[]::clone).toArray(int[][]::new);
  }
}
