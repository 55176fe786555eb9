package io.graphmeta.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.Direction;
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
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.protocol.TraversalPage;
import io.graphmeta.rows.ElementCandidates;
import io.graphmeta.rows.PageReader;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.level.IdleTime;
import io.graphmeta.stage.level.LevelCrew;
import io.graphmeta.stage.level.LevelLoop;
import io.graphmeta.stage.level.LevelReads;
import io.graphmeta.stage.level.TraversalState;
import io.graphmeta.stage.program.Program;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The levels of a traversal on several shards without any schedule: the test moves the messages, in
 * any order, and lets levels be left in between. What is found is compared with ways that are
 * counted on lists of edges. A failure names its seed.
 */
class RandomLevelsTest {
  private static final TraversalId ID = new TraversalId(1, 1);
  private static final ReadView VIEW = ReadView.at(100);
  private static final PlanNames NAMES = new PlanNames(Map.of(), Map.of("to", 1), Map.of());
  private static final int MANY = 1 << 20;
  private static final int VIRTUAL_NODES = 8;

  private static long vertex(int number) {
    return VertexKeys.pack(1, number + 1, number % VIRTUAL_NODES);
  }

  @Test
  void waysAreThoseOfTheListOfEdges() {
    int within = 0;
    int left = 0;
    Long given = Long.getLong("graphmeta.seed");
    long first = given != null ? given : 1;
    long last = given != null ? given : 300;
    for (long seed = first; seed <= last; seed++) {
      World world = new World(seed);
      try {
        world.compare();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "Seed " + seed + " fails; replay with -Dgraphmeta.seed=" + seed, e);
      }
      within += world.sentOn;
      left += world.leftInBetween;
    }
    if (given == null) {
      assertThat(within).as("messages within levels").isGreaterThan(100);
      assertThat(left).as("levels left in between").isGreaterThan(100);
    }
  }

  /** Shards, and the edges that lie on them. */
  private static final class World {
    private final Random random;
    private final VirtualNodeMap map;
    private final EntryPlaces places;
    private final List<Shard> shards = new ArrayList<>();
    private final List<EdgeKey> edges = new ArrayList<>();
    private long clockNanos;
    private int sentOn;
    private int leftInBetween;

    World(long seed) {
      random = new Random(seed);
      int size = 1 + random.nextInt(4);
      map = VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, VIRTUAL_NODES, size);
      String placement = random.nextBoolean() ? "vertex-cut" : "dido";
      places = new EntryPlaces(map, Placements.named(placement));
      for (int shard = 0; shard < size; shard++) {
        shards.add(new Shard(shard));
      }
    }

    /** One shard of a traversal. */
    private final class Shard {
      final int number;
      final MemoryStorage storage = new MemoryStorage();
      final SplitTable splits;
      final AdjacencyCache cache;
      final PageReader rows;
      Deliveries delivered = new Deliveries(MANY);
      TraversalState state;
      LevelLoop levels;
      int messages;
      boolean due;

      Shard(int number) {
        this.number = number;
        this.splits = new SplitTable(number, places, storage);
        this.cache = new AdjacencyCache(storage, splits, 1 << 20);
        this.rows = new PageReader(storage, splits, cache, 1 << 16);
      }

      void begin(Plan plan) {
        delivered = new Deliveries(MANY);
        messages = 0;
        state =
            new TraversalState(
                ID, new Program(plan, NAMES), VIEW, map, splits, MANY, Manner.STEPWISE);
        LevelReads reads =
            new LevelReads(rows, rows, cache, LevelCrew.Threads.NONE, ElementCandidates.NONE);
        levels = new LevelLoop(state, delivered, IdleTime.UNUSED, reads, 64, () -> clockNanos++);
      }

      void write(Family family, byte[] slot) {
        byte[] key = Arrays.copyOf(slot, slot.length + 16);
        int length = RowKeys.appendStamps(key, slot.length, 1, 1);
        RowBatch batch = new RowBatch(64);
        batch.put(family, key, length, new byte[] {0, 0}, 0, 2);
        storage.write(batch, Durability.BACKGROUND);
      }

      void send(int to, int level, List<FrontierPart> parts) {
        Request.Deliver message = new Request.Deliver(ID, level, number, ++messages, parts);
        Shard other = shards.get(to);
        other.delivered.add(message);
        other.due |= !Deliveries.isWithinLevel(message);
        if (random.nextInt(3) == 0) {
          other.delivered.add(message); // comes again, and counts once
        }
      }
    }

    private void drawEdges(int vertices, int count) {
      for (int i = 0; i < count; i++) {
        long out = vertex(random.nextInt(vertices));
        long in = vertex(random.nextInt(vertices));
        EdgeKey edge = new EdgeKey(out, 1, in, i + 1);
        edges.add(edge);
        shards
            .get(places.shard(places.initial(), out, in))
            .write(Family.OUT, RowKeys.outBodySlot(edge));
        shards.get(places.shard(places.initial(), in, out)).write(Family.IN, RowKeys.inSlot(edge));
      }
    }

    private PlanStep drawStep() {
      if (random.nextInt(3) == 0) {
        return new PlanStep.Dedup();
      }
      Direction direction = Direction.values()[random.nextInt(Direction.values().length)];
      return new PlanStep.Expand(direction, List.of("to"), false);
    }

    private Map<Long, Long> expected(Map<Long, Long> start, List<PlanStep> steps) {
      Map<Long, Long> ways = start;
      for (PlanStep step : steps) {
        Map<Long, Long> next = new HashMap<>();
        if (step instanceof PlanStep.Expand hop) {
          for (EdgeKey edge : edges) {
            if (hop.direction() != Direction.IN && ways.containsKey(edge.out())) {
              next.merge(edge.in(), ways.get(edge.out()), Long::sum);
            }
            if (hop.direction() != Direction.OUT && ways.containsKey(edge.in())) {
              next.merge(edge.out(), ways.get(edge.in()), Long::sum);
            }
          }
        } else {
          ways.keySet().forEach(vertex -> next.put(vertex, 1L));
        }
        ways = next;
      }
      return ways;
    }

    private Map<Long, Long> run(Plan plan, Map<Long, Long> start) {
      shards.forEach(shard -> shard.begin(plan));
      start.forEach(
          (vertex, ways) -> {
            FrontierPart part = FrontierPart.vertices(0, new long[] {vertex}, new long[] {ways});
            Shard home = shards.get(map.shard(VertexKeys.virtualNode(vertex)));
            home.send(home.number, 0, List.of(part));
          });
      for (int level = 0; shards.stream().anyMatch(shard -> shard.due); level++) {
        assertThat(level).as("levels").isLessThanOrEqualTo(plan.steps().size());
        runLevel(level);
      }
      Map<Long, Long> found = new HashMap<>();
      for (Shard shard : shards) {
        assertThat(shard.levels.hasWork()).as("work left on %d", shard.number).isFalse();
        take(shard, found);
      }
      return found;
    }

    private static void take(Shard shard, Map<Long, Long> found) {
      boolean more = true;
      while (more) {
        TraversalPage page = shard.state.results.take(64, shard.rows, VIEW);
        add(page, found);
        more = page.more();
      }
    }

    private static void add(TraversalPage page, Map<Long, Long> found) {
      for (int i = 0; i < page.vertices().length; i++) {
        found.merge(page.vertices()[i], page.bulk(i), Long::sum);
      }
    }

    private void runLevel(int level) {
      List<Shard> due = new ArrayList<>(shards.stream().filter(shard -> shard.due).toList());
      due.forEach(shard -> shard.due = false);
      while (!due.isEmpty() || shards.stream().anyMatch(each -> each.delivered.hasWithinLevel())) {
        Shard shard = shards.get(random.nextInt(shards.size()));
        long deadline = clockNanos + 1 + random.nextInt(20);
        if (shard.delivered.hasWithinLevel() && random.nextBoolean()) {
          LevelLoop.RanParts ran = shard.levels.runParts(deadline);
          assertThat(ran.done().level()).isEqualTo(level);
          ran.toSend().forEach((to, parts) -> shard.send(to, level + 1, parts));
          shard.due |= ran.done().pending() > 0 && !ran.done().unfinished();
          if (ran.done().unfinished() && !due.contains(shard)) {
            due.add(shard);
          }
        } else if (due.contains(shard)) {
          LevelLoop.Ran ran =
              shard.levels.run(
                  level,
                  Manner.STEPWISE,
                  false,
                  deadline,
                  1 << 16,
                  (to, at, parts) -> {
                    sentOn++;
                    shard.send(to, at, parts);
                  });
          ran.toSend().forEach((to, parts) -> shard.send(to, level + 1, parts));
          if (ran.done().unfinished()) {
            leftInBetween++;
          } else {
            due.remove(shard);
          }
          shard.due |= ran.done().pending() > 0;
        }
      }
    }

    /** As a shard is told to go on that alone has elements: through all levels by itself. */
    private Map<Long, Long> runAlone(Plan plan, Map<Long, Long> start) {
      Shard shard = shards.get(0);
      shard.begin(plan);
      start.forEach(
          (vertex, ways) ->
              shard.send(
                  0, 0, List.of(FrontierPart.vertices(0, new long[] {vertex}, new long[] {ways}))));
      Map<Long, Long> found = new HashMap<>();
      Response.LevelDone done;
      int level = 0;
      do {
        assertThat(level).as("levels").isLessThanOrEqualTo(plan.steps().size());
        assertThat(shard.levels.hasWork()).isTrue();
        LevelLoop.Ran ran =
            shard.levels.run(
                level,
                Manner.ALONE,
                false,
                clockNanos + 1 + random.nextInt(20),
                64,
                (to, at, parts) -> {
                  throw new AssertionError("There is no other shard");
                });
        assertThat(ran.toSend()).isEmpty();
        done = ran.done();
        leftInBetween += done.unfinished() ? 1 : 0;
        level = done.unfinished() ? done.level() : done.level() + 1;
        add(done.page(), found);
      } while (done.unfinished() || done.pending() > 0);
      assertThat(shard.levels.hasWork()).isFalse();
      take(shard, found);
      return found;
    }

    void compare() {
      int vertices = 2 + random.nextInt(12);
      drawEdges(vertices, random.nextInt(30));
      for (int i = 0; i < 4; i++) {
        List<PlanStep> steps = new ArrayList<>();
        for (int step = random.nextInt(5); step >= 0; step--) {
          steps.add(drawStep());
        }
        Map<Long, Long> start = new HashMap<>();
        for (int n = random.nextInt(3); n >= 0; n--) {
          start.put(vertex(random.nextInt(vertices)), 1L + random.nextInt(3));
        }
        Plan plan =
            new Plan(
                new PlanSource.Given(ElementKind.VERTEX),
                steps,
                ResultRange.ALL,
                new PlanResult.Elements());
        assertThat(run(plan, start))
            .as("%s from %s", steps, start)
            .isEqualTo(expected(start, steps));
        if (shards.size() == 1) {
          assertThat(runAlone(plan, start))
              .as("%s from %s", steps, start)
              .isEqualTo(expected(start, steps));
        }
        compareFew(steps, start);
      }
    }

    /** Of a limited plan the shards find at least as many as are wanted, if there are. */
    private void compareFew(List<PlanStep> steps, Map<Long, Long> start) {
      Map<Long, Long> all = expected(start, steps);
      long ways = all.values().stream().mapToLong(Long::longValue).sum();
      long wanted = 1 + random.nextInt((int) Math.min(1000, ways + 3));
      Plan plan =
          new Plan(
              new PlanSource.Given(ElementKind.VERTEX),
              steps,
              new ResultRange(0, wanted),
              new PlanResult.Elements());
      boolean alone = shards.size() == 1 && random.nextBoolean();
      Map<Long, Long> found = alone ? runAlone(plan, start) : run(plan, start);
      String what = wanted + " of " + steps + " from " + start;
      found.forEach(
          (vertex, times) ->
              assertThat(times).as(what).isBetween(1L, all.getOrDefault(vertex, 0L)));
      assertThat(found.values().stream().mapToLong(Long::longValue).sum())
          .as(what)
          .isGreaterThanOrEqualTo(Math.min(wanted, ways));
    }
  }
}
