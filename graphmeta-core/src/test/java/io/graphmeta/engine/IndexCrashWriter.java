package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that {@link IndexCrashIT} kills, and {@link IndexPowerLossIT} takes the power from:
 * {@link IndexedWrites}. It prints a line for each transaction.
 */
final class IndexCrashWriter {
  private static final long LOOK_MILLIS = 100;
  private static final List<Setting> SETTINGS =
      List.of(
          Setting.SHARDS,
          Setting.DURABILITY,
          Setting.SPLIT_THRESHOLD,
          Setting.MOVED_ROWS_KEPT_MILLIS,
          Setting.BACKGROUND_SYNC_MILLIS,
          Setting.WRITE_BUFFER_BYTES);

  private IndexCrashWriter() {}

  /** The arguments that {@link #main} takes. */
  static List<String> arguments(GraphMetaConfig config, long seed) {
    List<String> arguments = new ArrayList<>();
    arguments.add(config.get(Setting.DIRECTORY));
    arguments.add(Long.toString(seed));
    for (Setting setting : SETTINGS) {
      arguments.add(setting.key() + "=" + config.get(setting));
    }
    return arguments;
  }

  /** The arguments: directory, seed, and settings as {@code name=value}. */
  public static void main(String[] arguments) throws InterruptedException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(Setting.DIRECTORY.key(), arguments[0]);
    for (int i = 2; i < arguments.length; i++) {
      int equals = arguments[i].indexOf('=');
      settings.put(arguments[i].substring(0, equals), arguments[i].substring(equals + 1));
    }
    GraphDatabase database = GraphDatabases.open(GraphMetaConfig.of(settings));
    AtomicLong count = new AtomicLong();
    IndexedWrites writes =
        new IndexedWrites(
            database,
            Long.parseLong(arguments[1]),
            () -> {
              synchronized (System.out) {
                System.out.println("t-" + count.incrementAndGet());
                System.out.flush();
              }
            });
    writes.start();
    while (writes.failure() == null) {
      Thread.sleep(LOOK_MILLIS);
    }
    writes.failure().printStackTrace(System.err);
    Runtime.getRuntime().halt(1);
  }
}
