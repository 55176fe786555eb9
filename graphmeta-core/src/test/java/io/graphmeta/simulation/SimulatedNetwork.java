package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Response;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Carries requests and answers between nodes, which have numbers: the shards from 0, the clients
 * after them. A message can be late, overtake others, be lost, come twice, and meet a partition;
 * but it never reaches another incarnation of a shard than the one that it was sent to, as with a
 * connection that breaks.
 */
final class SimulatedNetwork {
  /**
   * How bad a network is.
   *
   * @param delayMicros usual time of a message, at most
   * @param lost chance that a message is lost
   * @param doubled chance that a message comes twice
   * @param late chance that a message takes {@code lateMicros} at most
   * @param refused chance that a request is refused for overload
   */
  record Weather(
      long delayMicros, double lost, double doubled, double late, long lateMicros, double refused) {
    static final Weather FAIR = new Weather(300, 0, 0, 0, 1, 0);
  }

  /** A copy of a shard, as far as the network can see it. */
  interface Node {
    /** The number of the node that it is on. */
    int host();

    /** Another one after each end and each start of its process. */
    int incarnation();

    boolean isUp();

    CompletableFuture<Response> handle(Call call);
  }

  private final boolean hasConnections;
  private final SimulatedConnections connections;
  private final Scheduler scheduler;
  private final SplittableRandom random;
  private final Trace trace;
  private final List<? extends Node> shards;
  private final @Nullable MessageCodec codec;
  private final Set<Long> cut = new HashSet<>();
  private Weather weather;
  private long messages;
  private long delivered;

  SimulatedNetwork(
      Scheduler scheduler,
      SplittableRandom random,
      Trace trace,
      List<? extends Node> shards,
      Weather weather,
      boolean asBytes,
      boolean hasConnections,
      SimulatedConnections connections) {
    this.hasConnections = hasConnections;
    this.connections = connections;
    this.codec = asBytes ? new MessageCodec(MessageCodec.DEFAULT_MAX_BYTES) : null;
    this.scheduler = scheduler;
    this.random = random;
    this.trace = trace;
    this.shards = shards;
    this.weather = weather;
  }

  void setWeather(Weather newWeather) {
    weather = newWeather;
  }

  /** Lets nothing pass from one node to another. */
  void cut(int from, int to) {
    cut.add((long) from << 32 | to);
  }

  /** Lets everything pass. */
  void heal() {
    cut.clear();
  }

  /** Whether anything passes from one node to another. */
  boolean passes(int from, int to) {
    return !cut.contains((long) from << 32 | to);
  }

  /** Number of requests that reached a shard. */
  long delivered() {
    return delivered;
  }

  /** Sends a request; the sender is known to the trace by a name. */
  CompletableFuture<Response> send(int from, String sender, int to, Call call) {
    long message = ++messages;
    CompletableFuture<Response> answer = new CompletableFuture<>();
    if (to < 0 || to >= shards.size()) {
      return CompletableFuture.failedFuture(
          GraphMetaException.internal("No shard " + to + "; there are " + shards.size()));
    }
    Node shard = shards.get(to);
    if (random.nextDouble() < weather.refused) {
      trace.add(scheduler.now(), "m", message, " ", sender, " -> ", shard, " OVERLOADED");
      scheduler.after(
          1,
          () ->
              answer.completeExceptionally(
                  new GraphMetaException(
                      ErrorCode.OVERLOADED, "Shard " + to + " takes no more (simulated)")));
      return answer;
    }
    if (hasConnections && !shard.isUp()) {
      trace.add(scheduler.now(), "m", message, " ", sender, " -> ", shard, " UNAVAILABLE");
      breakLater(answer, ErrorCode.UNAVAILABLE, shard);
      return answer;
    }
    trace.add(
        scheduler.now(), "m", message, " ", sender, " -> ", shard, " ", new Words(call.request()));
    scheduler.after(
        call.timeoutMillis() * 1000,
        () ->
            answer.completeExceptionally(
                new GraphMetaException(
                    ErrorCode.TIMEOUT,
                    "Shard "
                        + to
                        + " did not answer "
                        + call.request().getClass().getSimpleName()
                        + " within "
                        + call.timeoutMillis()
                        + " ms")));
    carry(new Sent(message, from, sender, shard, call, answer), 1);
    return answer;
  }

  /** A request under way. */
  private record Sent(
      long message,
      int from,
      String sender,
      Node shard,
      Call call,
      CompletableFuture<Response> answer) {}

  private void carry(Sent sent, int times) {
    int to = sent.shard.host();
    int incarnation = sent.shard.incarnation();
    int connection = connections.epoch(sent.from, to);
    for (int copy = copies(sent.from, to); copy > 0; copy--) {
      scheduler.after(
          delay(),
          () -> {
            if (connections.isThere(sent.from, to, connection)) {
              arrive(sent, incarnation, connection, times);
            } else {
              broken(sent, times);
            }
          });
    }
    connections.sent(sent.from, to, weather.delayMicros);
  }

  /** The connection has broken over a request or its answer, and the node lives. */
  private void broken(Sent sent, int times) {
    if (sent.answer.isDone() || !connections.sendsAgain(sent.call, times)) {
      breakLater(sent.answer, ErrorCode.UNREACHABLE, sent.shard);
    } else {
      scheduler.after(delay(), () -> carry(sent, times + 1));
    }
  }

  /** The connection tells that a shard is away, if there are connections. */
  private void breakLater(CompletableFuture<Response> answer, ErrorCode told, Node shard) {
    if (hasConnections) {
      scheduler.after(
          delay(),
          () ->
              answer.completeExceptionally(
                  new GraphMetaException(told, shard + " is away (simulated)")));
    }
  }

  private int copies(int from, int to) {
    if (!passes(from, to) || random.nextDouble() < weather.lost) {
      return 0;
    }
    return random.nextDouble() < weather.doubled ? 2 : 1;
  }

  private long delay() {
    return 10
        + random.nextLong(
            random.nextDouble() < weather.late ? weather.lateMicros : weather.delayMicros);
  }

  private void arrive(Sent sent, int incarnation, int connection, int times) {
    Node shard = sent.shard;
    if (shard.incarnation() != incarnation || !shard.isUp()) {
      breakLater(sent.answer, ErrorCode.UNREACHABLE, shard);
      return;
    }
    delivered++;
    CompletableFuture<Response> handled;
    try {
      handled =
          shard.handle(codec == null ? sent.call : codec.decodeCall(codec.encodeCall(sent.call)));
    } catch (RuntimeException e) {
      handled = CompletableFuture.failedFuture(e);
    }
    handled.whenComplete(
        (response, error) -> {
          if (shard.incarnation() != incarnation) {
            breakLater(sent.answer, ErrorCode.UNREACHABLE, shard);
            return;
          }
          trace.add(
              scheduler.now(),
              "m",
              sent.message,
              " ",
              sent.sender,
              " <- ",
              shard,
              " ",
              error == null ? new Words(response) : unwrapped(error));
          for (int copy = copies(shard.host(), sent.from); copy > 0; copy--) {
            scheduler.after(
                delay(),
                () -> {
                  if (connections.isThere(sent.from, shard.host(), connection)) {
                    answer(sent.answer, copied(response), error);
                  } else {
                    broken(sent, times);
                  }
                });
          }
        });
  }

  private @Nullable Response copied(@Nullable Response response) {
    return codec == null || response == null
        ? response
        : codec.decodeAnswer(codec.encodeAnswer(response));
  }

  private static void answer(
      CompletableFuture<Response> answer, @Nullable Response response, @Nullable Throwable error) {
    if (error != null) {
      answer.completeExceptionally(unwrapped(error));
    } else {
      answer.complete(response);
    }
  }

  private static Throwable unwrapped(Throwable error) {
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }
}
