package io.graphmeta.server.gremlin.backup;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A backup that a server takes or has taken. Safe for use by many threads. */
final class BackupRun implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(BackupRun.class);

  private final String id;
  private final GraphDatabase database;
  private final Path target;
  private final long bytesPerSecond;
  private volatile long done;
  private volatile @Nullable BackupSummary taken;
  private volatile @Nullable GraphMetaException failure;

  BackupRun(String id, GraphDatabase database, Path target, long bytesPerSecond) {
    this.id = id;
    this.database = database;
    this.target = target;
    this.bytesPerSecond = bytesPerSecond;
  }

  String id() {
    return id;
  }

  boolean isOver() {
    return taken != null || failure != null;
  }

  @Override
  public void run() {
    try {
      taken = database.backup(target, bytesPerSecond, bytes -> done = bytes);
      LOG.info("A backup was added to {}", target);
    } catch (GraphMetaException e) {
      LOG.warn("No backup was added to {}: {}", target, e.getMessage());
      failure = e;
    } catch (RuntimeException | Error e) {
      LOG.error("No backup was added to {}", target, e);
      failure =
          new GraphMetaException(
              ErrorCode.INTERNAL,
              "The backup failed (" + e + "); the log of the server says where");
    }
  }

  /** How it is. */
  Map<String, Object> state() {
    Map<String, Object> state = new LinkedHashMap<>();
    BackupSummary summary = taken;
    GraphMetaException failed = failure;
    state.put("id", id);
    state.put("state", summary != null ? "done" : failed != null ? "failed" : "running");
    state.put("target", target.toString());
    state.put("done", done);
    if (failed != null) {
      state.put("error", failed.code().name());
      state.put("message", String.valueOf(failed.getMessage()));
    }
    if (summary != null) {
      state.put("backup", summary.name());
      state.put("stamp", summary.database().stamp());
      state.put("takenMillis", summary.taken().toEpochMilli());
      state.put("database", summary.database().identity());
      state.put("format", (long) summary.database().format());
      state.put("shards", (long) summary.database().shards());
      state.put("virtualNodes", (long) summary.database().virtualNodes());
      state.put("placement", summary.database().placement());
      state.put("files", (long) summary.files());
      state.put("bytes", summary.bytes());
      state.put("newFiles", (long) summary.newFiles());
      state.put("newBytes", summary.newBytes());
    }
    return state;
  }
}
