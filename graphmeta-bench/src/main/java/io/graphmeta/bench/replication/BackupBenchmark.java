package io.graphmeta.bench.replication;

import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to back up a cluster while clients write, and to restore it: a first backup, one
 * after each change of a part of all vertices, with what of it was new, all of them verified, the
 * last one restored into an embedded database. Beside each stands the time of copying its new files
 * alone, file by file with a sync of each, and the commits in a second meanwhile and before. Each
 * vertex that was restored is compared with a read of the cluster as of the stamp of the backup.
 */
public final class BackupBenchmark {
  private static final int NODES = 3;
  private static final double MEGABYTE = 1e6;
  private static final int COMPARED_TOGETHER = 100;

  private final Arguments arguments;
  private final Path directory;
  private final Path target;
  private final LoadedCluster loaded;
  private double commitsBefore;

  private BackupBenchmark(Arguments arguments, Path directory, LoadedCluster loaded) {
    this.arguments = arguments;
    this.directory = directory;
    this.target = directory.resolve("backups");
    this.loaded = loaded;
  }

  /** Runs it; the arguments see {@code HACKING}. */
  public static void main(String[] given) throws IOException, InterruptedException {
    Arguments arguments =
        Arguments.parse(
            given,
            Map.of(
                "home", "graphmeta-server/target/graphmeta",
                "directory", System.getProperty("java.io.tmpdir"),
                "megabytes", "1000",
                "shards", "8",
                "replicas", "3",
                "writers", "8",
                "changes", "3",
                "changed-percent", "1",
                "heap", "512m",
                "settings", "node.replayed-bytes=16777216"));
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")));
        LoadedCluster loaded =
            LoadedCluster.start(
                scratch.path().resolve("cluster"),
                NODES,
                arguments.number("replicas"),
                arguments)) {
      new BackupBenchmark(arguments, scratch.path(), loaded).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    loaded.load(new StoreFiles(directory.resolve("cluster")));
    commitsBefore = loaded.startWriters(arguments.number("writers"));
    System.out.println(
        "| | MB | MB of it new | % | s | s of copying the new files alone | commits in a second |"
            + " of those before |\n|---|---|---|---|---|---|---|---|");
    Set<Path> known = Set.of();
    BackupSummary last = measure("backup", known);
    int changed = loaded.vertices() * arguments.number("changed-percent") / 100;
    List<Integer> numbers = new ArrayList<>(IntStream.range(0, loaded.vertices()).boxed().toList());
    Random random = new Random(11);
    for (int change = 1; change <= arguments.number("changes"); change++) {
      Collections.shuffle(numbers, random);
      loaded.change(numbers.subList(0, changed), change);
      known = StoreFiles.files(target);
      last = measure("after change " + change, known);
    }
    Faults faults = new Faults();
    timed(
        "verify",
        () -> new BackupReader(target, FileOperations.ON_DISK).verify(null, faults, bytes -> {}));
    if (!faults.found.isEmpty()) {
      throw GraphMetaException.internal(faults.found.toString());
    }
    Path restored = directory.resolve("restored");
    timed("restore", () -> GraphDatabases.restore(target, null, restored, bytes -> {}));
    loaded.stopWriters();
    try (GraphDatabase opened =
        GraphDatabases.open(GraphDatabases.asCreated(GraphMetaConfig.inDirectory(restored)))) {
      compare(opened, last.database().stamp());
    }
  }

  private static final class Faults implements BackupReader.Findings {
    final List<String> found = new ArrayList<>();

    @Override
    public void backup(BackupSummary backup) {}

    @Override
    public void fault(String what) {
      found.add(what);
    }
  }

  private BackupSummary measure(String name, Set<Path> known) throws IOException {
    long first = loaded.commits();
    long begin = System.nanoTime();
    BackupSummary taken =
        LoadedCluster.persist(() -> loaded.database().backup(target, bytes -> {}));
    double seconds = StoreFiles.secondsSince(begin);
    double rate = (loaded.commits() - first) / seconds;
    Set<Path> copied = StoreFiles.files(target);
    copied.removeAll(known);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.2f | %.1f | %.1f | %.0f | %.2f |%n",
        name,
        taken.bytes() / MEGABYTE,
        taken.newBytes() / MEGABYTE,
        100.0 * taken.newBytes() / taken.bytes(),
        seconds,
        new StoreFiles(directory).copySeconds(copied),
        rate,
        rate / commitsBefore);
    return taken;
  }

  private void timed(String name, Runnable work) {
    long first = loaded.commits();
    long begin = System.nanoTime();
    work.run();
    double seconds = StoreFiles.secondsSince(begin);
    double rate = (loaded.commits() - first) / seconds;
    System.out.printf(
        Locale.ROOT,
        "| %s | | | | %.1f | | %.0f | %.2f |%n",
        name,
        seconds,
        rate,
        rate / commitsBefore);
  }

  /** Fails where a vertex is not as the cluster tells it as of the stamp. */
  private void compare(GraphDatabase restored, long stamp) {
    long begin = System.nanoTime();
    CheckReport report = restored.check(rows -> {});
    if (!report.isClean()) {
      throw GraphMetaException.internal(report.examples().toString());
    }
    long compared = 0;
    try (GraphTransaction tx = restored.begin();
        ElementCursor<VertexRecord> all = tx.scanVertices(Set.of(), tx.snapshot())) {
      for (List<VertexRecord> some = next(all); !some.isEmpty(); some = next(all)) {
        List<VertexRecord> found = some;
        List<@Nullable VertexRecord> expected = LoadedCluster.persist(() -> asOf(found, stamp));
        if (!expected.equals(found)) {
          throw GraphMetaException.internal(
              found + " were restored, as of then they are " + expected);
        }
        compared += found.size();
      }
    }
    long expected = LoadedCluster.persist(() -> countAsOf(stamp));
    if (compared != expected) {
      throw GraphMetaException.internal(compared + " vertices restored of " + expected);
    }
    System.out.printf(
        Locale.ROOT,
        "%d vertices that were restored are those of the cluster as of then (%.1f s); all rows are"
            + " well; %d commits%n",
        compared,
        StoreFiles.secondsSince(begin),
        loaded.commits());
  }

  private static List<VertexRecord> next(ElementCursor<VertexRecord> all) {
    List<VertexRecord> some = new ArrayList<>();
    while (some.size() < COMPARED_TOGETHER) {
      VertexRecord vertex = all.next();
      if (vertex == null) {
        break;
      }
      some.add(vertex);
    }
    return some;
  }

  private List<@Nullable VertexRecord> asOf(List<VertexRecord> vertices, long stamp) {
    try (GraphTransaction tx = loaded.database().begin()) {
      return tx.vertices(
          vertices.stream().mapToLong(VertexRecord::key).toArray(), tx.view(stamp, stamp));
    }
  }

  private long countAsOf(long stamp) {
    try (GraphTransaction tx = loaded.database().begin()) {
      return tx.countVertices(Set.of(), tx.view(stamp, stamp));
    }
  }
}
