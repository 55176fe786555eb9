package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that commit while another one takes all memory again and again; then looks whether what
 * they were told is so, and says what it has found. Arguments: directory, durability, seed,
 * milliseconds.
 */
final class HeapExhaustedWriter {
  private static final int WRITERS = 4;
  private static final Set<ErrorCode> UNKNOWN =
      EnumSet.of(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.TIMEOUT, ErrorCode.CLOSED);

  private static final ConcurrentLinkedQueue<String> COMMITTED = new ConcurrentLinkedQueue<>();
  private static final ConcurrentLinkedQueue<String> REFUSED = new ConcurrentLinkedQueue<>();
  private static volatile boolean over;
  private static final AtomicInteger UNKNOWN_COUNT = new AtomicInteger();

  private HeapExhaustedWriter() {}

  public static void main(String[] args) throws Exception {
    long seed = Long.parseLong(args[2]);
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(Path.of(args[0]))
            .with(Setting.DURABILITY, args[1])
            .with(Setting.BLOCK_CACHE_BYTES, 1 << 20)
            .with(Setting.ADJACENCY_CACHE_BYTES, 1 << 20);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Thread> writers = new ArrayList<>();
      for (int number = 0; number < WRITERS; number++) {
        int writer = number;
        writers.add(new Thread(() -> write(database, writer, new SplittableRandom(seed + writer))));
      }
      Thread hog = new Thread(() -> takeAllMemory(new SplittableRandom(seed)));
      hog.start();
      writers.forEach(Thread::start);
      Thread.sleep(Long.parseLong(args[3]));
      over = true;
      hog.join();
      for (Thread writer : writers) {
        writer.join(60_000);
        if (writer.isAlive()) {
          System.out.println("hangs: " + List.of(writer.getStackTrace()));
          Runtime.getRuntime().halt(1);
        }
      }
      Thread.sleep(2_000); // for rounds that were tried again
      if (database.status().get(0).fault().isEmpty()) {
        System.out.println(verdict(database, "well"));
        return;
      }
    } catch (GraphMetaException e) {
      System.out.println("closed: " + e.getMessage());
    }
    try (GraphDatabase database = GraphDatabases.open(config)) {
      System.out.println(verdict(database, "opened again"));
    }
  }

  private static void takeAllMemory(SplittableRandom random) {
    while (!over && COMMITTED.size() < 20) {
      Thread.onSpinWait(); // nothing shows where nothing was committed before
    }
    while (!over) {
      List<byte[]> taken = new ArrayList<>();
      try {
        int least = 1 << random.nextInt(12, 18);
        for (int size = 1 << 20; size > least && !over; ) {
          try {
            taken.add(new byte[size]);
          } catch (OutOfMemoryError e) {
            size /= 2;
          }
        }
        Thread.sleep(2);
        taken.clear();
        Thread.sleep(random.nextInt(30));
      } catch (InterruptedException | OutOfMemoryError e) {
        // That was all of it.
      }
    }
  }

  private static void write(GraphDatabase database, int writer, SplittableRandom random) {
    for (int i = 0; !over; i++) {
      try {
        write(database, "w" + writer + "-" + i, random);
      } catch (OutOfMemoryError e) {
        // There was not even the memory to note it.
      }
    }
  }

  private static void write(GraphDatabase database, String id, SplittableRandom random) {
    boolean sent = false;
    try (GraphTransaction tx = database.begin()) {
      String value = "x".repeat(1 + random.nextInt(1 << random.nextInt(4, 17)));
      tx.addVertex(id, "file", Map.of("name", value), Stamp.AT_COMMIT);
      sent = true;
      tx.commit();
      COMMITTED.add(id);
    } catch (GraphMetaException e) {
      note(id, !sent || !UNKNOWN.contains(e.code()) && e.code() != ErrorCode.STORAGE_FAILURE);
    } catch (OutOfMemoryError | IllegalStateException e) {
      note(id, false); // of the client, who may have had no memory to take the answer
    }
  }

  private static void note(String id, boolean refused) {
    if (refused) {
      REFUSED.add(id);
    } else {
      UNKNOWN_COUNT.incrementAndGet();
    }
  }

  private static String verdict(GraphDatabase database, String manner) {
    try (GraphTransaction tx = database.begin()) {
      for (String id : COMMITTED) {
        if (tx.verticesById(List.of(id), tx.snapshot()).get(0) == null) {
          return "lost: " + id;
        }
      }
      for (String id : REFUSED) {
        if (tx.verticesById(List.of(id), tx.snapshot()).get(0) != null) {
          return "refused, and there: " + id;
        }
      }
      tx.addVertex("last", "file", Map.of(), Stamp.AT_COMMIT);
      tx.commit();
    }
    CheckReport report = database.check(rows -> {});
    return report.isClean()
        ? "ok: %d %d %d %s".formatted(COMMITTED.size(), REFUSED.size(), UNKNOWN_COUNT.get(), manner)
        : "unclean: " + report.examples();
  }
}
