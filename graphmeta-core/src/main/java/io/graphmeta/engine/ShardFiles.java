package io.graphmeta.engine;

import io.graphmeta.codec.FormatVersion;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.transfer.CheckpointFiles;
import io.graphmeta.transfer.FileEntry;
import io.graphmeta.transfer.FileRange;
import java.util.ArrayList;
import java.util.List;

/** The files of a shard that a node hosts. Belongs to one thread. */
final class ShardFiles implements CheckpointFiles {
  private final Router router;
  private final int shard;
  private final long stamp;
  private final Runnable before;
  private long checkpoint;
  private boolean isTaken;

  /**
   * The files of a shard at a stamp.
   *
   * @param before is run before each question
   */
  ShardFiles(Router router, int shard, long stamp, Runnable before) {
    this.router = router;
    this.shard = shard;
    this.stamp = stamp;
    this.before = before;
    this.checkpoint = router.newAttempt();
  }

  /** What takes the first checkpoint, to be sent with those of the other shards. */
  Request toTake() {
    isTaken = true;
    return new Request.TakeCheckpoint(stamp, checkpoint, ClusterBackup.KEEP_MILLIS);
  }

  @Override
  public List<FileEntry> take() {
    if (isTaken) {
      letGo();
      checkpoint = router.newAttempt();
    }
    router.call(shard, toTake(), Response.Done.class);
    return list();
  }

  /** The files of the checkpoint that was taken. */
  List<FileEntry> list() {
    List<FileEntry> files = new ArrayList<>();
    int next = 0;
    do {
      before.run();
      Response.Files page =
          router.call(shard, new Request.ListFiles(checkpoint, next), Response.Files.class);
      requireFormat(page.format());
      if (page.next() != 0 && page.next() != next + page.files().size()) {
        throw new GraphMetaException(
            ErrorCode.CORRUPTION, "The list of files of shard " + shard + " goes on elsewhere");
      }
      page.files().forEach(file -> files.add(file.checked()));
      next = page.next();
    } while (next != 0);
    return files;
  }

  private void requireFormat(int format) {
    int own = FormatVersion.CURRENT.number();
    if (format != own) {
      throw new GraphMetaException(
          format > own ? ErrorCode.NEWER_FORMAT : ErrorCode.OLDER_FORMAT,
          "The node of shard "
              + shard
              + " stores rows of format "
              + format
              + ", and this build is of format "
              + own
              + "; take the backup when all run the same version");
    }
  }

  @Override
  public long checkpoint() {
    return checkpoint;
  }

  @Override
  public FileRange read(String name, long offset, int length) {
    before.run();
    Response.FileBytes range =
        router.call(
            shard,
            new Request.ReadFile(checkpoint, name, offset, length),
            Response.FileBytes.class);
    return new FileRange(range.offset(), range.checksum(), range.bytes());
  }

  @Override
  public byte[] sum(String name, long offset, int length) {
    before.run();
    return router
        .call(shard, new Request.SumFile(checkpoint, name, offset, length), Response.FileSum.class)
        .sha256();
  }

  /** What keeps the checkpoint for longer; 0 lets go of it. */
  Request toKeep(long keepMillis) {
    return new Request.KeepCheckpoint(checkpoint, keepMillis);
  }

  /** Lets go of the checkpoint, if it is there and its node answers. */
  void letGo() {
    if (isTaken) {
      isTaken = false;
      // Nobody waits: what is not heard expires.
      router.send(shard, toKeep(0)).exceptionally(failure -> new Response.Done());
    }
  }

  boolean isTaken() {
    return isTaken;
  }
}
