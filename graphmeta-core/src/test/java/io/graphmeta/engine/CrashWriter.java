package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.model.Cardinality;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The process that {@link CrashIT} kills and {@link PowerLossIT} takes the power from: commits as
 * fast as it can in several threads, and prints the name of each transaction when it is
 * acknowledged. Transaction {@code n} is a ring of vertices, whose ids spread them over the shards,
 * an edge from a vertex that all threads use, and the number of the thread's newest transaction.
 */
final class CrashWriter {
  static final int THREADS = 3;

  private CrashWriter() {}

  /** The arguments of {@link #main}: directory, run, and settings as {@code name=value}. */
  public static void main(String[] arguments) throws InterruptedException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(Setting.DIRECTORY.key(), Path.of(arguments[0]).toString());
    for (int i = 2; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      settings.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
    }
    GraphDatabase database = GraphDatabases.open(GraphMetaConfig.of(settings));
    long hub = hub(database);
    for (int thread = 0; thread < THREADS; thread++) {
      String name = arguments[1] + "-" + thread;
      new Thread(() -> write(database, hub, name)).start();
    }
    Thread.currentThread().join();
  }

  /** The ids of the vertices of a transaction: two to six. */
  static List<String> ids(String transaction) {
    int number = Integer.parseInt(transaction.substring(transaction.lastIndexOf('-') + 1));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 2 + number % 5; i++) {
      ids.add(transaction + (char) ('a' + i));
    }
    return ids;
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
        String transaction = name + "-" + n;
        List<Long> ring = new ArrayList<>();
        for (String id : ids(transaction)) {
          ring.add(tx.addVertex(id, "file", Map.of("n", n), Stamp.AT_COMMIT));
        }
        for (int i = 0; i < ring.size(); i++) {
          long next = ring.get((i + 1) % ring.size());
          tx.addEdge(null, ring.get(i), "wrote", next, Map.of("n", n), Stamp.AT_COMMIT);
        }
        tx.addEdge(null, hub, "contains", ring.get(0), Map.of(), Stamp.AT_COMMIT);
        tx.setVertexProperty(
            counter, "last", n, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
        tx.commit();
        synchronized (System.out) {
          System.out.println(transaction);
          System.out.flush();
        }
      }
    }
  }
}
