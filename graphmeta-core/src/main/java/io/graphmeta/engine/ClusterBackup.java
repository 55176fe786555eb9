package io.graphmeta.engine;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackedUpStores;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.BackupWriter;
import io.graphmeta.backup.FileDigest;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.transfer.FileEntry;
import io.graphmeta.transfer.FileRange;
import io.graphmeta.transfer.Pace;
import io.graphmeta.transfer.RangeReader;
import io.graphmeta.transfer.RangeStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A backup of the stores of all shards of a cluster at one stamp: their nodes take checkpoints at
 * the same time, and give the files of these one after the other. Belongs to one thread.
 *
 * <p>A checkpoint that is lost, for one because its node was restarted, is taken again: it is as
 * good, as long as it tells all of the stamp.
 */
final class ClusterBackup implements BackedUpStores {
  /** How long nodes keep checkpoints of which they hear nothing. */
  static final long KEEP_MILLIS = 120_000;

  private static final long RENEW_NANOS = 20_000_000_000L;
  private static final int MOST_CHECKPOINTS = 10;

  private final Router router;
  private final Pace pace;
  private final Runnable requireOpen;
  private final List<ShardFiles> shards = new ArrayList<>();
  private long renewedNanos = System.nanoTime();

  private ClusterBackup(Router router, long stamp, Pace pace, Runnable requireOpen) {
    this.router = router;
    this.pace = pace;
    this.requireOpen = requireOpen;
    for (int shard = 0; shard < router.shards(); shard++) {
      shards.add(new ShardFiles(new OfShard(router, shard), shard, stamp, this::beforeEach));
    }
  }

  /**
   * Takes checkpoints, and adds a backup of them.
   *
   * @param requireOpen fails if the database was closed meanwhile
   * @throws GraphMetaException {@code SNAPSHOT_TOO_OLD} if rows were removed meanwhile: to be tried
   *     again at a later stamp
   */
  static BackupSummary run(
      Router router,
      BackedUpDatabase database,
      BackupWriter writer,
      Instant now,
      Pace pace,
      Runnable requireOpen,
      LongConsumer progress) {
    ClusterBackup backup = new ClusterBackup(router, database.stamp(), pace, requireOpen);
    try {
      backup.take();
      return writer.add(database, backup, now, progress);
    } finally {
      backup.shards.forEach(ShardFiles::letGo);
    }
  }

  private void take() {
    List<@Nullable Request> requests = new ArrayList<>();
    shards.forEach(files -> requests.add(files.toTake()));
    List<@Nullable CompletableFuture<Response>> taken = router.sendAll(requests);
    router.awaitAll(taken);
    for (int shard = 0; shard < taken.size(); shard++) {
      CompletableFuture<Response> sent = taken.get(shard);
      if (sent != null) {
        shards.get(shard).awaitTaken(sent);
      }
    }
  }

  /** A shard, as the router reaches it. */
  private record OfShard(Router router, int shard) implements ShardFiles.Asked {
    @Override
    public CompletableFuture<Response> send(Request request) {
      return router.send(shard, request);
    }

    @Override
    public Response await(CompletableFuture<Response> sent) {
      return router.await(sent);
    }

    @Override
    public long newCheckpoint() {
      return router.newAttempt();
    }
  }

  /** Keeps the checkpoints of shards whose turn has not come. */
  private void beforeEach() {
    requireOpen.run();
    long now = System.nanoTime();
    if (now - renewedNanos < RENEW_NANOS) {
      return;
    }
    renewedNanos = now;
    List<@Nullable Request> requests = new ArrayList<>(Collections.nCopies(shards.size(), null));
    for (int shard = 0; shard < shards.size(); shard++) {
      if (shards.get(shard).isTaken()) {
        requests.set(shard, shards.get(shard).toKeep(KEEP_MILLIS));
      }
    }
    for (CompletableFuture<Response> sent : router.sendAll(requests)) {
      if (sent != null) {
        // Who reads the files is told what is wrong.
        sent.exceptionally(failure -> new Response.Done());
      }
    }
  }

  @Override
  public int shards() {
    return shards.size();
  }

  @Override
  public void read(int shard, Receiver receiver) throws IOException {
    ShardFiles files = shards.get(shard);
    boolean first = true;
    for (int checkpoints = 1; ; checkpoints++) {
      try {
        List<FileEntry> listed = first ? files.list() : files.take();
        first = false;
        receiver.begin();
        for (FileEntry file : listed) {
          receiver.file(file, new RemoteContent(files, file));
        }
        files.letGo();
        return;
      } catch (GraphMetaException e) {
        first = false;
        if (e.code() != ErrorCode.CHECKPOINT_LOST || checkpoints == MOST_CHECKPOINTS) {
          throw e;
        }
      }
    }
  }

  private final class RemoteContent implements Content {
    private final ShardFiles files;
    private final FileEntry file;

    RemoteContent(ShardFiles files, FileEntry file) {
      this.files = files;
      this.file = file;
    }

    @Override
    public InputStream open() {
      return new RangeStream(new RangeReader(files, pace, file, 0));
    }

    @Override
    public @Nullable FileDigest digest() {
      if (file.bytes() < 1 || file.bytes() > FileRange.MAX_SUMMED_BYTES) {
        return null;
      }
      byte[] sum = files.sum(file.name(), 0, (int) file.bytes());
      return new FileDigest(file.bytes(), HexFormat.of().formatHex(sum));
    }
  }
}
