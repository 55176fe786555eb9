package io.graphmeta.server.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.layout.Placement.Point;
import io.graphmeta.server.layout.Placement.Rectangle;
import io.graphmeta.server.layout.Placement.Route;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds of every placement, on random graphs with and without circles. */
final class LayeredLayoutTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 400);

  @Test
  void boxesAreApartAndLinksGoRight() {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      boolean circles = random.nextBoolean();
      LayoutGraph graph = random(random, 1 + random.nextInt(60), circles);
      Placement placement = LayeredLayout.place(graph);
      String what = "seed " + seed;
      requireApart(placement, what);
      requireInside(graph, placement, what);
      requireRoutes(graph, placement, what);
      if (!circles) {
        assertThat(placement.routes()).as(what).noneMatch(Route::goesBack);
      }
      assertThat(LayeredLayout.place(graph)).as(what).isEqualTo(placement);
      assertThat(crossings(placement)).as("crossings, " + what).isEqualTo(placement.crossings());
    }
  }

  @Test
  void whatLayInAnEarlierPictureStaysNearIt() {
    List<Integer> moves = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      LayoutGraph graph = random(random, 2 + random.nextInt(40), random.nextBoolean());
      Placement before = LayeredLayout.place(graph);
      List<OptionalInt> middles = new ArrayList<>();
      for (Rectangle box : before.boxes()) {
        boolean isKnown = random.nextInt(8) > 0;
        middles.add(isKnown ? OptionalInt.of(box.y() + box.height() / 2) : OptionalInt.empty());
      }
      List<LayoutGraph.Link> links = new ArrayList<>(graph.links());
      if (!links.isEmpty()) {
        links.remove(random.nextInt(links.size()));
      }
      LayoutGraph changed = new LayoutGraph(graph.boxes(), links, middles);
      Placement after = LayeredLayout.place(changed);
      String what = "seed " + seed;
      requireApart(after, what);
      requireInside(changed, after, what);
      requireRoutes(changed, after, what);
      assertThat(crossings(after)).as("crossings, " + what).isEqualTo(after.crossings());
      long free = LayeredLayout.place(new LayoutGraph(graph.boxes(), links)).crossings();
      assertThat(after.crossings()).as(what).isLessThanOrEqualTo(free + free / 4 + 4);
      List<Integer> shifts = new ArrayList<>();
      for (int i = 0; i < middles.size(); i++) {
        shifts.add(after.boxes().get(i).y() - before.boxes().get(i).y());
      }
      int shift = median(shifts);
      shifts.forEach(each -> moves.add(Math.abs(each - shift)));
    }
    assertThat(median(moves)).as("seed %d", SEED).isLessThan(20);
  }

  private static int median(List<Integer> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  @Test
  void onlyAsManyLinksGoBackAsCloseCircles() {
    // Without the links that are marked no circle is left, and each of them closes one.
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      LayoutGraph graph = random(random, 2 + random.nextInt(20), true);
      Placement placement = LayeredLayout.place(graph);
      Set<List<Integer>> kept = new HashSet<>();
      for (int i = 0; i < graph.links().size(); i++) {
        if (!placement.routes().get(i).goesBack()) {
          kept.add(List.of(graph.links().get(i).from(), graph.links().get(i).to()));
        }
      }
      for (int i = 0; i < graph.links().size(); i++) {
        LayoutGraph.Link link = graph.links().get(i);
        if (placement.routes().get(i).goesBack()) {
          assertThat(leads(kept, link.to(), link.from(), graph.boxes().size()))
              .as("link %d closes a circle, seed %d", i, seed)
              .isTrue();
        }
      }
    }
  }

  @Test
  void aTreeIsDrawnWithoutCrossings() {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      int boxes = 2 + random.nextInt(60);
      List<LayoutGraph.Link> links = new ArrayList<>();
      for (int box = 1; box < boxes; box++) {
        links.add(new LayoutGraph.Link(random.nextInt(box), box, 0));
      }
      Placement placement = LayeredLayout.place(new LayoutGraph(sizes(random, boxes), links));
      assertThat(placement.crossings()).as("seed %d", seed).isZero();
    }
  }

  @Test
  void nothingAndOneBoxHavePlaces() {
    assertThat(LayeredLayout.place(new LayoutGraph(List.of(), List.of())).boxes()).isEmpty();
    Placement one =
        LayeredLayout.place(
            new LayoutGraph(
                List.of(new LayoutGraph.Size(100, 41)), List.of(new LayoutGraph.Link(0, 0, 0))));
    assertThat(one.boxes()).containsExactly(new Rectangle(16, 16, 100, 41, 0));
    assertThat(one.routes()).containsExactly(new Route(true, List.of()));
    assertThat(one.width()).isEqualTo(132);
    assertThat(one.height()).isEqualTo(73);
  }

  @Test
  void linksOfOneBoxShareTheirBends() {
    // 0 -> 1 -> 2 -> 3 -> 4, and from 0 to the last two past 1 and 2.
    List<LayoutGraph.Size> sizes = sizes(new Random(1), 5);
    List<LayoutGraph.Link> links =
        List.of(
            new LayoutGraph.Link(0, 1, 0),
            new LayoutGraph.Link(1, 2, 0),
            new LayoutGraph.Link(2, 3, 0),
            new LayoutGraph.Link(0, 3, 0),
            new LayoutGraph.Link(3, 4, 0),
            new LayoutGraph.Link(0, 4, 0));
    Placement placement = LayeredLayout.place(new LayoutGraph(sizes, links));
    List<Point> one = placement.routes().get(3).points();
    List<Point> other = placement.routes().get(5).points();
    assertThat(one.subList(0, 5)).isEqualTo(other.subList(0, 5));
  }

  @Test
  void linksOfOneBoxGoApartWhereTheyWouldCross() {
    // 0 -> 1 -> 2 -> 3, and from 0 to both ends of what 2 leads to: on one side, one of them would
    // cross a link of 2.
    List<LayoutGraph.Link> links =
        List.of(
            new LayoutGraph.Link(0, 1, 0),
            new LayoutGraph.Link(1, 2, 0),
            new LayoutGraph.Link(2, 3, 0),
            new LayoutGraph.Link(0, 3, 0),
            new LayoutGraph.Link(2, 4, 0),
            new LayoutGraph.Link(0, 4, 0));
    Placement placement = LayeredLayout.place(new LayoutGraph(sizes(new Random(1), 5), links));
    assertThat(placement.crossings()).isZero();
  }

  private static LayoutGraph random(Random random, int boxes, boolean circles) {
    List<LayoutGraph.Link> links = new ArrayList<>();
    int count = random.nextInt(3 * boxes);
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(boxes);
      int to = random.nextInt(boxes);
      if (circles || from != to) {
        links.add(
            circles
                ? new LayoutGraph.Link(from, to, random.nextInt(2))
                : new LayoutGraph.Link(Math.min(from, to), Math.max(from, to), random.nextInt(2)));
      }
    }
    return new LayoutGraph(sizes(random, boxes), links);
  }

  private static List<LayoutGraph.Size> sizes(Random random, int boxes) {
    List<LayoutGraph.Size> sizes = new ArrayList<>();
    for (int i = 0; i < boxes; i++) {
      sizes.add(new LayoutGraph.Size(20 + random.nextInt(200), 1 + random.nextInt(80)));
    }
    return sizes;
  }

  private static void requireApart(Placement placement, String what) {
    List<Rectangle> boxes = placement.boxes();
    for (int i = 0; i < boxes.size(); i++) {
      for (int j = i + 1; j < boxes.size(); j++) {
        Rectangle a = boxes.get(i);
        Rectangle b = boxes.get(j);
        boolean apart =
            a.x() + a.width() < b.x()
                || b.x() + b.width() < a.x()
                || a.y() + a.height() < b.y()
                || b.y() + b.height() < a.y();
        assertThat(apart).as("boxes %d and %d apart, %s", i, j, what).isTrue();
      }
    }
  }

  private static void requireInside(LayoutGraph graph, Placement placement, String what) {
    for (int i = 0; i < graph.boxes().size(); i++) {
      Rectangle box = placement.boxes().get(i);
      assertThat(box.x()).as(what).isGreaterThanOrEqualTo(LayeredLayout.MARGIN);
      assertThat(box.y()).as(what).isGreaterThanOrEqualTo(LayeredLayout.MARGIN);
      assertThat(box.x() + box.width()).as(what).isLessThan(placement.width());
      assertThat(box.y() + box.height()).as(what).isLessThan(placement.height());
      assertThat(box.width()).as(what).isGreaterThanOrEqualTo(graph.boxes().get(i).width());
      assertThat(box.height()).as(what).isEqualTo(graph.boxes().get(i).height());
    }
    for (Route route : placement.routes()) {
      assertThat(route.points())
          .as(what)
          .allMatch(point -> point.y() >= 0 && point.y() < placement.height());
    }
  }

  private static void requireRoutes(LayoutGraph graph, Placement placement, String what) {
    for (int i = 0; i < graph.links().size(); i++) {
      LayoutGraph.Link link = graph.links().get(i);
      Route route = placement.routes().get(i);
      Rectangle from = placement.boxes().get(link.from());
      Rectangle to = placement.boxes().get(link.to());
      if (link.from() == link.to()) {
        assertThat(route).as(what).isEqualTo(new Route(true, List.of()));
        continue;
      }
      List<Point> points = route.points();
      assertThat(points.size() % 2).as(what).isZero();
      Point first = points.get(0);
      Point last = points.get(points.size() - 1);
      assertThat(first.x())
          .as(what)
          .isEqualTo(route.goesBack() ? from.x() : from.x() + from.width());
      assertThat(last.x()).as(what).isEqualTo(route.goesBack() ? to.x() + to.width() : to.x());
      assertThat(first.y()).as(what).isBetween(from.y(), from.y() + from.height());
      assertThat(last.y()).as(what).isBetween(to.y(), to.y() + to.height());
      for (int k = 1; k < points.size(); k++) {
        int step = points.get(k).x() - points.get(k - 1).x();
        assertThat(route.goesBack() ? -step : step).as("link %d, %s", i, what).isPositive();
      }
    }
  }

  /** Pairs of different lines between the same columns that change sides. */
  private static long crossings(Placement placement) {
    Set<List<Point>> lines = new HashSet<>();
    for (Route route : placement.routes()) {
      for (int k = 1; k < route.points().size(); k += 2) {
        Point one = route.points().get(k - 1);
        Point other = route.points().get(k);
        lines.add(one.x() < other.x() ? List.of(one, other) : List.of(other, one));
      }
    }
    List<List<Point>> all = List.copyOf(lines);
    long count = 0;
    for (int i = 0; i < all.size(); i++) {
      for (int j = i + 1; j < all.size(); j++) {
        List<Point> a = all.get(i);
        List<Point> b = all.get(j);
        long left = a.get(0).y() - b.get(0).y();
        long right = a.get(1).y() - b.get(1).y();
        if (a.get(0).x() == b.get(0).x() && left * right < 0) {
          count++;
        }
      }
    }
    return count;
  }

  private static boolean leads(Set<List<Integer>> links, int from, int to, int boxes) {
    Set<Integer> met = new HashSet<>(Set.of(from));
    for (int round = 0; round <= boxes; round++) {
      for (List<Integer> link : links) {
        if (met.contains(link.get(0))) {
          met.add(link.get(1));
        }
      }
    }
    return met.contains(to);
  }
}
