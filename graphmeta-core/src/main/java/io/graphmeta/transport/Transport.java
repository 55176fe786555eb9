package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to shards. A request can be lost, be late, overtake another or come twice, and so
 * can its answer; a request that is to have its effect once says so itself. Safe for use by many
 * threads.
 */
public interface Transport extends AutoCloseable {
  /** A thread that sleeps for less takes longer to wake. */
  int LEAST_SLEEP_MICROS = 100;

  /**
   * Sends a request. The future completes with the answer or a {@link GraphMetaException}: that of
   * the shard; {@code OVERLOADED} if the shard takes no more, in which case it did nothing; {@code
   * TIMEOUT} when the time of the call is over, or {@code UNREACHABLE} when the connection to the
   * shard broke, in which cases the outcome is not known; {@code UNAVAILABLE} when there was no
   * connection: the request was not sent, and will not be. To cancel the future keeps a shard from
   * beginning what it has not begun, where that is still possible.
   *
   * @param shard number of the shard, from 0
   */
  CompletableFuture<Response> send(int shard, Call call);

  /**
   * Sends several requests at one moment, each as {@link #send} does. A transport between nodes
   * sends what goes to shards of one node together, in as few pieces as it can.
   *
   * @return the future of each request, in their order
   */
  default List<CompletableFuture<Response>> sendAll(List<Addressed> calls) {
    List<CompletableFuture<Response>> futures = new ArrayList<>(calls.size());
    for (Addressed each : calls) {
      futures.add(send(each.shard(), each.call()));
    }
    return futures;
  }

  /** A call and the number of the shard that it goes to. */
  record Addressed(int shard, Call call) {}

  /**
   * Waits for a future that came of {@link #send}, by whatever way time passes here.
   *
   * @throws GraphMetaException that of the future, or {@code CANCELLED} if this thread is
   *     interrupted, in which case the request is cancelled where that is still possible
   */
  default Response await(CompletableFuture<Response> future) {
    try {
      return future.get();
    } catch (ExecutionException | CancellationException e) {
      throw Answers.error(e).again();
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted while it waited for a shard", e);
    }
  }

  /**
   * Waits until all of some futures are over, however they end, or this thread is interrupted; to
   * be followed by {@link #await} of each. Where answers come from elsewhere the thread is woken
   * fewer times by it, and no other for what it waits for. May return before.
   */
  default void awaitAll(List<CompletableFuture<Response>> futures) {}

  /**
   * As {@link #await}, but goes on waiting when this thread is interrupted: for what must be known
   * to have happened or not.
   */
  default Response awaitOutcome(CompletableFuture<Response> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException | CancellationException e) {
      throw Answers.error(e).again();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Lets at least a time pass, by whatever way time passes here. A thread that was woken or
   * interrupted for something else stays for the rest of it, and stays interrupted.
   */
  default void pause(long micros) {
    long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    long left = end - System.nanoTime();
    while (left > 0) {
      if (left < TimeUnit.MICROSECONDS.toNanos(LEAST_SLEEP_MICROS)
          || Thread.currentThread().isInterrupted()) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(left);
      }
      left = end - System.nanoTime();
    }
  }

  /**
   * A stamp up to which views of the past can be read nearer than at the shards that order commits,
   * if they are read at it as their snapshot; 0 if there is none.
   *
   * @param wanted a stamp of the past that somebody wants to read at: if the answer lies below it,
   *     it is seen to that a later one does not, while that is possible
   */
  default long settledNearby(long wanted) {
    return 0;
  }

  /**
   * The way to one replica of each shard near here, for the messages of a traversal that reads at a
   * snapshot; null if there is none, or the replicas are not that far. Not to be closed.
   */
  default @Nullable Transport nearby(long snapshot) {
    return null;
  }

  /**
   * The way to the replicas on some nodes, for the messages of a traversal that runs there. Not to
   * be closed.
   *
   * @param nodes one for each shard, in the order of their numbers
   */
  default Transport toReplicas(List<String> nodes) {
    throw GraphMetaException.internal("There are no replicas here, and none on " + nodes);
  }

  /** Takes no more calls and waits for those that have begun. Safe to call again. */
  @Override
  default void close() {}
}
