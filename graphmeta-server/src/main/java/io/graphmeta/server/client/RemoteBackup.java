package io.graphmeta.server.client;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** A backup that a server takes of the database that it serves. Used by one thread. */
public final class RemoteBackup {
  private static final String SERVICE = "graphmeta.backup";
  private static final long LOOK_MILLIS = 200;

  private RemoteBackup() {}

  /**
   * Has a server take a backup, and waits for it.
   *
   * @param target the directory on the machine of the server, as the server takes it
   * @param bytesPerSecond how fast files are copied at most; 0: as fast as may be
   * @param progress is told the number of bytes that are done
   * @throws GraphMetaException what the backup failed with; what the server says if it takes none
   */
  public static BackupSummary take(
      RemoteGraph server, String target, long bytesPerSecond, LongConsumer progress) {
    Map<String, Object> start = new LinkedHashMap<>();
    start.put("do", "start");
    start.put("target", target);
    start.put("bytesPerSecond", bytesPerSecond);
    Map<?, ?> state = call(server, start);
    Map<String, Object> look = Map.of("do", "status", "id", text(state, "id"));
    while (text(state, "state").equals("running")) {
      pause();
      state = call(server, look);
      progress.accept(number(state, "done"));
    }
    if (text(state, "state").equals("failed")) {
      throw new GraphMetaException(code(text(state, "error")), text(state, "message"));
    }
    return new BackupSummary(
        text(state, "backup"),
        new BackedUpDatabase(
            text(state, "database"),
            (int) number(state, "format"),
            number(state, "stamp"),
            (int) number(state, "shards"),
            (int) number(state, "virtualNodes"),
            text(state, "placement")),
        Instant.ofEpochMilli(number(state, "takenMillis")),
        (int) number(state, "files"),
        number(state, "bytes"),
        (int) number(state, "newFiles"),
        number(state, "newBytes"));
  }

  private static ErrorCode code(String name) {
    return Arrays.stream(ErrorCode.values())
        .filter(code -> code.name().equals(name))
        .findFirst()
        .orElse(ErrorCode.INTERNAL);
  }

  private static Map<?, ?> call(RemoteGraph server, Map<String, Object> parameters) {
    try {
      Object answer = server.source().call(SERVICE, parameters).next();
      if (answer instanceof Map<?, ?> map) {
        return map;
      }
      throw unexpected(String.valueOf(answer));
    } catch (GraphMetaException e) {
      throw e;
    } catch (RuntimeException e) {
      throw RemoteGraph.failed(e);
    }
  }

  private static String text(Map<?, ?> state, String key) {
    if (state.get(key) instanceof String text) {
      return text;
    }
    throw unexpected("no " + key);
  }

  private static long number(Map<?, ?> state, String key) {
    if (state.get(key) instanceof Number number) {
      return number.longValue();
    }
    throw unexpected("no " + key);
  }

  private static GraphMetaException unexpected(String what) {
    return new GraphMetaException(
        ErrorCode.OUTCOME_UNKNOWN,
        "The server answers "
            + what
            + " about the backup; expected a server of the version of this command. See 'graphmeta"
            + " backup list' on its machine");
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "It was interrupted; the server goes on with the backup", e);
    }
  }
}
