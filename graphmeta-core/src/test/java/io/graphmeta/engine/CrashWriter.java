package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.model.Cardinality;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The process that {@link CrashIT} kills: commits as fast as it can in several threads, and prints
 * the name of each transaction when it is acknowledged.
 */
final class CrashWriter {
  static final int THREADS = 3;

  private CrashWriter() {}

  public static void main(String[] arguments) throws InterruptedException {
    Path directory = Path.of(arguments[0]);
    String run = arguments[1];
    GraphDatabase database =
        GraphDatabase.open(
            GraphMetaConfig.inDirectory(directory).with(Setting.DURABILITY, arguments[2]));
    long hub = hub(database);
    for (int thread = 0; thread < THREADS; thread++) {
      String name = run + "-" + thread;
      new Thread(() -> write(database, hub, name)).start();
    }
    Thread.currentThread().join();
  }

  private static long hub(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      var found = tx.verticesById(List.of("hub"), tx.snapshot()).get(0);
      long key =
          found != null ? found.key() : tx.addVertex("hub", "directory", Map.of(), Stamp.AT_COMMIT);
      tx.commit();
      return key;
    }
  }

  private static void write(GraphDatabase database, long hub, String name) {
    long counter;
    try (GraphTransaction tx = database.begin()) {
      counter = tx.addVertex(name, "thread", Map.of("last", -1), Stamp.AT_COMMIT);
      tx.commit();
    }
    for (int n = 0; ; n++) {
      try (GraphTransaction tx = database.begin()) {
        String id = name + "-" + n;
        long a = tx.addVertex(id, "job", Map.of("n", n), Stamp.AT_COMMIT);
        long b = tx.addVertex(id + "b", "file", Map.of("n", n), Stamp.AT_COMMIT);
        tx.addEdge(null, a, "wrote", b, Map.of("n", n), Stamp.AT_COMMIT);
        tx.addEdge(null, hub, "contains", b, Map.of(), Stamp.AT_COMMIT);
        tx.setVertexProperty(
            counter, "last", n, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
        tx.commit();
        synchronized (System.out) {
          System.out.println(id);
          System.out.flush();
        }
      }
    }
  }
}
