package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Answers;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/*
 * What is sent again, and when
 *
 * A replica that does not lead has done nothing, and one that was not reached neither: the call goes to
 * the next one, whatever it asks for. What was sent and not answered may have been done: only a request
 * that says that it is repeatable goes on then, and who sent another one is told. Where no replica leads,
 * all are asked round after round, with pauses, for as long as a node that went away is waited for.
 *
 * Which replica leads is a guess, a place in the list of nodes that is kept until a call was answered by
 * another: a wrong one costs messages, also when the list has changed meanwhile.
 * The beginning of a transaction does not wait for an election. A shard that nobody leads is left out of
 * its snapshot, and closes that when it is read.
 */

/** The transport to shards of which there are replicas, one of which leads. Owns nothing. */
public final class LeaderTransport implements Transport {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 100;

  private final ReplicaCalls calls;
  private final int replicas;
  private final long patienceNanos;
  private final ScheduledExecutorService timer;
  private final AtomicIntegerArray leaders;
  private volatile boolean closed;

  /**
   * A transport over the way to each replica.
   *
   * @param replicas how many each shard has, at most
   * @param timer begins what waits for a pause; outlives the transport
   */
  public LeaderTransport(
      ReplicaCalls calls,
      int shards,
      int replicas,
      NodeSettings settings,
      ScheduledExecutorService timer) {
    this.calls = calls;
    this.replicas = replicas;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(settings.number(NodeSetting.WAIT_MILLIS));
    this.timer = timer;
    this.leaders = new AtomicIntegerArray(shards);
  }

  /** The node of a shard that answered last, or will be asked next. */
  public String leader(int shard) {
    List<String> nodes = calls.nodes(shard); // fewer than usual after a loss
    return nodes.get(leaders.get(shard) % nodes.size());
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return sendAll(List.of(new Addressed(shard, call))).get(0);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> addressed) {
    List<CompletableFuture<Response>> all = new ArrayList<>(addressed.size());
    List<LedCall> valid = new ArrayList<>(addressed.size());
    for (Addressed each : addressed) {
      LedCall call = new LedCall(each.shard(), each.call());
      all.add(call);
      if (closed) {
        call.completeExceptionally(
            new GraphMetaException(ErrorCode.CLOSED, "The transport between nodes is closed"));
      } else if (each.shard() < 0 || each.shard() >= leaders.length()) {
        call.completeExceptionally(
            GraphMetaException.internal(
                "No shard " + each.shard() + "; there are " + leaders.length() + " shards"));
      } else {
        valid.add(call);
      }
    }
    ask(valid);
    return all;
  }

  /** Asks those who are believed to lead. */
  private void ask(List<LedCall> asked) {
    List<ReplicaCalls.Directed> directed = new ArrayList<>(asked.size());
    long now = System.nanoTime();
    for (LedCall call : asked) {
      call.replica = leaders.get(call.shard);
      List<String> nodes = calls.nodes(call.shard);
      String node = nodes.get(call.replica % nodes.size());
      directed.add(new ReplicaCalls.Directed(call.shard, node, call.rest(now)));
    }
    List<CompletableFuture<Response>> answers = calls.sendAllTo(directed);
    for (int i = 0; i < asked.size(); i++) {
      LedCall call = asked.get(i);
      CompletableFuture<Response> answer = answers.get(i);
      call.underWay = answer;
      if (call.isCancelled()) {
        answer.cancel(true);
      }
      answer.whenComplete(call::answered);
    }
  }

  /** A call on its way to whoever leads. */
  private final class LedCall extends CompletableFuture<Response> {
    private final int shard;
    private final Call call;
    private final long begunNanos = System.nanoTime();

    /** Written by the thread that asks, and read by the one that is answered then. */
    private int replica;

    private int asked;

    /** Whether one that was asked may have done it. */
    private boolean mayBeDone;

    private volatile @Nullable CompletableFuture<Response> underWay;

    LedCall(int shard, Call call) {
      this.shard = shard;
      this.call = call;
    }

    /** What is left of the time of the call. */
    Call rest(long nowNanos) {
      long passedMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - begunNanos);
      return passedMillis == 0
          ? call
          : new Call(
              call.epoch(), Math.max(1, call.timeoutMillis() - passedMillis), call.request());
    }

    void answered(@Nullable Response answer, @Nullable Throwable failure) {
      if (failure == null) {
        leaders.set(shard, replica);
        complete(answer);
        return;
      }
      GraphMetaException error = Answers.error(failure);
      boolean nothingDone =
          error.code() == ErrorCode.NOT_LEADER || error.code() == ErrorCode.UNAVAILABLE;
      boolean again =
          nothingDone
              || error.code() == ErrorCode.UNREACHABLE
                  && call.request() instanceof Request.Repeatable;
      if (nothingDone || error.code() == ErrorCode.UNREACHABLE) {
        leaders.compareAndSet(shard, replica, (replica + 1) % replicas);
      }
      mayBeDone |= !nothingDone;
      if (!again) {
        completeExceptionally(error);
        return;
      }
      askNext(error);
    }

    private void askNext(GraphMetaException error) {
      asked++;
      long pauseMillis =
          asked % replicas != 0
              ? 0
              : Math.min(
                  LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(10, asked / replicas - 1));
      long untilNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis) + System.nanoTime() - begunNanos;
      boolean mayWait =
          !closed
              && !isDone()
              && untilNanos < TimeUnit.MILLISECONDS.toNanos(call.timeoutMillis())
              && (pauseMillis == 0
                  || untilNanos < patienceNanos && !(call.request() instanceof Request.Snapshot));
      if (!mayWait) {
        completeExceptionally(notLed(error));
        return;
      }
      if (pauseMillis == 0) {
        ask(List.of(this));
        return;
      }
      try {
        timer.schedule(() -> ask(List.of(this)), pauseMillis, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        completeExceptionally(notLed(error));
      }
    }

    private GraphMetaException notLed(GraphMetaException last) {
      return new GraphMetaException(
          mayBeDone ? ErrorCode.UNREACHABLE : ErrorCode.UNAVAILABLE,
          "No replica of shard "
              + shard
              + " could be asked as its leader"
              + (mayBeDone ? "" : "; nothing was done")
              + ". The last one: "
              + last.getMessage(),
          last);
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      boolean cancelled = super.cancel(mayInterrupt);
      CompletableFuture<Response> way = underWay;
      if (way != null) {
        way.cancel(mayInterrupt);
      }
      return cancelled;
    }
  }

  @Override
  public Transport toReplicas(List<String> nodes) {
    return new ChosenReplicas(calls, nodes, node -> {});
  }

  /** Takes no more calls. Those under way end by what they are sent over. */
  @Override
  public void close() {
    closed = true;
  }
}
