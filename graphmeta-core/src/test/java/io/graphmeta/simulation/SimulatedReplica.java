package io.graphmeta.simulation;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.FollowedLog;
import io.graphmeta.node.FollowingShard;
import io.graphmeta.node.TermAnswers;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a shard on a node, as nodes have it: a store that follows what the group agrees on,
 * and, while it leads, a shard over the store and a log of the term. What the group agrees on is
 * the affair of its {@link GroupMember}. The store has no log of its own: each entry lies in it
 * together with the place of that entry, and a process that dies loses the last ones.
 */
final class SimulatedReplica implements GroupMember.Machine, TermLog.Group {
  private static final byte[] PLACE_KEY = "replicated".getBytes(StandardCharsets.US_ASCII);
  private static final long MAX_CLOCK_WAIT_MICROS = 2_000_000;
  private static final long MAX_DROP_MICROS = 3_000;
  private static final long MAX_SERVES_ON_MICROS = 1_500_000;
  private static final long FOLLOWING_TICK_MICROS = 50_000;

  private final ReplicatedShard shard;
  private final SimulatedHost host;
  private final Simulation simulation;
  private final SplittableRandom random;
  private final GroupMember member;
  private SimulatedDisk store = new SimulatedDisk(false, false);

  /** The index of the last entry that is in the store. */
  private long stored;

  /** The same, or behind it: entries that change no row leave no trace in the store. */
  private long applied;

  private boolean applying;
  private boolean copying;
  private boolean resigning;
  private @Nullable TermLog proposed;
  private @Nullable SimulatedProcess led;
  private FollowedLog followed;
  private @Nullable FollowingShard following;

  SimulatedReplica(
      ReplicatedShard shard,
      SimulatedHost host,
      Simulation simulation,
      Members members,
      SplittableRandom random) {
    this.shard = shard;
    this.host = host;
    this.simulation = simulation;
    this.random = random;
    this.member = new GroupMember(shard, host, simulation, members, this, random.split());
    this.followed = new FollowedLog(shard.number());
  }

  SimulatedHost host() {
    return host;
  }

  GroupMember member() {
    return member;
  }

  /** The index of the last entry that was applied. */
  long applied() {
    return applied;
  }

  /** The process that answers; null if it does not lead. */
  @Nullable SimulatedProcess led() {
    return led;
  }

  /** Whether it leads, and its shard answers. */
  boolean answers() {
    return led != null && proposed != null && !resigning;
  }

  @Override
  public String toString() {
    return "s" + shard.number() + "@" + host;
  }

  // Requests

  CompletableFuture<Response> handle(Call call) {
    if (call.request() instanceof Request.FollowerRead read) {
      return readFollowing(new Call(call.epoch(), call.timeoutMillis(), read.read()));
    }
    if (call.request() instanceof Request.FollowerTraversal) {
      return readFollowing(call);
    }
    SimulatedProcess process = led;
    if (process == null || resigning) {
      return CompletableFuture.failedFuture(TermAnswers.notLed(shard.number()));
    }
    if (!member.leads() || shard.leading() != process) {
      simulation.askedBefore();
    }
    if (!tellsNewest(call.request())) {
      return process.handle(call);
    }
    long toldBefore = shard.agreed().told();
    return process
        .handle(call)
        .thenApply(
            answer -> {
              requireAllTold(call.request(), toldBefore);
              if (answer instanceof Response.Stamped snapshot) {
                shard.agreed().promised(snapshot.stamp());
              }
              return answer;
            });
  }

  /** Answers whether it leads or not. */
  private CompletableFuture<Response> readFollowing(Call call) {
    SimulatedProcess process = led;
    if (process != null) {
      return resigning
          ? CompletableFuture.failedFuture(TermAnswers.notLed(shard.number()))
          : process.handle(call);
    }
    FollowingShard there = following;
    if (there == null) {
      there = follow();
    }
    return there
        .handle(call)
        .thenApply(
            answer -> {
              simulation.answeredNearby();
              return answer;
            });
  }

  private FollowingShard follow() {
    FollowingShard begun =
        FollowingShard.over(
            shard.number(),
            new SimulatedStore(store),
            followed,
            host.clock(),
            new ShardTime(
                simulation.scheduler(), random.split(), simulation.options().processes().pauses()),
            simulation.options().shardSettings(simulation.map(), simulation.requestMillis()));
    following = begun;
    begun.join(
        new ProcessTransport(
            simulation.transport(host.number(), toString()),
            () -> following == begun,
            Runnable::run));
    tick(begun);
    return begun;
  }

  private void tick(FollowingShard begun) {
    simulation
        .scheduler()
        .after(
            FOLLOWING_TICK_MICROS,
            () -> {
              if (following == begun) {
                begun.tick();
                tick(begun);
              }
            });
  }

  private void endFollowing() {
    FollowingShard there = following;
    following = null;
    if (there != null) {
      there.end();
    }
  }

  /** The stamp up to which its store tells all. */
  long settled() {
    return Shard.settledStamp(new SimulatedStore(store), false);
  }

  /** Whether an answer tells the newest of a shard, and not of a snapshot that it has given. */
  private static boolean tellsNewest(Request request) {
    return request instanceof Request.Snapshot
        || request instanceof Request.ReadSchema
        || request instanceof Request.ReadSplits
        || request instanceof Request.Incarnations
        || request instanceof Request.ProbeRows
        || request instanceof Request.ScanRows;
  }

  /** All that anybody was told before it was asked has to be there. */
  private void requireAllTold(Request request, long toldBefore) {
    if (applied() < toldBefore) {
      simulation
          .scheduler()
          .fail(
              new Violation(
                  Invariant.NO_STALE_BEGIN,
                  toString(),
                  this
                      + " answers "
                      + request.getClass().getSimpleName()
                      + " with "
                      + applied()
                      + " entries, and who asks may know of "
                      + toldBefore));
    }
  }

  // The life of the process of the node

  /** Its node begins: what the store has is what is left. */
  void start() {
    stored = placeIn(store);
    applied = stored;
    applying = false;
    copying = false;
    resigning = false;
    followed = new FollowedLog(shard.number());
    member.start(stored);
    syncSometimes(host.incarnation());
  }

  /** Its node dies: the store loses the last entries that are not on disk. */
  void die() {
    int lost = store.losePower(random);
    end("The node died");
    stored = placeIn(store);
    applied = stored;
    simulation.trace(this, " dies, and loses ", lost, " entries of its store");
  }

  /** Its node ends as it should. */
  void stop() {
    store.sync(store.entries());
    end("The node stops");
    store.processEnds();
  }

  private void end(String why) {
    endFollowing();
    TermLog log = proposed;
    proposed = null;
    SimulatedProcess process = led;
    led = null;
    if (process != null) {
      process.end();
    }
    member.end();
    if (log != null) {
      log.end(new GraphMetaException(ErrorCode.CLOSED, why));
    }
  }

  /** From time to time the store is brought to disk, and the log cut behind it. */
  private void syncSometimes(int life) {
    simulation
        .scheduler()
        .after(
            1 + random.nextLong(4 * simulation.options().backgroundSyncMicros()),
            () -> {
              if (host.isUp() && host.incarnation() == life && shard.holds(this)) {
                store.sync(store.entries());
                if (random.nextInt(3) == 0) {
                  member.cut(placeIn(store));
                }
                syncSometimes(life);
              }
            });
  }

  // What the group agrees on

  private static long placeIn(SimulatedDisk store) {
    byte[] row = store.table(Family.META).get(PLACE_KEY);
    return row == null ? 0 : BigEndian.getLong(row, 8);
  }

  private static long termIn(SimulatedDisk store) {
    byte[] row = store.table(Family.META).get(PLACE_KEY);
    return row == null ? 0 : BigEndian.getLong(row, 0);
  }

  /** The rows of an entry with the place of it. */
  static RowBatch placed(RowBatch rows, GroupEntry entry) {
    byte[] copied = new byte[rows.sizeBytes()];
    rows.copyTo(copied, 0);
    RowBatch placed = new RowBatch(copied.length + 64);
    placed.putCopied(copied, 0, copied.length);
    placed.put(Family.META, PLACE_KEY, place(entry));
    return placed;
  }

  private static byte[] place(GroupEntry entry) {
    byte[] place = new byte[16];
    BigEndian.putLong(place, 0, entry.term());
    BigEndian.putLong(place, 8, entry.index());
    return place;
  }

  @Override
  public void agreed() {
    if (!applying && applied() < member.committed()) {
      applying = true;
      int life = host.incarnation();
      long most = Math.max(1, simulation.options().applyMicros());
      long micros =
          1
              + random.nextLong(
                  random.nextInt(200) == 0 && !simulation.isDraining() ? 40 * most : most);
      simulation
          .scheduler()
          .after(
              micros,
              () -> {
                if (host.isUp() && host.incarnation() == life && shard.holds(this)) {
                  applying = false;
                  applyNext();
                  agreed();
                }
              });
    }
  }

  private void applyNext() {
    GroupEntry entry = member.log().get(applied() + 1);
    if (entry == null || entry.index() > member.committed()) {
      return; // the store was copied meanwhile
    }
    shard.agreed().requireAgreed(entry);
    RowBatch rows = entry.rows();
    if (rows != null) {
      apply(entry, rows);
    }
    applied = entry.index();
    if (member.leads() && proposed == null && !resigning && applied() >= member.firstOfTerm()) {
      begin();
    }
  }

  private void apply(GroupEntry entry, RowBatch rows) {
    TermLog log = proposed;
    if (log != null && log.number() != entry.log()) {
      leadsNoMore(); // what another log has proposed is agreed on, so that this one has ended
      log = null;
    }
    Sabotage sabotage = simulation.sabotage();
    RowBatch told = log == null ? sabotage.toldFollowers(rows) : null;
    if (told != null) {
      followed.ordered(told);
    }
    if (sabotage.writesPlacesApart()) {
      RowBatch place = new RowBatch(64);
      place.put(Family.META, PLACE_KEY, place(entry));
      store.write(place);
      store.write(rows);
    } else {
      store.write(placed(rows, entry));
    }
    stored = entry.index();
    if (told != null) {
      followed.applied(told);
    }
    if (log != null) {
      boolean had = !log.hasEnded();
      log.applied(entry.position(), rows);
      if (had && log == proposed) {
        shard.agreed().told(entry.index());
      }
    }
  }

  // Copies

  @Override
  public void isBehind(SimulatedReplica leader) {
    if (copying) {
      return;
    }
    copying = true;
    int life = host.incarnation();
    simulation.trace(this, " is behind the log, and copies ", leader);
    shard
        .messages()
        .carry(
            leader.host,
            host,
            () -> {
              SimulatedDisk copy = leader.store.copy();
              Members members = leader.member.log().membersAt(placeIn(copy));
              simulation
                  .scheduler()
                  .after(
                      1 + random.nextLong(random.nextInt(4) == 0 ? 600_000 : 60_000),
                      () -> {
                        if (host.isUp() && host.incarnation() == life && shard.holds(this)) {
                          copying = false;
                          replace(copy, members, leader.applied());
                        }
                      });
            });
    simulation.scheduler().after(1_000_000, () -> copying &= host.incarnation() != life);
  }

  /** Puts a copy in the place of the store, unless it leads by now, or has come further. */
  private void replace(SimulatedDisk copy, Members members, long claimed) {
    Sabotage sabotage = simulation.sabotage();
    if (proposed != null && !sabotage.copiesUnderLeaders()) {
      return;
    }
    long place = placeIn(copy);
    if (place < stored && !sabotage.copiesUnderLeaders()) {
      simulation.trace(this, " has come further than the copy");
      return;
    }
    endFollowing();
    store = copy;
    stored = place;
    applied = Math.max(place, sabotage.tellsCopiesEarly() ? claimed : place);
    member.goOnBehind(place, termIn(copy), members);
    simulation.trace(this, " goes on over a copy at ", place);
  }

  // Terms

  /** It leads, and all before is applied. */
  private void begin() {
    TermLog begun = new TermLog(shard.nextLog(), this);
    proposed = begun;
    simulation.trace(this, " leads term ", member.term(), " behind entry ", applied());
    simulation.leaderChanged();
    simulation.scheduler().after(random.nextLong(MAX_DROP_MICROS), () -> lead(begun));
  }

  private void lead(TermLog begun) {
    if (proposed != begun) {
      return; // the term is over
    }
    SimulatedProcess.Ports ports =
        new SimulatedProcess.Ports(simulation, shard.number(), random.split(), store, host.clock());
    long ahead =
        simulation.sabotage().waitsForClocks() ? Shard.aheadMicros(ports.storage, ports.clock) : 0;
    if (ahead > MAX_CLOCK_WAIT_MICROS) {
      simulation.trace(this, " cannot lead, since its clock is behind");
      member.letAnother();
    } else if (ahead > 0) {
      simulation.scheduler().after(ahead, () -> lead(begun));
    } else {
      open(ports, begun);
    }
  }

  private void open(SimulatedProcess.Ports ports, TermLog begun) {
    endFollowing();
    Indexing indexing = simulation.indexing();
    Sabotage sabotage = simulation.sabotage();
    SimulatedProcess before = led;
    if (before != null) {
      before.end();
    }
    led =
        new SimulatedProcess(
            simulation,
            shard.number(),
            ports,
            sabotage.log(shard.number(), begun),
            simulation.transport(host.number(), toString()),
            indexing == null ? null : indexing.of(shard.number(), host.number()),
            handler ->
                sabotage.servesOn() ? handler : new TermAnswers(shard.number(), begun, handler));
    simulation.trace(this, " answers");
  }

  @Override
  public void leadsNoMore() {
    TermLog ended = proposed;
    if (ended == null) {
      return;
    }
    proposed = null;
    SimulatedProcess process = led;
    simulation.trace(this, " leads no more");
    ended.end(new GraphMetaException(ErrorCode.NOT_LEADER, "Another replica leads, or will"));
    long most = simulation.sabotage().servesOn() ? MAX_SERVES_ON_MICROS : MAX_DROP_MICROS;
    simulation
        .scheduler()
        .after(
            random.nextLong(most),
            () -> {
              if (process != null) {
                process.end();
                led = led == process ? null : led;
              }
            });
  }

  /**
   * Lets another lead: answers nothing more, writes its last entry, and waits until it is there.
   */
  void resignFor(SimulatedReplica other) {
    SimulatedProcess process = led;
    TermLog log = proposed;
    if (process == null || log == null || resigning || log.hasEnded()) {
      return;
    }
    simulation.trace(this, " resigns for ", other);
    resigning = true;
    try {
      process.run(process::close);
    } catch (GraphMetaException e) {
      simulation.trace(this, " could not be closed: ", e.getMessage());
    } catch (RuntimeException | Error e) {
      if (!PortFaults.isPlanted(e)) {
        throw e;
      }
    }
    log.close();
    int life = host.incarnation();
    log.applied()
        .whenComplete(
            (done, failure) ->
                simulation
                    .scheduler()
                    .after(
                        1,
                        () -> {
                          if (host.incarnation() == life) {
                            resigning = false;
                            process.end();
                            led = led == process ? null : led;
                            if (member.leads()) {
                              member.handOver(other.member);
                            }
                          }
                        }));
  }

  // What the log of a term needs

  @Override
  public boolean propose(long log, long position, RowBatch rows) {
    TermLog own = proposed;
    if (own == null || own.number() != log) {
      return false;
    }
    if (!simulation.isDraining() && simulation.sabotage().isDisturbed(rows)) {
      shard.disturb();
    }
    return member.propose(log, position, rows);
  }

  @Override
  public CompletableFuture<Void> confirm() {
    return member.confirmLeads();
  }

  @Override
  public void ended(TermLog log) {
    if (proposed == log && !resigning) {
      member.letAnother();
    }
  }

  /** Fails if the store is not what the group has agreed on. */
  void requireAgreement() {
    if (stored == placeIn(shard.agreed().disk())) {
      shard.agreed().requireSame(store, toString());
    }
  }

  /** Whether a row is in its store. */
  boolean has(Family family, byte[] key) {
    return store.table(family).containsKey(key);
  }
}
