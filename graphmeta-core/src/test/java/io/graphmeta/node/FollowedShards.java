package io.graphmeta.node;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageCodec;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.Answers;
import io.graphmeta.transport.Transport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Shards with two replicas each, one of which leads, in one process: the other one is given its
 * entries a little later. Traversals of the past run on a replica of each shard that is drawn. To
 * be used by one thread.
 */
public final class FollowedShards implements AutoCloseable {
  private static final String LEADING = "leading";
  private static final String FOLLOWING = "following";
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final List<HostedShard> leaders = new ArrayList<>();
  private final List<HostedShard> followers = new ArrayList<>();
  private final ExecutorService applying = Executors.newSingleThreadExecutor();
  private final Random random;
  private final Transactions transactions;
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger answered = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  /** Shards over new stores. */
  public FollowedShards(Path directory, GraphMetaConfig config, long seed) {
    random = new Random(seed);
    int shards = (int) config.number(Setting.SHARDS);
    List<Integer> all = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      all.add(shard);
    }
    HostSettings settings =
        new HostSettings(config, Hosting.ofReplicas("cluster", all, 2 * shards));
    for (int shard : all) {
      leaders.add(replica(shard, directory.resolve(LEADING), settings));
      followers.add(replica(shard, directory.resolve(FOLLOWING), settings));
    }
    AtomicLong newest = new AtomicLong();
    for (int shard : all) {
      leaders.get(shard).shareNewest(newest);
      leaders.get(shard).join(new ToLeaders());
      followers.get(shard).join(new ToLeaders());
    }
    for (int shard : all) {
      leaders.get(shard).lead(new SharedLog(leaders.get(shard), followers.get(shard)), 0);
    }
    Router router =
        new Router(
            new ToLeaders(),
            settings.map(),
            Placements.named(config.get(Setting.PLACEMENT)),
            new HybridClock(InstantSource.system(), 0, 500_000),
            60_000,
            1);
    transactions =
        new Transactions(router, new TransactionLimits(1 << 28, 1 << 20, 1024, 1 << 20, 128, 1024));
  }

  private static HostedShard replica(int shard, Path directory, HostSettings settings) {
    StorePlace place = new StorePlace(directory.resolve("shard-" + shard), store -> {});
    return HostedShard.replica(shard, place, true, settings, InstantSource.system());
  }

  /** A log of one term that never ends, and gives its entries to a follower. */
  private final class SharedLog implements ReplicationLog {
    private final StorageEngine store;
    private final HostedShard follower;
    private Told told = Told.NOBODY;

    SharedLog(HostedShard leader, HostedShard follower) {
      this.store = leader.store();
      this.follower = follower;
    }

    @Override
    public synchronized CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      told.ordered(entry);
      store.write(entry, Durability.BACKGROUND);
      told.applied(entry);
      byte[] rows = new byte[entry.sizeBytes()];
      entry.copyTo(rows, 0);
      applying.execute(() -> follow(rows));
      return CompletableFuture.completedFuture(null);
    }

    private void follow(byte[] rows) {
      RowBatch entry = new RowBatch(rows.length);
      entry.putCopied(rows, 0, rows.length);
      follower.followed().ordered(entry);
      follower.store().write(entry, Durability.BACKGROUND);
      follower.followed().applied(entry);
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public synchronized void tell(Told of) {
      told = of;
    }

    @Override
    public void stop(Throwable cause) {}

    @Override
    public @Nullable Throwable stopped() {
      return null;
    }

    @Override
    public void close() {}
  }

  /** The way of clients and shards. */
  private final class ToLeaders implements Transport {
    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      return leaders.get(shard).handle(call);
    }

    @Override
    public long settledNearby(long wanted) {
      long least = followers.stream().mapToLong(HostedShard::settledStamp).min().orElseThrow();
      if (least < wanted) {
        for (HostedShard leader : leaders) {
          leader.handle(
              new Call(VirtualNodeMap.FIRST_EPOCH, 1_000, new Request.NoteSettled(wanted)));
        }
      }
      return least;
    }

    @Override
    public @Nullable Transport nearby(long snapshot) {
      if (snapshot > settledNearby(0)) {
        return null;
      }
      List<String> nodes = new ArrayList<>();
      for (int shard = 0; shard < leaders.size(); shard++) {
        nodes.add(random.nextInt(4) == 0 ? LEADING : FOLLOWING);
      }
      begun.incrementAndGet();
      return toReplicas(nodes);
    }

    @Override
    public Transport toReplicas(List<String> nodes) {
      return (shard, call) -> ask(nodes, shard, call);
    }
  }

  private CompletableFuture<Response> ask(List<String> nodes, int shard, Call call) {
    MessageCodec codec = new MessageCodec(1 << 24);
    Request message = Request.FollowerTraversal.of(call.request(), nodes);
    Call wrapped = new Call(call.epoch(), call.timeoutMillis(), message);
    Call sent = codec.decodeCall(codec.encodeCall(wrapped));
    boolean follows = nodes.get(shard).equals(FOLLOWING);
    return (follows ? followers : leaders)
        .get(shard)
        .readFollowing(sent)
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                answered.addAndGet(follows ? 1 : 0);
                return answer;
              }
              GraphMetaException error = Answers.error(failure);
              refused.addAndGet(error.code() == ErrorCode.NOT_LEADER ? 1 : 0);
              throw error.code() == ErrorCode.NOT_LEADER
                  ? new GraphMetaException(ErrorCode.TRAVERSAL_LOST, "It is not that far", error)
                  : error;
            });
  }

  /** Begins a transaction. */
  public GraphTransaction begin() {
    return transactions.begin();
  }

  /** Splits what has grown. */
  public void splitNow() {
    leaders.forEach(HostedShard::splitNow);
  }

  /** Waits until replicas tell a stamp. */
  public void awaitSettled(long stamp) throws InterruptedException {
    long begunNanos = System.nanoTime();
    while (new ToLeaders().settledNearby(stamp) < stamp) {
      if (System.nanoTime() - begunNanos > WAIT_NANOS) {
        throw new AssertionError("Replicas do not come up to " + stamp);
      }
      Thread.sleep(5);
    }
  }

  /** How many runs began on replicas. */
  public int begun() {
    return begun.get();
  }

  /** How many messages of traversals replicas have answered that do not lead. */
  public int answered() {
    return answered.get();
  }

  /** How many such messages they have refused, since they are not that far. */
  public int refused() {
    return refused.get();
  }

  /** Traversals that any replica keeps. */
  public int openTraversals() {
    return leaders.stream().mapToInt(HostedShard::openTraversals).sum()
        + followers.stream().mapToInt(HostedShard::openTraversals).sum();
  }

  /** Lets replicas that follow drop what they have built, as when their store is replaced. */
  public void restartFollowers() {
    followers.forEach(HostedShard::follow);
  }

  @Override
  public void close() {
    leaders.forEach(HostedShard::leave);
    leaders.forEach(HostedShard::close);
    applying.shutdown();
    try {
      if (!applying.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new AssertionError("Entries are still being applied");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    followers.forEach(HostedShard::close);
  }
}
