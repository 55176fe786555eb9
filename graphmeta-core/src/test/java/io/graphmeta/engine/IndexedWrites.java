package io.graphmeta.engine;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that change what is indexed until they are stopped or their process ends: properties of
 * vertices, now and in the past; edges of vertices that are split while they grow; and, in the
 * first of them, the indexes. Belongs to one thread.
 */
final class IndexedWrites {
  static final int FILES = 4800;
  static final List<String> KEPT = List.of("file.name", "wrote.bytes");

  private static final int FILES_IN_TRANSACTION = 1200;
  private static final int CHANGED_FILES = 900;
  private static final int PAST_MICROS = 500_000;
  private static final int MOST_PAUSE_NANOS = 2_000_000;
  private static final int EDGES_OF_VERTEX = 60;
  private static final Map<String, Set<IndexKind>> CHANGED =
      Map.of(
          "file.size", Set.of(IndexKind.RANGE),
          "file.id", Set.of(IndexKind.EXACT),
          "read.mode", Set.of(IndexKind.EXACT));
  private static final Set<ErrorCode> EXPECTED =
      Set.of(
          ErrorCode.CONFLICT,
          ErrorCode.MISPLACED,
          ErrorCode.SNAPSHOT_TOO_OLD,
          ErrorCode.NOT_FOUND,
          ErrorCode.ALREADY_EXISTS,
          ErrorCode.INVALID_ARGUMENT); // a value from before its vertex

  private final GraphDatabase database;
  private final long seed;
  private final Runnable acknowledged;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;

  /**
   * @param acknowledged told of each transaction that is committed, by several threads
   */
  IndexedWrites(GraphDatabase database, long seed, Runnable acknowledged) {
    this.database = database;
    this.seed = seed;
    this.acknowledged = acknowledged;
  }

  /** Fills a new database, and creates the indexes that stay. Returns the first stamp of values. */
  static long begin(GraphDatabase database) {
    long first = 0;
    for (int i = 0; i < FILES; i += FILES_IN_TRANSACTION) {
      try (GraphTransaction tx = database.begin()) {
        for (int n = i; n < i + FILES_IN_TRANSACTION; n++) {
          tx.addVertex("f" + n, "file", Map.of("name", "f" + n, "size", n), Stamp.AT_COMMIT);
        }
        first = tx.commit();
      }
    }
    database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
    try (GraphTransaction tx = database.begin()) {
      long process = tx.addVertex("p", "process", Map.of(), Stamp.AT_COMMIT);
      tx.addEdge(null, process, "wrote", process, Map.of("bytes", 1), Stamp.AT_COMMIT);
      tx.addEdge(null, process, "read", process, Map.of("mode", "m1"), Stamp.AT_COMMIT);
      tx.commit();
    }
    database.indexes().create("wrote.bytes", Set.of(IndexKind.EXACT, IndexKind.RANGE));
    return first;
  }

  void start() {
    start("indexes", this::changeIndexes);
    start("files", this::writeFiles);
    start("edges", this::writeEdges);
  }

  private void start(String name, Runnable writes) {
    Thread thread =
        new Thread(
            () -> {
              try {
                writes.run();
              } catch (RuntimeException | Error e) {
                failures.add(e);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
  }

  /** Waits for their last transactions, and returns what failed unexpectedly. */
  List<Throwable> stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    return List.copyOf(failures);
  }

  @Nullable Throwable failure() {
    return failures.peek();
  }

  private static void requireExpected(GraphMetaException e) {
    if (!EXPECTED.contains(e.code())) {
      throw e;
    }
  }

  private void changeIndexes() {
    Random random = new Random(seed);
    List<String> names = CHANGED.keySet().stream().sorted().toList();
    while (!stopped) {
      String name = names.get(random.nextInt(names.size()));
      try {
        switch (random.nextInt(4)) {
          case 0 -> {
            database.indexes().drop(name);
            dropped();
          }
          case 1 -> {
            database.indexes().rebuild(name);
            rebuilt();
          }
          case 2 -> {
            database.indexes().create(name, CHANGED.get(name));
            created();
          }
          default -> {
            for (String each : names) { // built one after the other
              createIfMissing(each);
            }
          }
        }
        acknowledged.run();
        Thread.sleep(random.nextInt(300));
      } catch (GraphMetaException e) {
        requireExpected(e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void createIfMissing(String name) {
    try {
      database.indexes().create(name, CHANGED.get(name));
    } catch (GraphMetaException e) {
      requireExpected(e);
    }
  }

  /** A place behind the creation of an index. */
  private static void created() {}

  /** A place behind the end of an index. */
  private static void dropped() {}

  /** A place behind the change of an index for a new one. */
  private static void rebuilt() {}

  private void writeFiles() {
    Random random = new Random(seed + 1);
    for (int n = 0; !stopped; n++) {
      LockSupport.parkNanos(random.nextInt(MOST_PAUSE_NANOS)); // or indexes fall far behind
      try (GraphTransaction tx = database.begin()) {
        VertexRecord found = file(tx, random.nextInt(CHANGED_FILES));
        boolean isName = random.nextBoolean();
        boolean isPast = random.nextInt(4) == 0;
        tx.setVertexProperty(
            found.key(),
            isName ? "name" : "size",
            isName ? "f" + n + " " + random.nextInt(10) : (Object) random.nextInt(FILES),
            Cardinality.SINGLE,
            Map.of(),
            null,
            isPast ? past(tx, random) : Stamp.AT_COMMIT);
        if (random.nextInt(8) == 0) {
          String id = "g" + random.nextInt(FILES);
          if (tx.verticesById(List.of(id), tx.snapshot()).get(0) == null) {
            tx.addVertex(id, "file", Map.of("name", id, "size", n), Stamp.AT_COMMIT);
          }
        }
        tx.commit();
        acknowledged.run();
      } catch (GraphMetaException e) {
        requireExpected(e);
      }
    }
  }

  private static long past(GraphTransaction tx, Random random) {
    long now = Stamp.micros(tx.snapshot().knownAt());
    return Stamp.startOfMicros(now - random.nextInt(PAST_MICROS));
  }

  private static VertexRecord file(GraphTransaction tx, int number) {
    VertexRecord found = tx.verticesById(List.of("f" + number), tx.snapshot()).get(0);
    if (found == null) {
      throw new IllegalStateException("File f" + number + " is gone");
    }
    return found;
  }

  private void writeEdges() {
    Random random = new Random(seed + 2);
    long process = 0;
    List<EdgeKey> mine = new ArrayList<>();
    for (int n = 0; !stopped; n++) {
      LockSupport.parkNanos(random.nextInt(MOST_PAUSE_NANOS));
      try (GraphTransaction tx = database.begin()) {
        if (n % EDGES_OF_VERTEX == 0 || process == 0) {
          process = 0;
          mine.clear();
          String id = "p" + seed + "-" + n;
          long added = tx.addVertex(id, "process", Map.of(), Stamp.AT_COMMIT);
          tx.commit();
          process = added;
          continue;
        }
        List<EdgeKey> added = new ArrayList<>();
        EdgeKey changed = mine.isEmpty() ? null : mine.get(random.nextInt(mine.size()));
        switch (changed == null ? 0 : random.nextInt(6)) {
          case 1 -> tx.setEdgeProperty(changed, "bytes", random.nextInt(100), Stamp.AT_COMMIT);
          case 2 -> tx.removeEdge(changed, Stamp.AT_COMMIT);
          default -> {
            long file = file(tx, random.nextInt(CHANGED_FILES)).key();
            Map<String, Object> properties =
                Map.of("bytes", random.nextInt(100), "mode", "m" + random.nextInt(5));
            String label = random.nextBoolean() ? "wrote" : "read";
            added.add(tx.addEdge(null, process, label, file, properties, Stamp.AT_COMMIT));
          }
        }
        tx.commit();
        mine.addAll(added);
        acknowledged.run();
      } catch (GraphMetaException e) {
        requireExpected(e);
      }
    }
  }
}
