package io.graphmeta.simulation;

import static io.graphmeta.simulation.Violation.Invariant.ALL_OR_NOTHING;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_INDEXES;
import static io.graphmeta.simulation.Violation.Invariant.CONSISTENT_ROWS;
import static io.graphmeta.simulation.Violation.Invariant.GRAPH_RULES;
import static io.graphmeta.simulation.Violation.Invariant.NOTHING_LOST;
import static io.graphmeta.simulation.Violation.Invariant.NO_DEFECT;
import static io.graphmeta.simulation.Violation.Invariant.NO_HALF_EDGE;
import static io.graphmeta.simulation.Violation.Invariant.NO_STALE_BEGIN;
import static io.graphmeta.simulation.Violation.Invariant.ONE_LEADER_PER_TERM_PROMISES;
import static io.graphmeta.simulation.Violation.Invariant.OWN_WRITES;
import static io.graphmeta.simulation.Violation.Invariant.PAST_NEVER_CHANGES;
import static io.graphmeta.simulation.Violation.Invariant.REFUSED_STAYS_AWAY;
import static io.graphmeta.simulation.Violation.Invariant.REPLICAS_AGREE;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_ISOLATION;
import static io.graphmeta.simulation.Violation.Invariant.SNAPSHOT_READS;
import static io.graphmeta.simulation.Violation.Invariant.STAMPS_GROW;
import static io.graphmeta.simulation.Violation.Invariant.TRUE_TIMES;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.RequestHandler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What can be done wrong where a shard has replicas, its leaders change, and replicas move. */
final class ReplicaBugs {
  private static final byte[] BOUND_KEY = "stamp-bound".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TOKENS_KEY = "tokens".getBytes(StandardCharsets.US_ASCII);
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  /** What shows in rows, or in what is read of them. */
  private static final Set<Invariant> SEEN =
      EnumSet.of(
          SNAPSHOT_READS,
          PAST_NEVER_CHANGES,
          NOTHING_LOST,
          ALL_OR_NOTHING,
          NO_HALF_EDGE,
          OWN_WRITES,
          SNAPSHOT_ISOLATION,
          GRAPH_RULES,
          STAMPS_GROW,
          REFUSED_STAYS_AWAY,
          CONSISTENT_ROWS,
          CONSISTENT_INDEXES,
          ONE_LEADER_PER_TERM_PROMISES,
          NO_STALE_BEGIN,
          NO_DEFECT);

  private ReplicaBugs() {}

  static List<PlantedBug> all() {
    return Stream.of(proofs(), members(), promises(), leaders(), stores())
        .flatMap(List::stream)
        .toList();
  }

  private static PlantedBug bug(String name, Supplier<Sabotage> sabotage, Set<Invariant> by) {
    return new PlantedBug(name, sabotage, by);
  }

  private static PlantedBug log(String name, UnaryOperator<ReplicationLog> log, Set<Invariant> by) {
    return bug(
        name,
        () ->
            new WithFormerLeaders() {
              @Override
              ReplicationLog log(int shard, ReplicationLog to) {
                return log.apply(to);
              }
            },
        by);
  }

  /** A world in which shards have replicas that move; without a defect. */
  static class InReplicas extends Sabotage {
    @Override
    boolean isReplicated(boolean drawn) {
      return true;
    }

    @Override
    boolean isIndexed(boolean drawn) {
      return drawn;
    }

    @Override
    boolean readsNearby(boolean drawn) {
      return drawn && getClass() == InReplicas.class;
    }
  }

  /** As that, where clients read the past at any replicas, which hear of some rows alone. */
  private static final class WithDeafFollowers extends InReplicas {
    private final Predicate<Family> heard;

    WithDeafFollowers(Predicate<Family> heard) {
      this.heard = heard;
    }

    @Override
    boolean readsNearby(boolean drawn) {
      return true;
    }

    @Override
    RowBatch toldFollowers(RowBatch entry) {
      RowBatch told = new RowBatch(entry.sizeBytes());
      entry.forEach(
          (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
            byte[] key = Arrays.copyOfRange(rows, keyAt, keyAt + keyLength);
            if (heard.test(family) && valueLength != RowBatch.DELETED) {
              told.put(family, key, key.length, rows, valueAt, valueLength);
            } else if (heard.test(family)) {
              told.delete(family, key);
            }
          });
      return told;
    }
  }

  /** As that, where leaders are cut off and go on answering for long. */
  static class WithFormerLeaders extends InReplicas {
    @Override
    boolean keepsFormerLeaders() {
      return true;
    }
  }

  /** As that, where replicas move all the time, and moves are cut off in their midst. */
  static class WithMoves extends WithFormerLeaders {
    @Override
    boolean movesReplicas() {
      return true;
    }
  }

  /** A world in which most requests outlast a change of leaders. */
  static class WithPatience extends InReplicas {
    @Override
    boolean waitsForLeaders() {
      return true;
    }

    @Override
    Options world(Options drawn) {
      return drawn.withBusyClients();
    }
  }

  // Who leads

  private static List<PlantedBug> proofs() {
    return List.of(
        log("a begin that nobody confirms", Unconfirmed::new, EnumSet.of(NO_STALE_BEGIN)),
        bug(
            "names that a former leader tells",
            () -> new Unproven(Request.ReadSchema.class),
            EnumSet.of(NO_STALE_BEGIN, NO_DEFECT, SNAPSHOT_READS)),
        bug(
            "rows of all times that a former leader tells",
            () -> new Unproven(Request.Incarnations.class),
            EnumSet.of(NO_STALE_BEGIN)),
        bug(
            "splits that a former leader tells",
            () -> new Unproven(Request.ReadSplits.class),
            EnumSet.of(NO_STALE_BEGIN)),
        log("entries that are told to be done when they are ordered", DoneEarly::new, SEEN),
        bug("a shard that goes on answering when its term is over", ServingOn::new, SEEN));
  }

  private static List<PlantedBug> members() {
    return List.of(
        bug(
            "a begin that is confirmed by the members that are to be, while they change",
            () ->
                new WithMoves() {
                  @Override
                  Members confirming(Members ofGroup, List<Integer> placement) {
                    return Members.of(ofGroup.now());
                  }
                },
            EnumSet.of(NO_STALE_BEGIN)),
        bug(
            "a begin that is confirmed by the nodes of a placement of before",
            () ->
                new WithMoves() {
                  @Override
                  Members confirming(Members ofGroup, List<Integer> placement) {
                    return Members.of(new TreeSet<>(placement));
                  }
                },
            EnumSet.of(NO_STALE_BEGIN)));
  }

  private static final class Unconfirmed extends PassingLog {
    Unconfirmed(ReplicationLog log) {
      super(log);
    }

    @Override
    public CompletableFuture<Void> confirm() {
      return DONE;
    }
  }

  /** One kind of requests is answered without a proof that who answers leads. */
  private static final class Unproven extends WithFormerLeaders {
    private final Class<? extends Request> kind;
    private boolean isUnproven;

    Unproven(Class<? extends Request> kind) {
      this.kind = kind;
    }

    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      return call -> {
        isUnproven = kind.isInstance(call.request());
        try {
          return shard.handle(call);
        } finally {
          isUnproven = false;
        }
      };
    }

    @Override
    ReplicationLog log(int shard, ReplicationLog log) {
      return new PassingLog(log) {
        @Override
        public CompletableFuture<Void> confirm() {
          return isUnproven ? DONE : super.confirm();
        }
      };
    }
  }

  private static final class ServingOn extends WithFormerLeaders {
    @Override
    boolean servesOn() {
      return true;
    }
  }

  // What was promised

  private static List<PlantedBug> promises() {
    return List.of(
        bug(
            "a new leader that is read at snapshots which it has not resolved",
            () ->
                new InReplicas() {
                  @Override
                  RequestHandler handler(int number, RequestHandler shard) {
                    return call ->
                        call.request() instanceof Request.OfView
                            ? ((Shard) shard).handleSettled(call)
                            : shard.handle(call);
                  }
                },
            SEEN),
        bug(
            "a new leader whose clock is behind the stamps that were handed out",
            () ->
                new InReplicas() {
                  @Override
                  boolean waitsForClocks() {
                    return false;
                  }
                },
            EnumSet.of(TRUE_TIMES)),
        bug(
            "stamps that are promised before the bound above them is agreed on",
            Promising::new,
            EnumSet.of(ONE_LEADER_PER_TERM_PROMISES, SNAPSHOT_READS, PAST_NEVER_CHANGES)));
  }

  private static boolean isBound(RowBatch entry) {
    boolean[] isBound = {entry.count() == 1};
    entry.forEach(
        (family, buffer, keyAt, keyLength, valueAt, valueLength) ->
            isBound[0] &=
                family == Family.META
                    && Arrays.equals(
                        BOUND_KEY, Arrays.copyOfRange(buffer, keyAt, keyAt + keyLength)));
    return isBound[0];
  }

  /**
   * An entry that only raises the bound counts as agreed on at once, and another leader is near.
   */
  private static final class Promising extends InReplicas {
    @Override
    ReplicationLog log(int shard, ReplicationLog to) {
      return new PassingLog(to) {
        @Override
        public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
          boolean isBound = isBound(entry);
          CompletableFuture<Void> done = super.append(entry, durability);
          return isBound ? DONE : done;
        }
      };
    }

    @Override
    boolean isDisturbed(RowBatch entry) {
      return isBound(entry);
    }
  }

  // What new leaders know

  private static List<PlantedBug> leaders() {
    return List.of(
        bug("a new leader that knows of no conflict before its time", Conflictless::new, SEEN),
        bug("tokens of commits that are not all in the log", Tokenless::new, SEEN),
        bug("a traversal that goes on at another leader", Continued::new, SEEN));
  }

  /** As if the window of conflicts of a new leader began at 0: it knows of none before. */
  private static final class Conflictless extends WithPatience {
    private final Map<Integer, StorageEngine> stores = new HashMap<>();

    @Override
    StorageEngine storage(int shard, StorageEngine storage) {
      stores.put(shard, storage);
      return storage;
    }

    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      StorageEngine store = stores.get(number);
      byte[] stored = store == null ? null : store.get(Family.META, BOUND_KEY);
      long floor = stored == null ? 0 : BigEndian.getLong(stored, 0);
      return call ->
          shard.handle(
              PlantedBug.rewritten(
                  PlantedBug.rewritten(
                      call,
                      Request.Commit.class,
                      commit ->
                          new Request.Commit(
                              commit.rows(),
                              commit.token(),
                              Math.max(floor, commit.snapshot()),
                              commit.seen(),
                              commit.checks(),
                              commit.marks())),
                  Request.Prepare.class,
                  prepare ->
                      new Request.Prepare(
                          prepare.id(),
                          prepare.participants(),
                          prepare.rows(),
                          Math.max(floor, prepare.snapshot()),
                          prepare.checks(),
                          prepare.marks(),
                          prepare.replaces())));
    }
  }

  /**
   * Every other row of tokens is left out. One that has none at all is known to tell nothing, so
   * that no harm is done.
   */
  private static final class Tokenless extends WithPatience {
    private final Sabotage puts =
        PlantedBug.puts(
            (family, key, value) ->
                family == Family.META && isToken(key) && key[key.length - 1] % 2 != 0
                    ? null
                    : value);

    private static boolean isToken(byte[] key) {
      return key.length > TOKENS_KEY.length
          && Arrays.equals(TOKENS_KEY, Arrays.copyOf(key, TOKENS_KEY.length));
    }

    @Override
    ReplicationLog log(int shard, ReplicationLog log) {
      return puts.log(shard, log);
    }
  }

  private static final class DoneEarly extends PassingLog {
    DoneEarly(ReplicationLog log) {
      super(log);
    }

    @Override
    public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      super.append(entry, durability);
      return DONE;
    }
  }

  /** A traversal that a leader does not know is begun there, as it was with the one before. */
  private static final class Continued extends WithPatience {
    private final Map<Integer, Map<TraversalId, Request.StartTraversal>> begun = new HashMap<>();

    @Override
    RequestHandler handler(int number, RequestHandler shard) {
      Map<TraversalId, Request.StartTraversal> all =
          begun.computeIfAbsent(number, n -> new HashMap<>());
      Set<TraversalId> here = new HashSet<>();
      return call -> {
        if (call.request() instanceof Request.StartTraversal start) {
          all.put(start.id(), start);
          here.add(start.id());
        }
        TraversalId goesOn = of(call.request());
        Request.StartTraversal start = goesOn == null ? null : all.get(goesOn);
        if (start != null && here.add(goesOn)) {
          CompletableFuture<Response> again =
              shard.handle(new Call(call.epoch(), call.timeoutMillis(), start));
          return again.thenCompose(answer -> shard.handle(call));
        }
        return shard.handle(call);
      };
    }

    private static TraversalId of(Request request) {
      if (request instanceof Request.RunLevel run) {
        return run.id();
      } else if (request instanceof Request.Deliver deliver) {
        return deliver.id();
      } else if (request instanceof Request.FetchResults fetch) {
        return fetch.id();
      }
      return request instanceof Request.FollowTraversal follow ? follow.id() : null;
    }
  }

  // Stores

  private static List<PlantedBug> stores() {
    Set<Invariant> disagreement = EnumSet.copyOf(SEEN);
    disagreement.add(REPLICAS_AGREE);
    return List.of(
        bug(
            "a store in which the place of an entry is written apart from its rows",
            () ->
                new InReplicas() {
                  @Override
                  boolean writesPlacesApart() {
                    return true;
                  }
                },
            disagreement),
        bug(
            "a replica that follows with a cache that hears of no rows",
            () -> new WithDeafFollowers(family -> family == Family.META),
            SEEN),
        bug(
            "a replica that follows and does not hear of splits",
            () -> new WithDeafFollowers(family -> family != Family.SPLITS),
            SEEN),
        bug(
            "a copy that is put under a replica that leads",
            () ->
                new InReplicas() {
                  @Override
                  boolean copiesUnderLeaders() {
                    return true;
                  }
                },
            disagreement),
        bug(
            "a copy that counts as having what was applied before it was whole",
            () ->
                new InReplicas() {
                  @Override
                  boolean tellsCopiesEarly() {
                    return true;
                  }
                },
            disagreement));
  }
}
