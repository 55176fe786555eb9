package io.graphmeta.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the files of stores to other processes: takes checkpoints, tells their files and gives
 * ranges of these, until it is told to let go of them or they were not asked for in time. Safe for
 * use by many threads; works in two of its own, so that files keep no other request waiting for
 * long.
 *
 * <p>It belongs to the store. A request that names a stamp asks the shard, or whatever handles its
 * requests, whether all up to it is there; without one no shard is needed.
 *
 * <p>Few checkpoints are kept of a store, since each keeps the room of files that the store would
 * remove. They are directories below that of the database, and what a process that ended has left
 * of them is removed when the database is opened.
 */
public final class CheckpointKeeper implements AutoCloseable {
  static final int MOST_OF_A_STORE = 4;
  static final long MAX_KEEP_MILLIS = 600_000;

  private static final int THREADS = 2;
  private static final int MOST_WAITING = 64;
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointKeeper.class);

  private final Path directory;
  private final LongSupplier nanoTime;
  private final ScheduledThreadPoolExecutor threads;
  private final Semaphore places = new Semaphore(MOST_WAITING);

  @GuardedBy("this")
  private final Map<Key, Kept> kept = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  private record Key(int shard, long checkpoint) {}

  /** A checkpoint that is kept, or is being taken. Its fields are guarded by the keeper. */
  private static final class Kept {
    final CompletableFuture<KeptCheckpoint> taken = new CompletableFuture<>();
    long untilNanos;
    long keepNanos;
  }

  /**
   * A keeper of checkpoints below a directory.
   *
   * @param nanoTime a time that never goes back, in nanoseconds
   */
  CheckpointKeeper(Path directory, LongSupplier nanoTime) {
    this.directory = directory;
    this.nanoTime = nanoTime;
    this.threads =
        new ScheduledThreadPoolExecutor(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "graphmeta-checkpoints");
              thread.setDaemon(true);
              return thread;
            });
    threads.setRemoveOnCancelPolicy(true);
  }

  /**
   * Answers what is asked of the files of a store, and hands all else on.
   *
   * @param shard the number of the shard whose store it is
   * @param others answers all else, and tells when the shard has resolved a stamp
   */
  public RequestHandler before(int shard, CheckpointedStore store, RequestHandler others) {
    return new RequestHandler() {
      @Override
      public CompletableFuture<Response> handle(Call call) {
        return call.request() instanceof Request.OfFiles
            ? answer(shard, store, others, call)
            : others.handle(call);
      }

      @Override
      public @Nullable Response answerAtOnce(Call call) {
        return call.request() instanceof Request.OfFiles ? null : others.answerAtOnce(call);
      }
    };
  }

  private CompletableFuture<Response> answer(
      int shard, CheckpointedStore store, RequestHandler others, Call call) {
    Request request = call.request();
    if (request instanceof Request.TakeCheckpoint take) {
      return take(new Key(shard, take.checkpoint()), take, store, others, call);
    } else if (request instanceof Request.ListFiles list) {
      return with(new Key(shard, list.checkpoint()), files -> files.list(list.from()));
    } else if (request instanceof Request.ReadFile read) {
      return with(
          new Key(shard, read.checkpoint()),
          files -> files.read(read.name(), read.offset(), read.length()));
    } else if (request instanceof Request.SumFile sum) {
      return with(
          new Key(shard, sum.checkpoint()),
          files -> files.sum(sum.name(), sum.offset(), sum.length()));
    } else if (request instanceof Request.KeepCheckpoint keep) {
      return keep(new Key(shard, keep.checkpoint()), keep.keepMillis());
    }
    return CompletableFuture.failedFuture(
        GraphMetaException.internal("No answer to " + request.getClass().getSimpleName()));
  }

  // Taking

  private CompletableFuture<Response> take(
      Key key,
      Request.TakeCheckpoint take,
      CheckpointedStore store,
      RequestHandler others,
      Call call) {
    Kept mine = new Kept();
    Kept there;
    synchronized (this) {
      dropExpired();
      there = kept.get(key);
      if (there == null) {
        GraphMetaException refusal = refusal(key.shard(), take.keepMillis());
        if (refusal != null) {
          return CompletableFuture.failedFuture(refusal);
        }
        kept.put(key, mine);
        there = mine;
      }
      renew(there, take.keepMillis());
    }
    if (there == mine) {
      resolved(take.stamp(), others, call)
          .thenCompose(ready -> run(() -> checkpoint(key, take.stamp(), store)))
          .whenComplete((files, failure) -> taken(key, mine, files, failure));
    }
    return there.taken.thenApply(files -> new Response.Done());
  }

  @GuardedBy("this")
  private @Nullable GraphMetaException refusal(int shard, long keepMillis) {
    if (closed) {
      return stops();
    }
    if (keepMillis < 1 || keepMillis > MAX_KEEP_MILLIS) {
      return GraphMetaException.invalid(
          "A checkpoint cannot be kept for "
              + keepMillis
              + " ms; expected 1 to "
              + MAX_KEEP_MILLIS);
    }
    return kept.keySet().stream().filter(each -> each.shard() == shard).count() < MOST_OF_A_STORE
        ? null
        : new GraphMetaException(
            ErrorCode.OVERLOADED,
            MOST_OF_A_STORE
                + " checkpoints of shard "
                + shard
                + " are kept, for backups and copies that are under way; try again when one of them is done");
  }

  /** Completes when all that the shard has committed up to a stamp is there. */
  private static CompletableFuture<?> resolved(long stamp, RequestHandler shard, Call call) {
    if (stamp == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return shard
        .handle(new Call(call.epoch(), call.timeoutMillis(), new Request.Snapshot(stamp)))
        .thenAccept(
            answer -> {
              if (!(answer instanceof Response.Stamped stamped) || stamped.stamp() < stamp) {
                throw new GraphMetaException(
                    ErrorCode.UNAVAILABLE,
                    "The shard does not get to the stamp of the checkpoint; 'graphmeta status' says why");
              }
            });
  }

  private KeptCheckpoint checkpoint(Key key, long stamp, CheckpointedStore store) {
    Path into =
        directory.resolve("shard-" + key.shard() + "-" + Long.toHexString(key.checkpoint()));
    boolean done = false;
    try {
      createDirectory();
      store.checkpoint(into);
      if (stamp != 0) {
        store.requireKept(stamp); // what was removed before was removed from the checkpoint
      }
      KeptCheckpoint files = KeptCheckpoint.in(into, key.checkpoint());
      done = true;
      return files;
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, directory + " cannot be written: " + e, e);
    } finally {
      if (!done) {
        remove(into);
      }
    }
  }

  private synchronized void createDirectory() throws IOException {
    FileOperations.ON_DISK.createDirectories(directory);
  }

  private void taken(
      Key key, Kept mine, @Nullable KeptCheckpoint files, @Nullable Throwable failure) {
    boolean isWanted;
    synchronized (this) {
      renew(mine, TimeUnit.NANOSECONDS.toMillis(mine.keepNanos));
      isWanted = kept.get(key) == mine && !closed;
      if (failure != null) {
        kept.remove(key, mine);
      } else if (isWanted) {
        scheduleDrop(mine.keepNanos);
      }
    }
    if (files == null) {
      mine.taken.completeExceptionally(
          failure == null ? GraphMetaException.internal("No checkpoint came of it") : failure);
    } else if (isWanted) {
      mine.taken.complete(files);
    } else {
      remove(files.directory());
      mine.taken.completeExceptionally(KeptCheckpoint.lost());
    }
  }

  // Giving

  private interface Asked {
    Response of(KeptCheckpoint files);
  }

  private CompletableFuture<Response> with(Key key, Asked asked) {
    KeptCheckpoint files;
    synchronized (this) {
      dropExpired();
      Kept found = kept.get(key);
      if (found == null || !found.taken.isDone() || found.taken.isCompletedExceptionally()) {
        return CompletableFuture.failedFuture(KeptCheckpoint.lost());
      }
      renew(found, TimeUnit.NANOSECONDS.toMillis(found.keepNanos));
      files = found.taken.join();
    }
    return run(() -> asked.of(files));
  }

  private CompletableFuture<Response> keep(Key key, long keepMillis) {
    KeptCheckpoint dropped = null;
    synchronized (this) {
      dropExpired();
      Kept found = kept.get(key);
      if (keepMillis == 0) {
        kept.remove(key);
        dropped = found != null && found.taken.isDone() ? found.taken.getNow(null) : null;
      } else if (found == null) {
        return CompletableFuture.failedFuture(KeptCheckpoint.lost());
      } else if (keepMillis < 0 || keepMillis > MAX_KEEP_MILLIS) {
        return CompletableFuture.failedFuture(refusal(key.shard(), keepMillis));
      } else {
        renew(found, keepMillis);
      }
    }
    if (dropped == null) {
      return CompletableFuture.completedFuture(new Response.Done());
    }
    Path left = dropped.directory();
    return run(
        () -> {
          remove(left);
          return new Response.Done();
        });
  }

  /** Runs in a thread of the keeper; refused if too much waits for them. */
  private <T> CompletableFuture<T> run(Supplier<T> work) {
    if (!places.tryAcquire()) {
      return CompletableFuture.failedFuture(
          new GraphMetaException(
              ErrorCode.OVERLOADED,
              "As many ranges of files are asked for as may wait; nothing was done, try again later"));
    }
    try {
      return CompletableFuture.supplyAsync(work, threads)
          .whenComplete((done, failure) -> places.release());
    } catch (RejectedExecutionException e) {
      places.release();
      return CompletableFuture.failedFuture(stops());
    }
  }

  // Expiry

  @GuardedBy("this")
  private void renew(Kept which, long keepMillis) {
    which.keepNanos = TimeUnit.MILLISECONDS.toNanos(keepMillis);
    which.untilNanos = nanoTime.getAsLong() + which.keepNanos;
  }

  @GuardedBy("this")
  private void scheduleDrop(long nanos) {
    threads.schedule(this::dropInTime, nanos + 1_000_000, TimeUnit.NANOSECONDS);
  }

  private synchronized void dropInTime() {
    dropExpired();
    long least = Long.MAX_VALUE;
    for (Kept each : kept.values()) {
      least = Math.min(least, each.untilNanos - nanoTime.getAsLong());
    }
    if (!kept.isEmpty()) {
      scheduleDrop(Math.max(0, least));
    }
  }

  /** Those that are being taken are let be: they expire from when they are there. */
  @GuardedBy("this")
  private void dropExpired() {
    long now = nanoTime.getAsLong();
    List<Key> expired = new ArrayList<>();
    kept.forEach(
        (key, each) -> {
          if (each.taken.isDone() && each.untilNanos - now <= 0) {
            expired.add(key);
          }
        });
    for (Key key : expired) {
      Kept gone = kept.remove(key);
      if (gone != null && !gone.taken.isCompletedExceptionally()) {
        LOG.info(
            "A checkpoint of shard {} was not asked for any more, and is removed", key.shard());
        remove(gone.taken.join().directory());
      }
    }
  }

  private static GraphMetaException stops() {
    return new GraphMetaException(
        ErrorCode.UNAVAILABLE, "The node stops; nothing was done, try again later");
  }

  private static void remove(Path checkpoint) {
    try {
      FileOperations.ON_DISK.deleteTree(checkpoint);
    } catch (IOException e) {
      LOG.warn("A checkpoint in {} cannot be removed: {}", checkpoint, e.toString());
    }
  }

  /** Lets go of all; requests that come later are refused. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      kept.clear();
    }
    threads.shutdownNow();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    remove(directory);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
