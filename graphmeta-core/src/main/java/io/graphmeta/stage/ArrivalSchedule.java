package io.graphmeta.stage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Manner;
import io.graphmeta.protocol.Response;
import io.graphmeta.stage.level.Connections;
import io.graphmeta.stage.level.LevelLoop;
import io.graphmeta.stage.level.TraversalErrors;
import io.graphmeta.stage.level.TraversalState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a traversal on one shard without levels: what arrives is worked off at once, by the thread
 * that brings it unless another thread runs the traversal, and what it leads to is sent at once.
 *
 * <p>The client follows each shard. A shard tells how it is doing when it has nothing left to do:
 * how many messages it has received and worked off, and how many it has sent to each other shard.
 * The traversal is over when for each shard the newest word of all has as many messages sent to it
 * as it has worked off. Were one not counted, consider the first shard that went on after its
 * newest word, on a message that it does not count: whoever sent it was not yet such a shard, and
 * counts it as sent; so the numbers agree only if it counts another one that its sender does not,
 * who then went on after its own newest word even earlier.
 *
 * <p>Safe for use by many threads.
 */
final class ArrivalSchedule implements TraversalSchedule {
  private static final int MAX_RUNS = 1 << 18;

  private final TraversalState state;
  private final LevelLoop levels;
  private final Deliveries delivered;
  private final Sender sender;
  private final Asker asker;
  private final StageLimits limits;

  @GuardedBy("this")
  private final long[] sent;

  @GuardedBy("this")
  private List<LevelWork> done = new ArrayList<>();

  @GuardedBy("this")
  private long arrived;

  @GuardedBy("this")
  private long workedOff;

  @GuardedBy("this")
  private boolean running;

  @GuardedBy("this")
  private boolean idle;

  private int runs;
  private int messages;

  @GuardedBy("this")
  private long found;

  /** Whether there is something to tell that was not told. */
  @GuardedBy("this")
  private boolean news = true;

  @GuardedBy("this")
  private @Nullable RuntimeException failure;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Response> following;

  @GuardedBy("this")
  private long followingSince;

  ArrivalSchedule(
      TraversalState state,
      LevelLoop levels,
      Deliveries delivered,
      Sender sender,
      Asker asker,
      StageLimits limits) {
    this.state = state;
    this.levels = levels;
    this.delivered = delivered;
    this.sender = sender;
    this.asker = asker;
    this.limits = limits;
    this.sent = new long[state.shards()];
  }

  @Override
  public CompletableFuture<Response> deliver(Request.Deliver deliver) {
    boolean isNew;
    synchronized (this) {
      isNew = delivered.add(deliver);
      if (isNew) {
        arrived++;
        idle = false;
      }
    }
    if (isNew) {
      work();
    }
    return CompletableFuture.completedFuture(new Response.Done());
  }

  @Override
  public CompletableFuture<Response> run(Request.RunLevel run) {
    throw GraphMetaException.invalid(
        "Traversal " + run.id() + " has no levels, and level " + run.level() + " is to be run");
  }

  @Override
  public <T> T exclusively(Supplier<T> action) {
    // The client asks for results when no shard runs the traversal any more.
    return action.get();
  }

  /** As soon as there is news and nothing left to do. */
  @Override
  public CompletableFuture<Response> follow(boolean enough) {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    CompletableFuture<Response> before;
    Response.Progress now;
    synchronized (this) {
      if (enough) {
        state.results.stop();
        news = true;
      }
      before = following;
      now = progress(List.of());
      following = answer;
      followingSince = limits.nanoTime().getAsLong();
    }
    if (before != null) {
      before.complete(now);
    }
    work();
    tell();
    return answer;
  }

  /** Runs as long as there is something to do, unless another thread does. */
  private void work() {
    synchronized (this) {
      if (running || failure != null) {
        return;
      }
      running = true;
    }
    long deadline = limits.deadlineNanos();
    RuntimeException failed = null;
    boolean over = false;
    while (!over) {
      try {
        over = runOnce(deadline);
      } catch (Throwable e) {
        failed = TraversalErrors.ended(e);
        over = true;
      }
    }
    if (failed != null) {
      fail(failed);
    }
    tell();
  }

  /** Runs what is there, and says whether to stop. */
  private boolean runOnce(long deadlineNanos) {
    if (levels.hasWork()) {
      if (++runs > MAX_RUNS) {
        throw new GraphMetaException(
            ErrorCode.LIMIT_EXCEEDED,
            "A traversal goes on after "
                + MAX_RUNS
                + " arrivals on one shard; expected fewer (limit the rounds of its loop with times"
                + " or until, or use simplePath or dedup in it)");
      }
      LevelLoop.Ran ran =
          levels.run(
              0,
              Manner.STEPWISE,
              true,
              deadlineNanos,
              limits.pageBytes(),
              (to, level, parts) -> send(to, parts));
      synchronized (this) {
        done.addAll(ran.done().levels());
        found = ran.done().found();
        news = true;
      }
      ran.toSend().forEach(this::send);
      ran.toAsk().forEach(this::ask);
    }
    synchronized (this) {
      boolean more = levels.hasWork();
      idle = !more && !state.connections.isWaiting();
      if (idle && workedOff != arrived) {
        workedOff = arrived;
        news = true;
      }
      boolean late = limits.nanoTime().getAsLong() - deadlineNanos >= 0;
      if (!more || late) {
        news |= late;
        running = false;
        return true;
      }
    }
    return false;
  }

  private void send(int to, List<FrontierPart> parts) {
    synchronized (this) {
      sent[to]++;
      news = true;
    }
    sender
        .send(to, 0, ++messages, parts)
        .whenComplete(
            (response, error) -> {
              if (error != null) {
                fail(TraversalErrors.elsewhere(error));
                tell();
              }
            });
  }

  private void ask(Connections.Question question) {
    asker
        .ask(question)
        .whenComplete(
            (response, error) -> {
              if (error != null) {
                fail(TraversalErrors.elsewhere(error));
                tell();
              } else {
                work();
              }
            });
  }

  private synchronized void fail(RuntimeException error) {
    if (failure == null) {
      failure = error;
    }
    running = false;
    news = true;
  }

  /** Answers the client that follows, if there is something to tell. */
  private void tell() {
    CompletableFuture<Response> answer;
    RuntimeException error;
    Response.Progress now;
    synchronized (this) {
      answer = following;
      // A failure is told again and again: the client may not have got the answer that told it.
      if (answer == null || failure == null && (running || !news)) {
        return;
      }
      following = null;
      error = failure;
      now = news();
    }
    if (error != null) {
      answer.completeExceptionally(error);
    } else {
      answer.complete(now);
    }
  }

  private synchronized Response.Progress news() {
    List<LevelWork> told = done;
    done = new ArrayList<>();
    news = false;
    return progress(told);
  }

  private synchronized Response.Progress progress(List<LevelWork> told) {
    return new Response.Progress(told, workedOff, sent.clone(), idle && !running, found);
  }

  /** Answers a client that has followed for long, so that the answer comes in time. */
  @Override
  public void tick(long nowNanos) {
    CompletableFuture<Response> answer;
    Response.Progress now;
    synchronized (this) {
      answer = following;
      if (answer == null || nowNanos - followingSince < limits.requestMillis() * 250_000L) {
        return;
      }
      following = null;
      now = progress(List.of());
    }
    answer.complete(now);
  }

  @Override
  public void end() {
    state.cancel();
    fail(new GraphMetaException(ErrorCode.CANCELLED, "The traversal was ended by its client"));
    tell();
  }
}
