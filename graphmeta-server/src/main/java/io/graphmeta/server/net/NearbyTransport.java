package io.graphmeta.server.net;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Answers;
import io.graphmeta.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/*
 * What goes where
 *
 * Each replica tells up to which stamp its store has all there ever will be. The least of these stamps, of one
 * replica of each shard, is that at which views of the past are read: a view that knows no more, and is read at it as
 * its snapshot, is the same on every replica. It only grows; a replica that turns out to be behind it says so.
 *
 * A read of such a view goes to a replica near here, and to another one if its node is away, since all are right;
 * whatever else comes of it but an answer, it goes to the one that leads then, for which it may have to wait. A
 * traversal of such a view has its parts on one replica of each shard, chosen when it begins; if that comes to nothing,
 * it begins anew where the shards are led. All else goes there at once. So nothing is answered less often, and nothing
 * is answered otherwise.
 *
 * Nobody is asked for stamps while nobody reads the past. A shard at rest says nothing new of its own accord: where
 * somebody wants to read at a stamp that a replica has not told, its leader is asked to note that it has passed it.
 */

/**
 * The transport to shards with replicas, of which views of the past are read near here. Safe for
 * use by many threads.
 */
public final class NearbyTransport implements Transport {
  private static final long LOOK_MILLIS = 500;

  /** How long it is looked for stamps after somebody wanted one. */
  private static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How long a node that did not answer is passed over. */
  private static final long PASSED_OVER_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long LOOK_TIMEOUT_MILLIS = 2_000;

  private final Transport leaders;
  private final ReplicaCalls calls;
  private final String self;
  private final String ownRack;
  private final Supplier<Map<String, String>> racks;
  private volatile Map<String, String> racksSeen = Map.of();
  private final ScheduledExecutorService timer;
  private final AtomicLongArray settled;
  private final AtomicLong settledOfAll = new AtomicLong();
  private final AtomicLong wantedStamp = new AtomicLong();
  private final Map<String, Long> passedOverUntilNanos = new ConcurrentHashMap<>();
  private final AtomicLong answered = new AtomicLong();
  private final AtomicLong chosen = new AtomicLong();
  private volatile long wantedNanos = System.nanoTime() - WANTED_NANOS;
  private volatile @Nullable ScheduledFuture<?> looking;

  /**
   * A transport over the way to the shards, and to each replica.
   *
   * @param self name of this process; each has other replicas that it asks first
   * @param ownRack where it is, or empty
   * @param racks those of nodes that have one, by their names
   * @param timer outlives the transport
   */
  public NearbyTransport(
      Transport leaders,
      ReplicaCalls calls,
      int shards,
      String self,
      String ownRack,
      Supplier<Map<String, String>> racks,
      ScheduledExecutorService timer) {
    this.leaders = leaders;
    this.calls = calls;
    this.self = self;
    this.ownRack = ownRack;
    this.racks = racks;
    this.timer = timer;
    this.settled = new AtomicLongArray(shards);
  }

  /** Begins to look for stamps when somebody reads the past. */
  public void begin() {
    looking =
        timer.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Asks one replica of each shard how far it is, if anybody wants to know; and leaders to note
   * what replicas are to tell next time.
   */
  void look() {
    if (System.nanoTime() - wantedNanos > WANTED_NANOS) {
      return;
    }
    askForNotes();
    racksSeen = racks.get();
    List<ReplicaCalls.Directed> questions = new ArrayList<>();
    for (int shard = 0; shard < settled.length(); shard++) {
      Call call =
          new Call(VirtualNodeMap.FIRST_EPOCH, LOOK_TIMEOUT_MILLIS, new Request.ReadReplica());
      questions.add(new ReplicaCalls.Directed(shard, near(shard), call));
    }
    List<CompletableFuture<Response>> answers = calls.sendAllTo(questions);
    for (int shard = 0; shard < answers.size(); shard++) {
      int of = shard;
      String node = questions.get(shard).node();
      answers
          .get(shard)
          .whenComplete(
              (answer, failure) -> {
                if (failure != null) {
                  passOver(node);
                } else if (answer instanceof Response.ReplicaState state) {
                  settled.accumulateAndGet(of, state.settled(), Math::max);
                  grow();
                }
              });
    }
  }

  /**
   * An answer says no more than the next look does, and a leader that refuses, or knows no such
   * request, leaves its shard to be read where it is led.
   */
  private void askForNotes() {
    long wanted = wantedStamp.get();
    Call call =
        new Call(VirtualNodeMap.FIRST_EPOCH, LOOK_TIMEOUT_MILLIS, new Request.NoteSettled(wanted));
    List<Addressed> behind = new ArrayList<>();
    for (int shard = 0; shard < settled.length(); shard++) {
      if (settled.get(shard) < wanted) {
        behind.add(new Addressed(shard, call));
      }
    }
    leaders.sendAll(behind);
  }

  private void grow() {
    long least = Long.MAX_VALUE;
    for (int shard = 0; shard < settled.length(); shard++) {
      least = Math.min(least, settled.get(shard));
    }
    settledOfAll.accumulateAndGet(least, Math::max);
  }

  private void passOver(String node) {
    passedOverUntilNanos.put(node, System.nanoTime() + PASSED_OVER_NANOS);
  }

  /** The node of a shard to ask: on this rack, and else as this process would rather have it. */
  private String near(int shard) {
    List<String> nodes = calls.nodes(shard);
    return nodes.size() == 1 ? nodes.get(0) : nodes.stream().min(byNeed(shard)).orElseThrow();
  }

  /** The node of a shard to ask next; null if all others have been asked or are passed over. */
  private @Nullable String near(int shard, List<String> asked) {
    long now = System.nanoTime();
    return calls.nodes(shard).stream()
        .filter(node -> !asked.contains(node) && !isPassedOver(node, now))
        .min(byNeed(shard))
        .orElse(null);
  }

  private Comparator<String> byNeed(int shard) {
    long now = System.nanoTime();
    Map<String, String> known = racksSeen;
    return Comparator.comparing((String node) -> isPassedOver(node, now))
        .thenComparing(node -> ownRack.isEmpty() || !ownRack.equals(known.get(node)))
        .thenComparing(node -> score(shard, node));
  }

  private boolean isPassedOver(String node, long nowNanos) {
    Long until = passedOverUntilNanos.get(node);
    return until != null && until - nowNanos > 0;
  }

  private long score(int shard, String node) {
    CRC32C hash = new CRC32C();
    hash.update((self + "/" + shard + "/" + node).getBytes(StandardCharsets.UTF_8));
    return hash.getValue();
  }

  @Override
  public long settledNearby(long wanted) {
    wantedNanos = System.nanoTime();
    wantedStamp.accumulateAndGet(wanted, Math::max);
    return settledOfAll.get();
  }

  /** How many reads replicas have answered near here. */
  public long answered() {
    return answered.get();
  }

  @Override
  public @Nullable Transport nearby(long snapshot) {
    if (snapshot > settledOfAll.get()) {
      return null;
    }
    List<String> nodes = new ArrayList<>();
    for (int shard = 0; shard < settled.length(); shard++) {
      nodes.add(near(shard));
    }
    chosen.incrementAndGet();
    return new ChosenReplicas(calls, nodes, this::passOver);
  }

  /** How often replicas near here were chosen for a traversal. */
  public long chosen() {
    return chosen.get();
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return sendAll(List.of(new Addressed(shard, call))).get(0);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> addressed) {
    if (addressed.stream().noneMatch(this::isNear)) {
      return leaders.sendAll(addressed);
    }
    List<Addressed> led = new ArrayList<>();
    List<NearCall> near = new ArrayList<>();
    List<ReplicaCalls.Directed> directed = new ArrayList<>();
    for (Addressed each : addressed) {
      if (isNear(each)) {
        NearCall call = new NearCall(each);
        near.add(call);
        directed.add(call.to(near(each.shard()), each.call().timeoutMillis()));
      } else {
        led.add(each);
      }
    }
    List<CompletableFuture<Response>> ofLeaders = leaders.sendAll(led);
    List<CompletableFuture<Response>> ofReplicas = calls.sendAllTo(directed);
    for (int i = 0; i < near.size(); i++) {
      near.get(i).awaits(ofReplicas.get(i));
    }
    List<CompletableFuture<Response>> all = new ArrayList<>(addressed.size());
    int leader = 0;
    int replica = 0;
    for (Addressed each : addressed) {
      boolean isNear = replica < near.size() && near.get(replica).addressed == each;
      all.add(isNear ? near.get(replica++) : ofLeaders.get(leader++));
    }
    return all;
  }

  private boolean isNear(Addressed each) {
    return each.shard() >= 0
        && each.shard() < settled.length()
        && each.call().request() instanceof Request.OfView read
        && Request.FollowerRead.isOfReplicas(each.call().request())
        && read.view().snapshot() <= settledOfAll.get();
  }

  /** A read on its way to replicas, and to the one that leads if that comes to nothing. */
  private final class NearCall extends CompletableFuture<Response> {
    private final Addressed addressed;
    private final long begunNanos = System.nanoTime();

    /** Nodes, in turn: the next one is asked when the one before has not answered. */
    private final List<String> asked = new ArrayList<>();

    private volatile @Nullable CompletableFuture<Response> underWay;

    NearCall(Addressed addressed) {
      this.addressed = addressed;
    }

    /** The read, as it goes to a replica. */
    ReplicaCalls.Directed to(String node, long timeoutMillis) {
      asked.add(node);
      Call call = addressed.call();
      return new ReplicaCalls.Directed(
          addressed.shard(),
          node,
          new Call(call.epoch(), timeoutMillis, new Request.FollowerRead(call.request())));
    }

    void awaits(CompletableFuture<Response> answer) {
      goesBy(answer);
      answer.whenComplete(
          (found, failure) -> {
            if (failure == null) {
              NearbyTransport.this.answered.incrementAndGet();
              complete(found);
            } else {
              goOn(Answers.error(failure));
            }
          });
    }

    private void goesBy(CompletableFuture<Response> way) {
      underWay = way;
      if (isCancelled()) {
        way.cancel(true);
      }
    }

    private void goOn(GraphMetaException failure) {
      String other = null;
      if (failure.code().isAway()) {
        passOver(asked.get(asked.size() - 1));
        other = near(addressed.shard(), asked);
      }
      if (isDone()) {
        return;
      }
      long passedMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
      long leftMillis = addressed.call().timeoutMillis() - passedMillis;
      if (leftMillis <= 0) {
        completeExceptionally(failure);
      } else if (other != null) {
        awaits(calls.sendAllTo(List.of(to(other, leftMillis))).get(0));
      } else {
        askLeader(leftMillis);
      }
    }

    private void askLeader(long leftMillis) {
      Call call = addressed.call();
      Call rest = new Call(call.epoch(), leftMillis, call.request());
      CompletableFuture<Response> answer = leaders.send(addressed.shard(), rest);
      goesBy(answer);
      answer.whenComplete(
          (found, again) -> {
            if (again == null) {
              complete(found);
            } else {
              completeExceptionally(Answers.error(again));
            }
          });
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

  /** Looks no more, and closes the way to those that lead. */
  @Override
  public void close() {
    ScheduledFuture<?> look = looking;
    if (look != null) {
      look.cancel(false);
    }
    leaders.close();
  }
}
