package io.graphmeta.traversal;

import static java.util.Objects.requireNonNull;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.HostedShard;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.router.Router;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.Transport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Shards in memory with threads of their own, whose messages are late and overtake each other; of
 * those that run a traversal some come twice.
 */
final class TestCluster implements AutoCloseable {
  /** In place of a delay: messages are handled by the threads of those who send them. */
  static final int NONE_IS_LATE = 0;

  private final List<HostedShard> nodes = new ArrayList<>();
  private final @Nullable LateTransport late;
  private final Transport transport;
  private final Transactions transactions;

  TestCluster(int shards, long seed, int maxDelayMicros, int requestTimeoutMillis) {
    this(shards, seed, maxDelayMicros, requestTimeoutMillis, 1024);
  }

  TestCluster(int shards, long seed, int maxDelayMicros, int requestTimeoutMillis, int maxOpen) {
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.PAGE_BYTES, 1024)
            .with(Setting.TRAVERSAL_THREADS, 2)
            .with(Setting.SLICE_ELEMENTS, seed % 2 == 0 ? 1 : 5)
            .with(Setting.SHARED_STEP_ELEMENTS, seed % 3 == 0 ? 1024 : 1)
            .with(Setting.PLACEMENT, seed % 2 == 0 ? "vertex-cut" : "dido")
            .with(Setting.REQUEST_TIMEOUT_MILLIS, requestTimeoutMillis);
    for (int shard = 0; shard < shards; shard++) {
      nodes.add(HostedShard.inMemory(shard, config, InstantSource.system()));
    }
    if (maxDelayMicros == NONE_IS_LATE) {
      late = null;
      transport = new LocalTransport(nodes, LocalTransport.Options.DEFAULT);
      nodes.forEach(node -> node.join(transport));
    } else {
      LocalTransport.Options options = new LocalTransport.Options(2, 1024, true);
      late = new LateTransport(new LocalTransport(nodes, options), seed, maxDelayMicros);
      transport = late;
      nodes.forEach(node -> node.join(late.ofShards()));
    }
    Router router =
        new Router(
            transport,
            VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, config.virtualNodes(), shards),
            Placements.named(config.get(Setting.PLACEMENT)),
            new HybridClock(InstantSource.system(), 0, 500_000),
            requestTimeoutMillis,
            seed);
    transactions =
        new Transactions(
            router, new TransactionLimits(1 << 28, 1 << 20, 1024, 1 << 20, 128, maxOpen));
  }

  GraphTransaction begin() {
    return transactions.begin();
  }

  /** Lets shards lose traversals, or answers get lost, so many times from now on. */
  void lose(int times) {
    requireNonNull(late).losses.set(times);
  }

  int lossesLeft() {
    return requireNonNull(late).losses.get();
  }

  /** Lets requests be refused by shards so many times from now on, some of them after the work. */
  void refuse(int times) {
    requireNonNull(late).refusals.set(times);
  }

  /** What was sent so far, by clients and shards, each message once. */
  List<Sent> sent() {
    return List.copyOf(requireNonNull(late).sent);
  }

  /** A request to a shard, of a client or of another shard. */
  record Sent(int shard, Request request, boolean byClient) {}

  /** Whether shards keep a traversal, or may yet begin one. */
  boolean isBusy() {
    return requireNonNull(late).onTheWay.get() > 0 || openTraversals() > 0;
  }

  /** Traversals that any shard keeps. */
  int openTraversals() {
    return nodes.stream().mapToInt(HostedShard::openTraversals).sum();
  }

  @Override
  public void close() {
    nodes.forEach(HostedShard::leave);
    transport.close();
    nodes.forEach(HostedShard::close);
  }

  /** Lets each message and each answer wait for a random time, and sends some again. */
  private static final class LateTransport implements Transport {
    private static final int AGAIN = 4;
    private static final int LOST = 12;

    final AtomicInteger losses = new AtomicInteger();
    final AtomicInteger refusals = new AtomicInteger();

    /** Messages that no shard has answered. */
    final AtomicInteger onTheWay = new AtomicInteger();

    final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final Transport transport;
    private final SplittableRandom random;
    private final int maxDelayMicros;
    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);

    LateTransport(Transport transport, long seed, int maxDelayMicros) {
      this.transport = transport;
      this.random = new SplittableRandom(seed);
      this.maxDelayMicros = maxDelayMicros;
    }

    private synchronized boolean comesAgain(Request request) {
      return (request instanceof Request.Deliver || request instanceof Request.RunLevel)
          && random.nextInt(AGAIN) == 0;
    }

    private synchronized int draw(int most) {
      return random.nextInt(most);
    }

    /** Whether the run of a traversal that a request is of shall end with it. */
    private boolean isLost(Request request) {
      return fails(request, losses);
    }

    private boolean fails(Request request, AtomicInteger left) {
      return (request instanceof Request.StartTraversal
              || request instanceof Request.Deliver
              || request instanceof Request.RunLevel
              || request instanceof Request.FollowTraversal
              || request instanceof Request.FetchResults)
          && left.get() > 0
          && draw(LOST) == 0
          && left.getAndDecrement() > 0;
    }

    private static TraversalId traversal(Request request) {
      return request instanceof Request.StartTraversal start
          ? start.id()
          : request instanceof Request.Deliver deliver
              ? deliver.id()
              : request instanceof Request.RunLevel run
                  ? run.id()
                  : request instanceof Request.FollowTraversal follow
                      ? follow.id()
                      : ((Request.FetchResults) request).id();
    }

    private synchronized long delayMicros() {
      return random.nextInt(8) == 0 ? random.nextInt(maxDelayMicros) : random.nextInt(30);
    }

    /** The same for the messages of shards. */
    Transport ofShards() {
      return new Transport() {
        @Override
        public CompletableFuture<Response> send(int shard, Call call) {
          return LateTransport.this.send(shard, call, false);
        }

        @Override
        public void close() {
          // Closed with that of the clients.
        }
      };
    }

    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      return send(shard, call, true);
    }

    private CompletableFuture<Response> send(int shard, Call call, boolean byClient) {
      CompletableFuture<Response> late = new CompletableFuture<>();
      sent.add(new Sent(shard, call.request(), byClient));
      if (isLost(call.request())) {
        // As by a shard that is opened anew, before or after it has done what it was asked for.
        Call end =
            new Call(
                call.epoch(),
                call.timeoutMillis(),
                new Request.EndTraversal(traversal(call.request())));
        if (draw(2) == 0) {
          toShard(shard, end);
        } else {
          toShard(shard, call).whenComplete((r, e) -> toShard(shard, end));
          later(() -> late.completeExceptionally(broken()));
          return late;
        }
      }
      if (fails(call.request(), refusals)) {
        boolean worked = draw(2) == 0 && !(call.request() instanceof Request.FollowTraversal);
        CompletableFuture<?> work =
            worked ? toShard(shard, call) : CompletableFuture.completedFuture(null);
        work.whenComplete((r, e) -> later(() -> late.completeExceptionally(refused())));
        return late;
      }
      for (int times = comesAgain(call.request()) ? 2 : 1; times > 0; times--) {
        onTheWay.incrementAndGet();
        later(
            () -> {
              toShard(shard, call).whenComplete((r, e) -> later(() -> end(late, r, e)));
              onTheWay.decrementAndGet();
            });
      }
      return late;
    }

    private CompletableFuture<Response> toShard(int shard, Call call) {
      onTheWay.incrementAndGet();
      return transport.send(shard, call).whenComplete((r, e) -> onTheWay.decrementAndGet());
    }

    private static GraphMetaException broken() {
      return new GraphMetaException(ErrorCode.UNREACHABLE, "The connection broke");
    }

    private static GraphMetaException refused() {
      return new GraphMetaException(ErrorCode.LIMIT_EXCEEDED, "There is no room for it");
    }

    private void later(Runnable action) {
      timer.schedule(action, delayMicros(), TimeUnit.MICROSECONDS);
    }

    private static void end(CompletableFuture<Response> late, Response response, Throwable error) {
      Throwable cause = error instanceof CompletionException ? error.getCause() : error;
      if (cause instanceof GraphMetaException e && e.code() == ErrorCode.CANCELLED) {
        late.completeExceptionally(broken()); // a shard that is opened anew tells nothing
      } else if (error != null) {
        late.completeExceptionally(error);
      } else {
        late.complete(response);
      }
    }

    @Override
    public void close() {
      timer.shutdownNow();
      transport.close();
    }
  }
}
