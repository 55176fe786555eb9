package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.Placements;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.router.Router;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import io.graphmeta.tx.GraphTransaction;
import io.graphmeta.tx.TransactionLimits;
import io.graphmeta.tx.Transactions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client: one session after another transaction, over the real client side of the graph. Runs as
 * a fiber, and can be killed wherever it waits.
 */
final class Client implements Runnable {
  private static final Set<ErrorCode> UNKNOWN_OUTCOME =
      EnumSet.of(ErrorCode.OUTCOME_UNKNOWN, ErrorCode.TIMEOUT, ErrorCode.STORAGE_FAILURE);
  private static final Set<ErrorCode> DEFECTS =
      EnumSet.of(ErrorCode.INTERNAL, ErrorCode.CORRUPTION);

  private final Simulation simulation;
  private final int number;
  private final String name;
  private final SplittableRandom random;
  private final SimulatedClock clock;
  private final Transport transport;
  private @Nullable Txn current;
  private long lastStamp;
  private int count;

  /**
   * A client.
   *
   * @param number no other client has it, and no shard
   */
  Client(Simulation simulation, int number, SplittableRandom random) {
    this.simulation = simulation;
    this.number = number;
    this.name = "c" + number;
    this.random = random;
    this.clock = new SimulatedClock(simulation.scheduler());
    clock.disturb(random, simulation.options().maxOffsetMicros() / 4);
    this.transport =
        new Observed(simulation.sabotage().transport(number, simulation.transport(number, name)));
  }

  int number() {
    return number;
  }

  SimulatedClock clock() {
    return clock;
  }

  @Override
  public void run() {
    Router router = connect();
    Transactions transactions = new Transactions(router, limits());
    while (!simulation.isDraining()) {
      simulation.scheduler().sleep(random.nextLong(simulation.options().thinkMicros()));
      if (random.nextInt(4) == 0) {
        goOnWithSessionOfAnother(router);
      }
      transact(transactions, simulation.workload(random, clock));
    }
  }

  /** A user comes from another client, and has seen what was acknowledged there. */
  private void goOnWithSessionOfAnother(Router router) {
    List<Txn> acknowledged = simulation.history().acknowledged();
    long seenThere = acknowledged.isEmpty() ? 0 : acknowledged.get(acknowledged.size() - 1).stamp;
    long aheadMicros = Stamp.micros(seenThere) - Stamp.epochMicros(clock.instant());
    if (aheadMicros <= 0) { // what lies ahead is waited for on the clock of the real machine
      router.resume(seenThere);
      lastStamp = Math.max(lastStamp, seenThere);
      simulation.trace(name, " goes on with a session that has seen ", seenThere);
    }
  }

  private Router connect() {
    while (true) {
      try {
        return newRouter();
      } catch (GraphMetaException e) {
        refuseDefects(e, name);
        simulation.scheduler().sleep(50_000);
      }
    }
  }

  private TransactionLimits limits() {
    return new TransactionLimits(
        1 << 20, 1 << 16, 1 << 10, 1000, simulation.options().splitThreshold(), 1 << 10);
  }

  /** The way of this client to the shards. */
  Router newRouter() {
    return new Router(
        transport,
        simulation.sabotage().map(number, simulation.map()),
        Placements.DIDO,
        new HybridClock(clock, 0, simulation.options().maxOffsetMicros()),
        simulation.requestMillis(),
        number);
  }

  /** Reads everything that was ever acknowledged, once all is well. */
  void readAll(long newestStamp) {
    Router router = newRouter();
    router.saw(newestStamp);
    lastStamp = newestStamp;
    transact(
        new Transactions(router, limits()),
        new Workload(simulation, random) {
          @Override
          void work(GraphTransaction tx, Txn txn) {
            readEverything(tx, txn);
          }
        });
  }

  private void transact(Transactions transactions, Workload workload) {
    GraphTransaction tx;
    try {
      tx = transactions.begin();
    } catch (GraphMetaException e) {
      refuseDefects(e, name);
      return;
    }
    Txn txn = simulation.history().begin(name + "." + ++count, number, tx.snapshot().knownAt());
    simulation.trace(txn, " begins at ", txn.snapshot);
    if (txn.snapshot < lastStamp) {
      throw new Violation(
          Invariant.OWN_WRITES,
          txn.name,
          txn + " begins at " + txn.snapshot + ", below what its session has seen, " + lastStamp);
    }
    current = txn;
    try (tx) {
      workload.work(tx, txn);
      commit(tx, txn);
    } catch (GraphMetaException e) {
      refuseDefects(e, txn.name);
      simulation.trace(txn, " gives up: ", e.code());
    } finally {
      current = null;
      if (txn.status == Txn.Status.RUNNING) {
        txn.status = txn.attempts.isEmpty() ? Txn.Status.REFUSED : Txn.Status.UNKNOWN;
      }
    }
  }

  private void commit(GraphTransaction tx, Txn txn) {
    if (!tx.hasWrites()) {
      txn.status = Txn.Status.READ_ONLY;
      return;
    }
    simulation.history().commits(txn);
    try {
      long stamp = tx.commit();
      simulation.trace(txn, " is committed at ", stamp);
      simulation.history().acknowledged(txn, stamp);
      if (stamp <= txn.snapshot) {
        throw new Violation(
            Invariant.STAMPS_GROW, txn.name, txn + " is stamped " + stamp + ", at its snapshot");
      }
      requireTrueTime(txn, stamp);
      lastStamp = stamp;
    } catch (GraphMetaException e) {
      refuseDefects(e, txn.name);
      boolean unknown = UNKNOWN_OUTCOME.contains(e.code()) && !txn.attempts.isEmpty();
      txn.status = unknown ? Txn.Status.UNKNOWN : Txn.Status.REFUSED;
      simulation.trace(txn, unknown ? " is unknown: " : " is refused: ", e.getMessage());
    }
  }

  /** Where clocks are seldom wrong, and never run ahead of the time by much. */
  private void requireTrueTime(Txn txn, long stamp) {
    long ahead = SimulatedClock.aheadMicros(stamp, simulation.scheduler().now());
    if (simulation.isReplicated() && ahead > simulation.options().maxOffsetMicros()) {
      throw new Violation(
          Invariant.TRUE_TIMES, txn.name, txn + " is stamped " + ahead + " us ahead of the time");
    }
  }

  static void refuseDefects(GraphMetaException e, String about) {
    if (DEFECTS.contains(e.code()) && !PortFaults.isPlanted(e)) {
      Violation violation =
          new Violation(Invariant.NO_DEFECT, about, about + ": " + e.getMessage());
      violation.initCause(e);
      throw violation;
    }
  }

  /**
   * Notes what is sent for the transaction under way. A client that is killed sends nothing more,
   * whatever its code does at its end.
   */
  private final class Observed implements Transport {
    private final Transport to;

    Observed(Transport to) {
      this.to = to;
    }

    @Override
    public CompletableFuture<Response> send(int shard, Call call) {
      if (simulation.scheduler().isDying()) {
        return new CompletableFuture<>();
      }
      Txn sender = current;
      if (sender == null) {
        return to.send(shard, call);
      }
      simulation.history().sent(sender, shard, call.request());
      return to.send(shard, call)
          .whenComplete(
              (answer, failure) -> {
                if (failure instanceof GraphMetaException e
                    && e.code() == ErrorCode.MISPLACED
                    && call.request() instanceof Request.Commit commit) {
                  simulation.history().misplaced(sender, commit);
                }
              });
    }

    @Override
    public Response await(CompletableFuture<Response> future) {
      return to.await(future);
    }

    @Override
    public Response awaitOutcome(CompletableFuture<Response> future) {
      return to.awaitOutcome(future);
    }

    @Override
    public void pause(long micros) {
      to.pause(micros);
    }

    @Override
    public long settledNearby(long wanted) {
      return to.settledNearby(wanted);
    }

    @Override
    public @Nullable Transport nearby(long snapshot) {
      Transport nearby = to.nearby(snapshot);
      return nearby == null ? null : new Observed(nearby);
    }
  }
}
