package io.graphmeta.bench.engine;

import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.Elements;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What it costs to insert edges between vertices of one shard, and across two, with one, two and
 * four shards in this process, beside raw RocksDB that writes the same rows. A transaction of
 * several edges has all of them on one shard, or all across the same two. Counts messages and syncs
 * for each commit.
 */
public final class ShardsBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("sides", "1,raw,2,2x,4,4x"),
          Map.entry("threads", "1,8"),
          Map.entry("per-commit", "1,100"),
          Map.entry("durability", "background,sync"),
          Map.entry("shard-threads", "0"),
          Map.entry("repetitions", "5"),
          Map.entry("warmups", "1"),
          Map.entry("inserts", "40000"),
          Map.entry("vertices", "2000"),
          Map.entry("directory", System.getProperty("java.io.tmpdir")),
          Map.entry("json", ""));
  private static final Set<String> COMMITTING = Set.of("Commit", "Prepare", "Resolve", "Inquire");
  private static final int VALUE_BYTES = 128;
  private static final int SYNCED_SHARE = 20;

  private final Arguments arguments;
  private final Elements elements;

  private ShardsBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.elements = new Elements(arguments.number("vertices"), VALUE_BYTES, 42);
  }

  /**
   * Something to measure.
   *
   * @param shards 0 for raw RocksDB
   * @param across whether every edge joins vertices of two shards
   */
  private record Side(int shards, boolean across) {
    /** {@code raw}, or the number of shards, with an {@code x} for edges across. */
    static Side of(String name) {
      if (name.equals("raw")) {
        return new Side(0, false);
      }
      boolean across = name.endsWith("x");
      return new Side(Integer.parseInt(across ? name.replace("x", "") : name), across);
    }

    @Override
    public String toString() {
      if (shards == 0) {
        return "raw RocksDB";
      }
      return shards + (shards == 1 ? " shard" : across ? " shards, across" : " shards, within");
    }
  }

  /** How edges are inserted. */
  private record Way(int threads, int perCommit, boolean sync) {
    @Override
    public String toString() {
      return (sync ? "sync" : "background")
          + ", "
          + threads
          + (threads == 1 ? " thread" : " threads")
          + ", commit per "
          + perCommit;
    }
  }

  /**
   * Runs the benchmark; {@code --sides=1,raw,2,2x,4,4x --threads=1,8 --per-commit=1,100
   * --durability=background,sync --shard-threads= --repetitions= --warmups= --inserts= --vertices=
   * --directory= --json=}.
   */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    ShardsBenchmark benchmark = new ShardsBenchmark(arguments);
    Figures figures =
        Interleaving.repeat(
            arguments.number("warmups"),
            arguments.number("repetitions"),
            Arrays.stream(arguments.text("sides").split(",")).map(Side::of).toList(),
            benchmark::run,
            System.err::println);
    System.out.print(figures.table());
    if (!arguments.text("json").isEmpty()) {
      Files.writeString(Path.of(arguments.text("json")), figures.json());
    }
  }

  private void run(Side side, Figures figures) throws IOException {
    for (String durability : arguments.text("durability").split(",")) {
      for (String perCommit : arguments.text("per-commit").split(",")) {
        for (String threads : arguments.text("threads").split(",")) {
          Way way =
              new Way(
                  Integer.parseInt(threads),
                  Integer.parseInt(perCommit),
                  durability.equals("sync"));
          int inserts = arguments.number("inserts");
          run(
              side,
              way,
              way.sync && way.perCommit == 1 ? inserts / SYNCED_SHARE : inserts,
              figures);
        }
      }
    }
  }

  private void run(Side side, Way way, int inserts, Figures figures) throws IOException {
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")));
        Subject subject = open(side, scratch.path(), way.sync)) {
      addVertices(subject);
      int[][] vertices = verticesByShard(subject, side);
      GraphDatabase database = subject instanceof EngineSubject engine ? engine.database() : null;
      Counts before = Counts.of(database);
      Effort effort = new Effort();
      insert(subject, side, way, inserts, vertices);
      effort.addTo(figures, way.toString(), "insert", side.toString(), inserts);
      if (database != null) {
        Counts.of(database).since(before).addTo(figures, way, side, inserts);
      }
      int[] all = new int[elements.vertexCount()];
      Arrays.setAll(all, number -> number);
      try (Subject.Reader reader = subject.reader()) {
        int found = reader.scan(all);
        if (found != inserts) {
          throw GraphMetaException.internal("Found " + found + " edges; expected " + inserts);
        }
      }
    }
  }

  private Subject open(Side side, Path directory, boolean sync) throws IOException {
    if (side.shards == 0) {
      return new RawSubject(directory, sync, elements);
    }
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory)
            .with(Setting.DURABILITY, sync ? "sync" : "background")
            .with(Setting.SHARDS, side.shards)
            .with(Setting.SHARD_THREADS, arguments.number("shard-threads"));
    return new EngineSubject(directory, config, elements);
  }

  private void addVertices(Subject subject) throws IOException {
    try (Subject.Writer writer = subject.writer()) {
      for (int number = 0; number < elements.vertexCount(); number++) {
        writer.addVertex(number);
      }
      writer.commit();
    }
  }

  private int[][] verticesByShard(Subject subject, Side side) {
    List<List<Integer>> lists = new ArrayList<>();
    for (int shard = 0; shard < Math.max(1, side.shards); shard++) {
      lists.add(new ArrayList<>());
    }
    for (int number = 0; number < elements.vertexCount(); number++) {
      int home = 0;
      if (subject instanceof EngineSubject engine) {
        int virtualNodes = engine.database().config().virtualNodes();
        home =
            VirtualNodeMap.roundRobin(1, virtualNodes, side.shards)
                .shard(VertexKeys.virtualNode(engine.vertexKey(number)));
      }
      lists.get(home).add(number);
    }
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private static void insert(Subject subject, Side side, Way way, int inserts, int[][] vertices)
      throws IOException {
    ExecutorService pool = Executors.newFixedThreadPool(way.threads);
    try {
      List<Future<?>> parts = new ArrayList<>();
      for (int thread = 0; thread < way.threads; thread++) {
        int from = (int) ((long) inserts * thread / way.threads);
        int to = (int) ((long) inserts * (thread + 1) / way.threads);
        parts.add(
            pool.submit(
                () -> {
                  insert(subject, side, way.perCommit, from, to, vertices);
                  return null;
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (ExecutionException e) {
      throw new IOException("An insert of " + side + " failed", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private static void insert(
      Subject subject, Side side, int perCommit, int from, int to, int[][] vertices)
      throws IOException {
    SplittableRandom random = new SplittableRandom(from);
    try (Subject.Writer writer = subject.writer()) {
      for (int first = from; first < to; first += perCommit) {
        int[] sources = vertices[first / perCommit % vertices.length];
        int[] destinations =
            vertices[(first / perCommit + (side.across ? 1 : 0)) % vertices.length];
        for (int number = first; number < Math.min(to, first + perCommit); number++) {
          writer.addEdge(
              sources[random.nextInt(sources.length)],
              destinations[random.nextInt(destinations.length)],
              number);
        }
        writer.commit();
      }
    }
  }

  /** What was sent and synced so far. */
  private record Counts(long committing, long calls, long syncs) {
    static Counts of(@Nullable GraphDatabase database) {
      if (database == null) {
        return new Counts(0, 0, 0);
      }
      long committing = 0;
      long calls = 0;
      for (Map.Entry<String, Long> sent : database.callsSent().entrySet()) {
        calls += sent.getValue();
        committing += COMMITTING.contains(sent.getKey()) ? sent.getValue() : 0;
      }
      long syncs = database.status().stream().mapToLong(ShardStatus::syncs).sum();
      return new Counts(committing, calls, syncs);
    }

    Counts since(Counts before) {
      return new Counts(committing - before.committing, calls - before.calls, syncs - before.syncs);
    }

    void addTo(Figures figures, Way way, Side side, int inserts) {
      double commits = Math.ceil((double) inserts / way.perCommit);
      figures.add(way + ": messages to commit", side.toString(), committing / commits);
      figures.add(way + ": messages in all per commit", side.toString(), calls / commits);
      figures.add(way + ": syncs per commit", side.toString(), syncs / commits);
    }
  }
}
