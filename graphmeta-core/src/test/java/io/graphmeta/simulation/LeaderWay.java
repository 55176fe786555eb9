package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The way of one node to the shards where these have replicas, by the rules of the transport of
 * nodes: who answered last is asked, and the next one if that one does not lead or cannot be
 * reached; what may have been done goes on only if it is repeatable. Now and then it forgets who
 * answered last, since to ask another one must do no harm.
 */
final class LeaderWay {
  private static final double FORGETS = 0.1;
  private static final long SILENCE_MICROS = 60_000;
  private static final long FIRST_PAUSE_MICROS = 5_000;
  private static final long LONGEST_PAUSE_MICROS = 40_000;

  private final Simulation simulation;
  private final SimulatedCluster cluster;
  private final int node;
  private final String name;
  private final SplittableRandom random;
  private final int[] leaders;

  LeaderWay(Simulation simulation, SimulatedCluster cluster, int node, String name) {
    this.random = cluster.split();
    this.simulation = simulation;
    this.cluster = cluster;
    this.node = node;
    this.name = name;
    this.leaders = new int[cluster.shards().size()];
  }

  CompletableFuture<Response> send(int shard, Call call) {
    if (shard < 0 || shard >= leaders.length) {
      return CompletableFuture.failedFuture(GraphMetaException.internal("No shard " + shard));
    }
    LedCall led = new LedCall(shard, call);
    led.ask();
    return led;
  }

  /** A call on its way to whoever leads. */
  private final class LedCall extends CompletableFuture<Response> {
    private final int shard;
    private final Call call;
    private final long begunMicros = simulation.scheduler().now();
    private int replica;
    private int asked;
    private boolean mayBeDone;

    LedCall(int shard, Call call) {
      this.shard = shard;
      this.call = call;
    }

    private long passedMicros() {
      return simulation.scheduler().now() - begunMicros;
    }

    void ask() {
      if (asked == 0 && !simulation.isDraining()) {
        forget();
      }
      replica = leaders[shard];
      List<Integer> told = cluster.shards().get(shard).told();
      int host = told.get(replica);
      long rest = Math.max(1, call.timeoutMillis() - passedMicros() / 1000);
      CompletableFuture<Response> way = new CompletableFuture<>();
      simulation
          .network()
          .send(
              node, name, cluster.place(shard, host), new Call(call.epoch(), rest, call.request()))
          .whenComplete(
              (answer, failure) -> {
                if (failure == null) {
                  way.complete(answer);
                } else {
                  way.completeExceptionally(failure);
                }
              });
      listen(way, host);
      way.whenComplete(this::answered);
    }

    private void forget() {
      if (simulation.sabotage().keepsFormerLeaders() && random.nextInt(4) == 0) {
        ReplicatedShard asked = cluster.shards().get(shard);
        int former = asked.told().indexOf(asked.formerHost());
        leaders[shard] = former < 0 ? leaders[shard] : former;
      } else if (random.nextDouble() < FORGETS) {
        leaders[shard] = random.nextInt(SimulatedCluster.REPLICAS);
      }
    }

    /** Whoever is silent for too long is found out, as by pings. */
    private void listen(CompletableFuture<Response> way, int host) {
      simulation
          .scheduler()
          .after(
              SILENCE_MICROS,
              () -> {
                if (!way.isDone()) {
                  boolean isReached =
                      simulation.network().passes(node, host)
                          && simulation.network().passes(host, node);
                  if (isReached) {
                    listen(way, host);
                  } else {
                    way.completeExceptionally(
                        new GraphMetaException(
                            ErrorCode.UNREACHABLE, "h" + host + " is silent (simulated)"));
                  }
                }
              });
    }

    private void answered(@Nullable Response answer, @Nullable Throwable failure) {
      if (failure == null) {
        leaders[shard] = replica;
        complete(answer);
        return;
      }
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      if (!(cause instanceof GraphMetaException error)) {
        completeExceptionally(cause);
        return;
      }
      boolean nothingDone =
          error.code() == ErrorCode.NOT_LEADER || error.code() == ErrorCode.UNAVAILABLE;
      boolean unreachable = error.code() == ErrorCode.UNREACHABLE;
      if ((nothingDone || unreachable) && leaders[shard] == replica) {
        leaders[shard] = (replica + 1) % SimulatedCluster.REPLICAS;
      }
      mayBeDone |= !nothingDone;
      if (nothingDone || unreachable && call.request() instanceof Request.Repeatable) {
        askNext(error);
      } else {
        completeExceptionally(error);
      }
    }

    private void askNext(GraphMetaException error) {
      asked++;
      int rounds = asked / SimulatedCluster.REPLICAS;
      long pause =
          asked % SimulatedCluster.REPLICAS != 0
              ? 0
              : Math.min(LONGEST_PAUSE_MICROS, FIRST_PAUSE_MICROS << Math.min(10, rounds - 1));
      boolean mayWait =
          !isDone()
              && passedMicros() + pause < call.timeoutMillis() * 1000
              && (pause == 0 || !(call.request() instanceof Request.Snapshot));
      if (mayWait) {
        simulation.scheduler().after(pause, this::ask);
      } else {
        completeExceptionally(
            new GraphMetaException(
                mayBeDone ? ErrorCode.UNREACHABLE : ErrorCode.UNAVAILABLE,
                "No replica of shard " + shard + " could be asked as its leader",
                error));
      }
    }
  }
}
