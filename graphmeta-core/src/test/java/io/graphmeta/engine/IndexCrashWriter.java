package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * The process that {@link IndexCrashIT} kills: changes properties of vertices, now and in the past,
 * while another thread creates, drops and rebuilds an index. It prints a line for each transaction.
 */
final class IndexCrashWriter {
  private static final int VERTICES = 300;

  private IndexCrashWriter() {}

  /** The arguments of {@link #main}: directory, number of shards, seed. */
  public static void main(String[] arguments) {
    GraphDatabase database =
        GraphDatabases.open(
            GraphMetaConfig.of(
                Map.of(
                    Setting.DIRECTORY.key(),
                    Path.of(arguments[0]).toString(),
                    Setting.SHARDS.key(),
                    arguments[1])));
    long seed = Long.parseLong(arguments[2]);
    new Thread(() -> change(database.indexes(), new Random(seed))).start();
    write(database, new Random(seed + 1));
  }

  private static void change(Indexes indexes, Random random) {
    while (true) {
      try {
        switch (random.nextInt(3)) {
          case 0 -> indexes.create("file.size", Set.of(IndexKind.RANGE));
          case 1 -> indexes.drop("file.size");
          default -> indexes.rebuild("file.size");
        }
        Thread.sleep(random.nextInt(300));
      } catch (GraphMetaException e) {
        continue; // it is there already, or it is not
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void write(GraphDatabase database, Random random) {
    long first = 0;
    for (int n = 0; ; n++) {
      try (GraphTransaction tx = database.begin()) {
        String id = "f" + random.nextInt(VERTICES);
        VertexRecord found = tx.verticesById(List.of(id), tx.snapshot()).get(0);
        if (found == null) {
          tx.addVertex(id, "file", Map.of("name", id + " " + n, "size", n), Stamp.AT_COMMIT);
        } else {
          String key = random.nextBoolean() ? "name" : "size";
          Object value = key.equals("name") ? id + " " + n : (Object) n;
          boolean isPast = first != 0 && random.nextInt(4) == 0;
          long valid = isPast ? first + random.nextInt(1 << 20) : Stamp.AT_COMMIT;
          tx.setVertexProperty(found.key(), key, value, Cardinality.SINGLE, Map.of(), null, valid);
        }
        first = first == 0 && found != null ? tx.snapshot().knownAt() : first;
        tx.commit();
        System.out.println("t-" + n);
        System.out.flush();
      } catch (GraphMetaException e) {
        continue; // such as a value from before its vertex
      }
    }
  }
}
