package io.graphmeta.stage.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.frontier.Ways;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanNames;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.rows.PageReader;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.flow.EdgeBatch;
import io.graphmeta.stage.program.Wanted;
import io.graphmeta.storage.memory.MemoryStorage;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What was found, beside a plain map; a failure names its seed. */
class ResultsTest {
  private static final ReadView VIEW = ReadView.at(100);
  private static final PlanNames NAMES = new PlanNames(Map.of(), Map.of(), Map.of());
  private static final int MANY = 1 << 20;

  /** No rows: what is wanted here is known without them. */
  private final PageReader rows = rows();

  private static PageReader rows() {
    VirtualNodeMap map = VirtualNodeMap.roundRobin(1, 8, 1);
    MemoryStorage storage = new MemoryStorage();
    SplitTable splits = new SplitTable(0, new EntryPlaces(map, Placements.DIDO), storage);
    return new PageReader(storage, splits, new AdjacencyCache(storage, splits, 1 << 20), 1 << 16);
  }

  private static Results results(PlanResult result, ResultRange range) {
    Plan plan = new Plan(new PlanSource.Given(ElementKind.VERTEX), List.of(), range, result);
    return new Results(new Wanted(plan, NAMES), false, MANY);
  }

  private static long vertex(int number) {
    return VertexKeys.pack(1, number + 1, number % 8);
  }

  private static long randomWays(Random random) {
    return random.nextInt(30) == 0 ? Ways.TOO_MANY : 1 + random.nextInt(4);
  }

  /** Adds vertices in one of the ways in which levels do; returns the ways. */
  private long addRandom(Results results, Map<Object, Long> expected, boolean walk, Random random) {
    long[] keys = new long[1 + random.nextInt(20)];
    Arrays.setAll(keys, i -> vertex(random.nextInt(30)));
    int from = walk ? random.nextInt(keys.length) : 0;
    long[] bulks = new long[keys.length];
    long one = randomWays(random);
    Arrays.setAll(bulks, i -> walk ? one : randomWays(random));
    if (walk) {
      results.addVertices(keys, from, keys.length, one);
    } else {
      results.add(new VertexBatch(keys, bulks), rows, VIEW);
    }
    long ways = 0;
    for (int i = from; i < keys.length; i++) {
      expected.merge(keys[i], bulks[i], Ways::sum);
      ways = Ways.sum(ways, bulks[i]);
    }
    return ways;
  }

  private Map<Object, Long> taken(Results results, int pageBytes, String what) {
    Map<Object, Long> taken = new HashMap<>();
    long last = Long.MIN_VALUE;
    boolean more = true;
    while (more) {
      TraversalPage page = results.take(pageBytes, rows, VIEW);
      for (int i = 0; i < page.size(); i++) {
        Object element =
            page.vertices().length > 0
                ? (Object) page.vertices()[i]
                : page.tuples().length > 0
                    ? (Object) ByteBuffer.wrap(page.tuples()[i]).getLong(1)
                    : page.edges().get(i);
        assertThat(taken.put(element, page.bulk(i)))
            .as("%s comes once, %s", element, what)
            .isNull();
        if (page.vertices().length > 0) {
          assertThat(page.vertices()[i]).as("in order, %s", what).isGreaterThan(last);
          last = page.vertices()[i];
        }
      }
      assertThat(page.size()).as("page, %s", what).isLessThanOrEqualTo(pageBytes / 16 + 1);
      more = page.more();
    }
    return taken;
  }

  @Test
  void verticesAreCountedTogetherAndNoMoreAreWantedThanTheRange() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      boolean tuples = random.nextInt(3) == 0;
      PlanResult wanted =
          tuples
              ? new PlanResult.Values(List.of(new Projection.Self()))
              : new PlanResult.Elements();
      long most = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(100);
      ResultRange range = most == Long.MAX_VALUE ? ResultRange.ALL : new ResultRange(0, most);
      Results results = results(wanted, range);
      Map<Object, Long> expected = new HashMap<>();
      long found = 0;
      for (int batch = random.nextInt(6); batch > 0; batch--) {
        boolean apart = random.nextInt(3) == 0;
        Results into = apart ? results(wanted, range) : results;
        found = Ways.sum(found, addRandom(into, expected, !tuples && random.nextBoolean(), random));
        if (apart) {
          results.takeAll(into);
          assertThat(into.found()).isZero();
          assertThat(taken(into, 64, "taken from")).isEmpty();
        }
        assertThat(results.found()).as("seed %d", seed).isEqualTo(found);
        assertThat(results.isFull())
            .as("full, seed %d", seed)
            .isEqualTo(most != Long.MAX_VALUE && found >= most);
      }
      int pageBytes = 1 + random.nextInt(400);
      assertThat(taken(results, pageBytes, "seed " + seed)).as("seed %d", seed).isEqualTo(expected);
      assertThat(taken(results, pageBytes, "again")).isEmpty();
    }
  }

  @Test
  void justAsManyAsAreWantedAreEnough() {
    Results results = results(new PlanResult.Elements(), new ResultRange(2, 5));
    results.addVertices(new long[] {vertex(1), vertex(2)}, 0, 2, 2);
    assertThat(results.isFull()).isFalse();
    results.add(VertexBatch.of(vertex(3)), rows, VIEW);
    assertThat(results.isFull()).isTrue();
  }

  @Test
  void countsEndWhereTheyCannotBeTold() {
    Results results = results(new PlanResult.Count(), ResultRange.ALL);
    results.addCount(Ways.TOO_MANY - 5);
    results.add(new VertexBatch(new long[] {vertex(1)}, new long[] {4}), rows, VIEW);
    assertThat(results.isFull()).isFalse();
    Results other = results(new PlanResult.Count(), ResultRange.ALL);
    other.add(VertexBatch.of(vertex(1), vertex(2)), rows, VIEW);
    results.takeAll(other);
    assertThat(results.isFull()).isTrue();
    assertThat(results.take(100, rows, VIEW).count()).isEqualTo(Ways.TOO_MANY);
    assertThat(results.take(100, rows, VIEW).count()).isZero();
    assertThat(other.take(100, rows, VIEW).count()).isZero();

    Results elements = results(new PlanResult.Elements(), ResultRange.ALL);
    elements.addVertices(new long[] {vertex(1)}, 0, 1, Ways.TOO_MANY);
    assertThat(elements.isFull()).as("all elements are wanted, in however many ways").isFalse();
    elements.stop();
    assertThat(elements.isFull()).isTrue();
  }

  @Test
  void edgesAreCountedTogetherAndTakenOnce() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      boolean counted = random.nextInt(4) == 0;
      Results results =
          results(counted ? new PlanResult.Count() : new PlanResult.Elements(), ResultRange.ALL);
      Map<Object, Long> expected = new HashMap<>();
      long ways = 0;
      for (int batch = random.nextInt(5); batch > 0; batch--) {
        int number = random.nextInt(10);
        long bulk = randomWays(random);
        EdgeKey one = new EdgeKey(vertex(number), 1, vertex(number + 1), number);
        EdgeKey other = new EdgeKey(vertex(number), 2, vertex(number + 1), number);
        results.add(
            EdgeBatch.of(List.of(one, other), new boolean[] {true, false}, new long[] {bulk, 1}));
        expected.merge(one, bulk, Ways::sum);
        expected.merge(other, 1L, Ways::sum);
        ways = Ways.sum(ways, Ways.sum(bulk, 1));
      }
      assertThat(results.found()).as("seed %d", seed).isEqualTo(ways);
      if (counted) {
        assertThat(results.take(100, rows, VIEW).count()).as("seed %d", seed).isEqualTo(ways);
      } else {
        assertThat(taken(results, 1 + random.nextInt(200), "seed " + seed))
            .as("seed %d", seed)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void moreEdgesThanMayBeHeldAreRefused() {
    PlanResult elements = new PlanResult.Elements();
    Plan plan =
        new Plan(new PlanSource.Given(ElementKind.VERTEX), List.of(), ResultRange.ALL, elements);
    Results results = new Results(new Wanted(plan, NAMES), false, 3);
    List<EdgeKey> keys =
        IntStream.range(0, 4).mapToObj(i -> new EdgeKey(vertex(i), 1, vertex(i), i)).toList();
    results.add(EdgeBatch.of(keys.subList(0, 3), new boolean[3], new long[] {1, 1, 1}));
    results.add(EdgeBatch.of(keys.subList(1, 2), new boolean[1], new long[] {1}));
    assertThatThrownBy(
            () -> results.add(EdgeBatch.of(keys.subList(3, 4), new boolean[1], new long[] {1})))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
  }
}
