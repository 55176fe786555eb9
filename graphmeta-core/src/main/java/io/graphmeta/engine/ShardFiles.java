package io.graphmeta.engine;

import io.graphmeta.codec.FormatVersion;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transfer.CheckpointFiles;
import io.graphmeta.transfer.FileEntry;
import io.graphmeta.transfer.FileRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The files of the store of a shard that another process has. Belongs to one thread. */
public final class ShardFiles implements CheckpointFiles {
  /** How often a checkpoint is asked for, each time for as long as a request may take. */
  private static final int MOST_ASKED = 10;

  private final Asked asked;
  private final int shard;
  private final long stamp;
  private final Runnable before;
  private long checkpoint;
  private boolean isTaken;

  /** The process that has the store. */
  public interface Asked {
    /** What it answers; throws what it fails with. */
    default <T extends Response> T ask(Request request, Class<T> answer) {
      return answer.cast(await(send(request)));
    }

    /** Asks it something, and does not wait. */
    CompletableFuture<Response> send(Request request);

    /** What it has answered; throws what it fails with. */
    Response await(CompletableFuture<Response> sent);

    /** A number that names a checkpoint, unlike any other. */
    long newCheckpoint();
  }

  /**
   * The files of a store.
   *
   * @param stamp all up to which is to be there; 0 for what is there
   * @param before is run before each question
   */
  public ShardFiles(Asked asked, int shard, long stamp, Runnable before) {
    this.asked = asked;
    this.shard = shard;
    this.stamp = stamp;
    this.before = before;
    this.checkpoint = asked.newCheckpoint();
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
      checkpoint = asked.newCheckpoint();
    }
    awaitTaken(asked.send(toTake()));
    return list();
  }

  /**
   * Waits until the checkpoint is there: to bring what a store has in memory to a disk that is busy
   * can take minutes. Who asks again by the same number waits for the same checkpoint.
   */
  void awaitTaken(CompletableFuture<Response> sent) {
    CompletableFuture<Response> taking = sent;
    for (int times = 1; ; times++) {
      try {
        asked.await(taking);
        return;
      } catch (GraphMetaException e) {
        if (!e.code().leavesOutcomeOpen() || times == MOST_ASKED) {
          throw e;
        }
      }
      before.run();
      taking = asked.send(toTake());
    }
  }

  /** The files of the checkpoint that was taken. */
  List<FileEntry> list() {
    List<FileEntry> files = new ArrayList<>();
    int next = 0;
    do {
      before.run();
      Response.Files page =
          asked.ask(new Request.ListFiles(checkpoint, next), Response.Files.class);
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
              + "; copy it when both run the same version");
    }
  }

  @Override
  public long checkpoint() {
    return checkpoint;
  }

  @Override
  public Supplier<FileRange> read(String name, long offset, int length) {
    before.run();
    CompletableFuture<Response> sent =
        asked.send(new Request.ReadFile(checkpoint, name, offset, length));
    return () -> {
      Response.FileBytes range = (Response.FileBytes) asked.await(sent);
      return new FileRange(range.offset(), range.checksum(), range.bytes());
    };
  }

  @Override
  public byte[] sum(String name, long offset, int length) {
    before.run();
    return asked
        .ask(new Request.SumFile(checkpoint, name, offset, length), Response.FileSum.class)
        .sha256();
  }

  /** What keeps the checkpoint for longer; 0 lets go of it. */
  Request toKeep(long keepMillis) {
    return new Request.KeepCheckpoint(checkpoint, keepMillis);
  }

  /** Lets go of the checkpoint, if it is there and its node answers. */
  public void letGo() {
    if (isTaken) {
      isTaken = false;
      // Nobody waits: what is not heard expires.
      asked.send(toKeep(0)).exceptionally(failure -> new Response.Done());
    }
  }

  boolean isTaken() {
    return isTaken;
  }
}
