package io.graphmeta.stage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.protocol.LevelWork;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.stage.level.IdleTime;
import io.graphmeta.stage.level.LevelLoop;
import io.graphmeta.stage.level.TraversalErrors;
import io.graphmeta.stage.level.TraversalState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a traversal on one shard level by level: a level when the client asks for it, and what other
 * shards send on within a level when it comes.
 *
 * <p>One thread at a time runs the traversal. A thread that brings a message while another one runs
 * it leaves the message there and goes; the running thread works it off before it goes itself. So
 * no thread waits, and what comes while a level is run is worked off with the level.
 *
 * <p>A message is answered when all elements that it led to are on the shards where they belong. So
 * a level is answered when the shards to which vertices were sent on have answered too. What these
 * shards tell of themselves goes to the client with the answer: when the client has the answers of
 * the shards that it asked, it knows the state of all shards. A shard to which vertices were sent
 * on sends none of them on itself, so that no two shards wait for each other.
 *
 * <p>Safe for use by many threads.
 */
final class LevelSchedule implements TraversalSchedule {
  private static final Response DONE = new Response.Done();
  private static final Runnable NOBODY = () -> {};

  private final TraversalId id;
  private final TraversalState state;
  private final LevelLoop levels;
  private final Deliveries delivered;
  private final IdleTime idleTime;
  private final Sender sender;
  private final Asker asker;
  private final StageLimits limits;
  private final LargeLevels large;

  /** The answers to messages within levels, by sender and number of the message. */
  @GuardedBy("this")
  private final Map<Long, CompletableFuture<Response>> parts = new HashMap<>();

  @GuardedBy("this")
  private boolean busy;

  @GuardedBy("this")
  private @Nullable RuntimeException failure;

  @GuardedBy("this")
  private Request.@Nullable RunLevel waiting;

  @GuardedBy("this")
  private int runs = -1;

  @GuardedBy("this")
  private CompletableFuture<Response> lastRun = new CompletableFuture<>();

  /** Counts the messages that were sent; of the thread that runs the traversal. */
  private int messages;

  LevelSchedule(
      TraversalId id,
      TraversalState state,
      LevelLoop levels,
      Deliveries delivered,
      IdleTime idleTime,
      Sender sender,
      Asker asker,
      StageLimits limits,
      LargeLevels large) {
    this.id = id;
    this.state = state;
    this.levels = levels;
    this.delivered = delivered;
    this.idleTime = idleTime;
    this.sender = sender;
    this.asker = asker;
    this.limits = limits;
    this.large = large;
  }

  @Override
  public CompletableFuture<Response> deliver(Request.Deliver deliver) {
    if (!Deliveries.isWithinLevel(deliver)) {
      add(deliver);
      return CompletableFuture.completedFuture(DONE);
    }
    CompletableFuture<Response> answer;
    synchronized (this) {
      requireNotFailed();
      if (add(deliver)) {
        parts.put(Deliveries.sender(deliver), new CompletableFuture<>());
      }
      answer = answerTo(Deliveries.sender(deliver));
    }
    work();
    return answer;
  }

  /** Takes what another shard has sent; false if it has come before. */
  private boolean add(Request.Deliver deliver) {
    if (!delivered.add(deliver)) {
      return false;
    }
    if (!Deliveries.isWithinLevel(deliver)) {
      deliver.parts().forEach(part -> idleTime.offer(part.position(), part.vertices()));
    }
    return true;
  }

  private synchronized void requireNotFailed() {
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized CompletableFuture<Response> answerTo(long sender) {
    CompletableFuture<Response> answer = parts.get(sender);
    if (answer == null) {
      throw GraphMetaException.internal("A message came first within a level and again outside");
    }
    return answer;
  }

  @Override
  public CompletableFuture<Response> run(Request.RunLevel run) {
    CompletableFuture<Response> answer;
    long elements = 0;
    synchronized (this) {
      if (run.number() > runs) {
        requireNotFailed();
        if (waiting != null) {
          throw beingRun();
        }
        waiting = run;
        runs = run.number();
        lastRun = new CompletableFuture<>();
        elements = busy || run.manner() != Request.Manner.STEPWISE ? 0 : levels.waiting();
      }
      answer = lastRun;
    }
    if (!large.run(elements, this::work)) {
      work();
    }
    return answer;
  }

  private GraphMetaException beingRun() {
    return new GraphMetaException(
        ErrorCode.OVERLOADED, "Traversal " + id + " is being run; expected one request at a time");
  }

  /** Works off what has come, unless another thread runs the traversal. */
  private void work() {
    while (true) {
      Request.RunLevel run;
      CompletableFuture<Response> answer;
      synchronized (this) {
        boolean due = waiting != null || delivered.hasWithinLevel();
        if (busy || failure != null || !due) {
          return;
        }
        busy = true;
        run = waiting;
        waiting = null;
        answer = lastRun;
      }
      Runnable answers = NOBODY;
      try {
        answers = run != null ? runLevel(run, answer) : runParts();
      } catch (Throwable e) {
        fail(TraversalErrors.ended(e));
      } finally {
        synchronized (this) {
          busy = false;
        }
      }
      try {
        answers.run(); // who is answered may ask again at once
      } catch (Throwable e) {
        fail(TraversalErrors.ended(e));
      }
    }
  }

  /** Runs a level; what is returned answers those who wait for it. */
  private Runnable runLevel(Request.RunLevel run, CompletableFuture<Response> answer) {
    List<CompletableFuture<Response>> onward = new ArrayList<>();
    LevelLoop.Ran ran =
        levels.run(
            run.level(),
            run.manner(),
            run.scan(),
            limits.deadlineNanos(),
            limits.pageBytes(),
            (to, level, sentOn) -> onward.add(send(to, level, sentOn)));
    List<CompletableFuture<Response>> sent = send(ran.done().level() + 1, ran.toSend());
    CompletableFuture<Void> arrived = all(sent);
    ran.toAsk().forEach(question -> onward.add(asker.ask(question)));
    return () -> {
      answerParts(ran.parts(), arrived, DONE);
      settle(answer, arrived.thenCombine(all(onward), (a, b) -> told(ran.done(), onward)));
    };
  }

  private Runnable runParts() {
    LevelLoop.RanParts ran = levels.runParts(limits.deadlineNanos());
    CompletableFuture<Void> arrived = all(send(ran.done().level() + 1, ran.toSend()));
    return () -> answerParts(ran.parts(), arrived, ran.done());
  }

  private List<CompletableFuture<Response>> send(
      int level, Map<Integer, List<FrontierPart>> toSend) {
    List<CompletableFuture<Response>> sent = new ArrayList<>();
    toSend.forEach((to, arrived) -> sent.add(send(to, level, arrived)));
    return sent;
  }

  private CompletableFuture<Response> send(int to, int level, List<FrontierPart> sent) {
    return sender.send(to, level, ++messages, sent);
  }

  private static CompletableFuture<Void> all(List<CompletableFuture<Response>> answers) {
    return CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]));
  }

  /** Tells the state of this shard to the first of some senders; one of them is enough. */
  private void answerParts(List<Long> senders, CompletableFuture<Void> when, Response first) {
    Response answer = first;
    for (long sender : senders) {
      Response said = answer;
      settle(answerTo(sender), when.thenApply(all -> said));
      answer = DONE;
    }
  }

  private static void settle(
      CompletableFuture<Response> answer, CompletableFuture<Response> outcome) {
    outcome.whenComplete(
        (response, error) -> {
          if (error != null) {
            answer.completeExceptionally(TraversalErrors.elsewhere(error));
          } else {
            answer.complete(response);
          }
        });
  }

  /** The answer to a level, with what the shards told to which vertices were sent on. */
  private static Response.LevelDone told(
      Response.LevelDone done, List<CompletableFuture<Response>> onward) {
    List<Response.PartsDone> elsewhere = new ArrayList<>();
    for (CompletableFuture<Response> answered : onward) {
      if (answered.join() instanceof Response.PartsDone parts) {
        elsewhere.add(parts);
      }
    }
    return done.with(elsewhere);
  }

  /** Fails all messages that are not answered yet, and all that come later. */
  private void fail(RuntimeException error) {
    List<CompletableFuture<Response>> failed;
    synchronized (this) {
      failure = error;
      failed = new ArrayList<>(parts.values());
      failed.add(lastRun);
    }
    failed.forEach(each -> each.completeExceptionally(error));
  }

  @Override
  public CompletableFuture<Response> follow(boolean enough) {
    idleTime.end();
    LevelWork done = idleTime.addTo(LevelWork.NONE);
    return CompletableFuture.completedFuture(
        new Response.Progress(List.of(done), 0, new long[0], true, state.results.found()));
  }

  @Override
  public <T> T exclusively(Supplier<T> action) {
    synchronized (this) {
      if (busy) {
        throw beingRun();
      }
      busy = true;
    }
    try {
      return action.get();
    } finally {
      synchronized (this) {
        busy = false;
      }
      work();
    }
  }

  @Override
  public void tick(long nowNanos) {
    // Nobody waits here for longer than a run takes.
  }

  @Override
  public void end() {
    state.cancel();
    idleTime.end();
  }
}
