package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.SplitCrashModel.Found;
import io.graphmeta.engine.SplitCrashModel.Saw;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ends processes that split vertices at each {@link CrashPoint}, and looks whether every edge is
 * there at both ends, once, or at none; every acknowledged transaction as a whole, and every other
 * one as a whole or not at all; and whether the past is what readers saw before.
 *
 * <p>{@code -Dgraphmeta.crash.splits=N} sets how often for each point, {@code
 * -Dgraphmeta.crash.points=P,Q} at which, {@code -Dgraphmeta.seed=S} with what (the threads of the
 * process go their own ways nevertheless). A database is left some times, and then another is
 * begun.
 */
class SplitCrashIT {
  private static final int CYCLES = Integer.getInteger("graphmeta.crash.splits", 1);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int CYCLES_OF_A_DATABASE = 6;
  private static final int SECONDS = 120;
  private static final int PAST_STAMPS = 6;
  private static final int EARLIER_SAWS = 200;
  private static final Pattern WHOLE_LINE = Pattern.compile("[a-z]+ .*;");

  private static final int GROWING_SECONDS = 60;

  @TempDir Path directory;

  /** Of the database at hand. */
  private SplitCrashModel model = new SplitCrashModel();

  /** The ids of all its vertices by their keys, those that are deleted too. */
  private final Map<Long, String> vertices = new HashMap<>();

  static Stream<CrashPoint> points() {
    String some = System.getProperty("graphmeta.crash.points", "");
    return Stream.of(CrashPoint.values())
        .filter(point -> some.isEmpty() || List.of(some.split(",")).contains(point.name()));
  }

  @ParameterizedTest
  @MethodSource("points")
  void splitsLoseNothing(CrashPoint point) throws Exception {
    Random random = new Random(SEED + point.ordinal());
    int acknowledged = 0;
    int saws = 0;
    int splits = 0;
    int partitions = 0;
    for (int first = 0; first < CYCLES; first += CYCLES_OF_A_DATABASE) {
      List<String> settings = settings(point, random);
      Path database = directory.resolve(point + "-" + first);
      model = new SplitCrashModel();
      vertices.clear();
      for (int cycle = 0; cycle < Math.min(CYCLES_OF_A_DATABASE, CYCLES - first); cycle++) {
        String story =
            "seed " + SEED + ", " + point + ", cycle " + (first + cycle) + " " + settings;
        int earlierSaws = model.saws().size();
        String run = "r" + cycle;
        model.read(crash(database, run, point, random, settings));
        try (GraphDatabase left = GraphDatabases.open(config(database, settings))) {
          assertThatHolds(left, earlierSaws, random, story);
          partitions += splitAll(left, run);
          assertThatHolds(left, earlierSaws, random, story + ", when all is split");
        }
      }
      acknowledged += model.acknowledged();
      saws += model.saws().size();
      splits += model.splits();
    }
    System.out.printf(
        "%s: %d crashes, %d transactions acknowledged, %d reads, %d splits before, %d partitions after%n",
        point, CYCLES, acknowledged, saws, splits, partitions);
    assertThat(acknowledged).as("acknowledged transactions").isGreaterThan(CYCLES);
    if (CYCLES >= CYCLES_OF_A_DATABASE) { // one process may end before its reader sees anything
      assertThat(saws).as("reads before the crashes").isGreaterThan(CYCLES);
    }
  }

  private static List<String> settings(CrashPoint point, Random random) {
    boolean keepsMovedRows = point != CrashPoint.MOVED_ROWS_ARE_REMOVED && random.nextInt(3) > 0;
    return List.of(
        Setting.SHARDS.key() + "=" + (2 + random.nextInt(4)),
        Setting.DURABILITY.key() + "=" + (random.nextBoolean() ? "sync" : "background"),
        Setting.PLACEMENT.key() + "=" + (random.nextInt(4) == 0 ? "giga" : "dido"),
        Setting.SPLIT_THRESHOLD.key() + "=" + (2 + random.nextInt(5)),
        Setting.MOVED_ROWS_KEPT_MILLIS.key() + "=" + (keepsMovedRows ? 600_000 : 0));
  }

  private static GraphMetaConfig config(Path database, List<String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put(Setting.DIRECTORY.key(), database.toString());
    settings.forEach(
        setting ->
            all.put(
                setting.substring(0, setting.indexOf('=')),
                setting.substring(setting.indexOf('=') + 1)));
    return GraphMetaConfig.of(all);
  }

  /** Runs a writer until it comes to the point, and returns what it has printed. */
  private static List<String> crash(
      Path database, String run, CrashPoint point, Random random, List<String> settings)
      throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add(database.toString());
    arguments.add(run);
    arguments.add(point.name());
    arguments.add(String.valueOf(2 + random.nextInt(20)));
    arguments.add(String.valueOf(random.nextLong()));
    arguments.addAll(settings);
    try (WriterProcess writer =
        WriterProcess.start(SplitCrashWriter.class, arguments, WHOLE_LINE)) {
      List<String> lines = writer.awaitEnd(SplitCrashWriter.HALTED, SECONDS);
      assertThat(lines).anyMatch(line -> line.startsWith("halt " + point + " "));
      return lines;
    }
  }

  /** Looks again if entries were moved meanwhile that are not kept for who began before. */
  private void assertThatHolds(
      GraphDatabase database, int earlierSaws, Random random, String story) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GROWING_SECONDS);
    while (true) {
      try {
        assertWhole(database, story);
        assertPast(database, earlierSaws, random, story);
        return;
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD || System.nanoTime() > deadline) {
          throw e;
        }
      }
    }
  }

  private void assertWhole(GraphDatabase database, String story) {
    try (GraphTransaction tx = database.begin()) {
      learnVertices(tx);
      Map<String, Found> out = edges(tx, Direction.OUT, tx.snapshot(), story);
      Map<String, Found> in = edges(tx, Direction.IN, tx.snapshot(), story);
      assertThat(in).as("edges from the other end, " + story).isEqualTo(out);
      Set<String> isThere = new HashSet<>();
      List<VertexRecord> found = tx.verticesById(model.vertices(), tx.snapshot());
      for (int i = 0; i < found.size(); i++) {
        if (found.get(i) != null) {
          isThere.add(model.vertices().get(i));
        }
      }
      assertThat(model.settle(out, isThere)).as("there in part, " + story).isNull();
      assertThat(isThere).as("vertices, " + story).isEqualTo(model.verticesNow());
      assertThat(out).as("edges, " + story).isEqualTo(model.edgesNow());
    }
    CheckReport report = database.check(rows -> {});
    assertThat(report.examples()).as(story).isEmpty();
    assertThat(report.isClean()).as(story).isTrue();
  }

  /** What readers saw is there still, and the past is what was acknowledged then. */
  private void assertPast(GraphDatabase database, int earlierSaws, Random random, String story) {
    try (GraphTransaction tx = database.begin()) {
      Map<String, Long> keys = keys();
      List<Saw> saws = model.saws();
      List<Saw> checked = new ArrayList<>(saws.subList(earlierSaws, saws.size()));
      for (int i = 0; i < EARLIER_SAWS && earlierSaws > 0; i++) {
        checked.add(saws.get(random.nextInt(earlierSaws)));
      }
      for (Saw saw : checked) {
        ReadView then = new ReadView(saw.stamp(), saw.stamp());
        Set<String> names = SplitCrashWriter.names(tx, keys.get(saw.hub()), saw.outgoing(), then);
        assertThat(SplitCrashWriter.fingerprint(names))
            .as(saw + ", " + story + ": " + names)
            .isEqualTo(saw.fingerprint());
      }
      for (int i = 0; i < PAST_STAMPS; i++) {
        long stamp = model.stamps().get(random.nextInt(model.stamps().size()));
        ReadView then = new ReadView(stamp, stamp);
        for (Direction direction : List.of(Direction.OUT, Direction.IN)) {
          Set<String> names = new HashSet<>(edges(tx, direction, then, story).keySet());
          names.removeIf(name -> !model.isTold(name));
          assertThat(names)
              .as(direction + " at " + stamp + ", " + story)
              .isEqualTo(model.edgesAt(stamp));
        }
      }
    }
  }

  /**
   * Gives the hubs of a run more edges, so that they are split, and returns how many partitions
   * they have.
   */
  private int splitAll(GraphDatabase database, String run) {
    int more = (int) database.config().number(Setting.SPLIT_THRESHOLD) + 1;
    Map<String, Long> keys = keys();
    Set<String> hubs = model.hubsWithEdges(run);
    for (String hub : hubs) {
      Map<String, Found> added = new HashMap<>();
      try (GraphTransaction tx = database.begin()) {
        for (int i = 0; i < 2 * more; i++) {
          String file = SplitCrashWriter.file(i % SplitCrashWriter.FILES);
          String out = i < more ? hub : file;
          String in = i < more ? file : hub;
          String name = hub + "-after-" + i;
          added.put(name, new Found(name, out, in, name));
          Map<String, String> properties = Map.of("name", name, "value", name);
          tx.addEdge(null, keys.get(out), "contains", keys.get(in), properties, Stamp.AT_COMMIT);
        }
        model.added(added.values(), tx.commit());
      }
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GROWING_SECONDS);
    int partitions = 0;
    for (String hub : hubs) {
      VertexPlacement placement = database.placement(keys.get(hub));
      while (placement.out().size() == 1 || placement.in().size() == 1) {
        assertThat(System.nanoTime()).as("time until " + hub + " is split").isLessThan(deadline);
        database.splitNow();
        placement = database.placement(keys.get(hub));
      }
      partitions += placement.out().size() + placement.in().size();
    }
    return partitions;
  }

  private void learnVertices(GraphTransaction tx) {
    for (String id : model.vertices().subList(vertices.size(), model.vertices().size())) {
      long[] keys = tx.incarnations(id);
      assertThat(keys).as("vertices " + id).hasSize(1);
      vertices.put(keys[0], id);
    }
  }

  private Map<String, Long> keys() {
    Map<String, Long> keys = new HashMap<>();
    vertices.forEach((key, id) -> keys.put(id, key));
    return keys;
  }

  private Map<String, Found> edges(
      GraphTransaction tx, Direction direction, ReadView view, String story) {
    Map<String, Found> edges = new HashMap<>();
    long[] all = vertices.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    try (AdjacencyCursor cursor = tx.expand(new Expansion(all, direction, Set.of(), true), view)) {
      while (cursor.next()) {
        String name = String.valueOf(cursor.edge().value("name"));
        Found edge =
            new Found(
                name,
                vertices.get(cursor.edge().key().out()),
                vertices.get(cursor.edge().key().in()),
                String.valueOf(cursor.edge().value("value")));
        assertThat(edges.put(name, edge)).as(name + " came twice, " + story).isNull();
      }
    }
    return edges;
  }
}
