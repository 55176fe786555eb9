package io.graphmeta.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Searches that have to end, by a clock that goes on by one millisecond whenever it is looked at:
 * so each number of milliseconds ends a search at another place. Whatever it tells must be part of
 * the answer without an end, and it says that it is one.
 */
final class TimedSearchTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 20);
  private static final long START = 1_763_000_000_000_000L;
  private static final long STEP_MICROS = 1_000_000L;
  private static final long DROPPED = START + 10_000 * STEP_MICROS;
  private static final int SOON = 2_000;

  /**
   * What makes an element of two answers the same, with all that is told of it for certain. Of a
   * file that was dropped from the graph, the record is known up to the programs that were read.
   */
  private record Told(
      String id,
      String label,
      long version,
      long end,
      String writer,
      LineageNode.@Nullable Fate fate) {
    static Told of(LineageNode node) {
      return new Told(
          node.id(),
          node.label(),
          node.versionMicros(),
          node.versionEndMicros(),
          String.valueOf(node.writer()),
          isDropped(node) ? null : node.fate());
    }

    static boolean isDropped(LineageNode node) {
      return node.seenAtStamp() < Stamp.startOfMicros(DROPPED);
    }
  }

  private record Way(Told from, Told to, String relation) {}

  private static LongSupplier ticking() {
    long[] nanos = {0};
    return () -> nanos[0] += 1_000_000L;
  }

  private static LineageLimits within(long millis, int elements) {
    return new LineageLimits(1_000, elements, 0, Long.MAX_VALUE, millis, ticking());
  }

  private static OffsetDateTime time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  /** Writes a graph of programs that read, write, rename, remove and print to a few files. */
  private static final class Writer {
    private final Random random;
    private final GraphTransaction tx;
    private final Map<String, Long> files = new LinkedHashMap<>();
    private final List<String> ids = new ArrayList<>();
    private long now = START;

    Writer(Random random, GraphTransaction tx) {
      this.random = random;
      this.tx = tx;
    }

    private long file(String id) {
      return files.computeIfAbsent(
          id, each -> tx.addVertex(each, Vocabulary.FILE, Map.of(), Stamp.startOfMicros(START)));
    }

    private void access(long process, String label, long file) {
      Map<String, Object> values = new HashMap<>();
      values.put(Vocabulary.START, time(now));
      values.put(Vocabulary.END, time(now + random.nextInt(3) * STEP_MICROS));
      values.put(Vocabulary.BYTES, 10L);
      values.put(Vocabulary.EVIDENCE, random.nextInt(4) == 0 ? "opened" : "bytes");
      if (random.nextInt(5) == 0) {
        values.put(Vocabulary.APPENDED, true);
      }
      tx.addEdge(null, process, label, file, values, Stamp.startOfMicros(now));
    }

    void write(int programs, int fileCount) {
      int jobs = 1 + random.nextInt(4);
      for (int job = 0; job < jobs; job++) {
        long key = tx.addVertex("job:" + job, Vocabulary.JOB, Map.of(), Stamp.startOfMicros(START));
        long user =
            tx.addVertex("user:" + job, Vocabulary.USER, Map.of(), Stamp.startOfMicros(START));
        tx.addEdge(null, user, Vocabulary.RAN, key, Map.of(), Stamp.startOfMicros(START));
        ids.add("job:" + job);
        if (random.nextBoolean()) {
          long output = file("/f" + random.nextInt(fileCount));
          tx.addEdge(null, key, Vocabulary.REDIRECTED, output, Map.of(), Stamp.startOfMicros(now));
        }
        for (int i = 0; i < programs / jobs; i++) {
          now += STEP_MICROS;
          long process = process("p" + job + "/" + i);
          tx.addEdge(null, key, Vocabulary.CONTAINS, process, Map.of(), Stamp.startOfMicros(now));
          for (int read = random.nextInt(4); read > 0; read--) {
            access(process, Vocabulary.READ, file("/f" + random.nextInt(fileCount)));
          }
          now += STEP_MICROS;
          for (int write = random.nextInt(3); write > 0; write--) {
            access(process, Vocabulary.WROTE, file("/f" + random.nextInt(fileCount)));
          }
          if (random.nextInt(8) == 0) {
            access(process, Vocabulary.DELETED, file("/f" + random.nextInt(fileCount)));
          }
        }
      }
      ids.addAll(files.keySet());
      tx.commit();
    }

    private long process(String id) {
      Map<String, Object> values = new HashMap<>();
      values.put(Vocabulary.NAME, random.nextInt(5) == 0 ? "bash" : "prog");
      values.put(Vocabulary.START, time(now));
      values.put(Vocabulary.END, time(now + 4 * STEP_MICROS));
      return tx.addVertex(id, Vocabulary.PROCESS, values, Stamp.startOfMicros(now));
    }
  }

  /** Drops some files for good, as who tidies up does. */
  private static void drop(GraphDatabase database, Random random, Set<String> files) {
    try (GraphTransaction tx = database.begin()) {
      for (String file : files) {
        if (random.nextInt(6) == 0) {
          long key = tx.verticesById(List.of(file), tx.snapshot()).get(0).key();
          tx.removeVertex(key, Stamp.startOfMicros(DROPPED));
        }
      }
      tx.commit();
    }
  }

  @Test
  void whatASearchTellsThatHasToEndIsPartOfTheWhole() {
    int cutShort = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long seed = SEED + round;
      Random random = new Random(seed);
      try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
        Writer writer;
        try (GraphTransaction tx = database.begin()) {
          writer = new Writer(random, tx);
          writer.write(10 + random.nextInt(50), 3 + random.nextInt(20));
        }
        if (random.nextBoolean()) {
          drop(database, random, writer.files.keySet());
        }
        try (GraphTransaction tx = database.begin()) {
          for (int start = 0; start < 4; start++) {
            String id = writer.ids.get(random.nextInt(writer.ids.size()));
            boolean forward = random.nextBoolean();
            if (tx.verticesById(List.of(id), tx.snapshot()).get(0) == null) {
              continue;
            }
            Lineage whole = search(tx, id, forward, LineageLimits.DEFAULT);
            for (long millis = 0; millis < SOON; millis += 1 + millis / 4) {
              Lineage part = search(tx, id, forward, within(millis, 100_000));
              String what = "seed " + seed + " of " + id + " within " + millis;
              requirePart(part, whole, what);
              cutShort += part.partial() ? 1 : 0;
              if (!part.partial()) {
                break;
              }
            }
          }
        }
      }
    }
    assertThat(cutShort).as("seed %d", SEED).isGreaterThan(ROUNDS);
  }

  private static Lineage search(
      GraphTransaction tx, String id, boolean forward, LineageLimits limits) {
    Provenance provenance = new Provenance(tx, tx.snapshot(), limits);
    return forward ? provenance.forward(id, Stamp.MAX) : provenance.backward(id);
  }

  static void requirePart(Lineage part, Lineage whole, String what) {
    Map<Told, Set<Doubt>> known = new HashMap<>();
    Map<Told, Integer> depths = new HashMap<>();
    for (LineageNode node : whole.nodes()) {
      known.computeIfAbsent(Told.of(node), each -> new HashSet<>()).addAll(node.doubts());
      depths.merge(Told.of(node), node.depth(), Math::min);
    }
    assertThat(Told.of(part.root())).as(what).isEqualTo(Told.of(whole.root()));
    for (LineageNode node : part.nodes()) {
      assertThat(known.containsKey(Told.of(node))).as("%s tells %s", what, node).isTrue();
      assertThat(node.depth()).as(what).isGreaterThanOrEqualTo(depths.get(Told.of(node)));
      if (!Told.isDropped(node)) {
        assertThat(known.get(Told.of(node)))
            .as("%s, doubts of %s", what, node)
            .containsAll(node.doubts());
      }
    }
    Set<Way> ways = ways(whole);
    assertThat(ways.containsAll(ways(part))).as(what).isTrue();
    boolean all = part.nodes().size() == whole.nodes().size() && ways(part).equals(ways);
    if (!all) {
      assertThat(part.partial()).as(what).isTrue();
    }
    if (!part.partial()) {
      assertThat(part).as(what).isEqualTo(whole);
    }
  }

  private static Set<Way> ways(Lineage lineage) {
    Set<Way> ways = new HashSet<>();
    for (Lineage.Link link : lineage.links()) {
      ways.add(
          new Way(
              Told.of(lineage.nodes().get(link.from())),
              Told.of(lineage.nodes().get(link.to())),
              link.relation()));
    }
    return ways;
  }

  @Test
  void aSearchWithoutTimeTellsItsStartAlone() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphTransaction tx = database.begin()) {
      Writer writer = new Writer(new Random(1), tx);
      writer.write(40, 4);
      Lineage none = search(database.begin(), "/f0", false, within(0, 100));
      assertThat(none.nodes()).extracting(LineageNode::id).containsExactly("/f0");
      assertThat(none.partial()).isTrue();
    }
  }

  @Test
  void runsThatWereNotReadWholeAreNotCompared() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory())) {
      try (GraphTransaction tx = database.begin()) {
        Random random = new Random(3);
        Writer writer = new Writer(random, tx);
        while (writer.ids.stream().filter(id -> id.startsWith("job:")).count() < 2) {
          writer.write(60, 10);
        }
      }
      try (GraphTransaction tx = database.begin()) {
        Differences whole =
            new Comparison(tx, LineageLimits.DEFAULT).ofRuns("job:0", "job:1", tx.snapshot());
        assertThat(whole.partial()).isFalse();
        assertThat(whole.all()).isNotEmpty();
        int partial = 0;
        for (int millis = 0; millis < 200; millis++) {
          Differences part =
              new Comparison(tx, within(millis, 100)).ofRuns("job:0", "job:1", tx.snapshot());
          if (part.partial()) {
            partial++;
            assertThat(whole.all()).containsAll(part.all());
          } else {
            assertThat(part).isEqualTo(whole);
          }
        }
        assertThat(partial).isBetween(1, 199);
      }
    }
  }
}
