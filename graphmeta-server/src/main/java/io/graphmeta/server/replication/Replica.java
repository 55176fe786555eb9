package io.graphmeta.server.replication;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of a shard: a store that follows what its group agrees on, and that may come to lead the
 * group. Safe for use by many threads.
 */
public final class Replica {
  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  private static final long MANAGEMENT_MILLIS = 60_000;
  private static final int EMPTY_BYTES = 64;

  /** Longest time until the engine is told whether a copy is there. */
  private static final long COPY_TOLD_MILLIS = 20_000;

  private final int shard;
  private final int generation;
  private final RaftGroupId group;
  private final Leadership leadership;
  private final ReplicaSettings settings;
  private final ReplicaMachine machine;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final String self;
  private final MemberTerms others;
  private final Confirmations confirmations = new Confirmations(this::confirmLeads);
  private final AtomicBoolean bringingToDisk = new AtomicBoolean();
  private final AtomicBoolean copying = new AtomicBoolean();

  /** Tells of leadership. */
  private final ExecutorService told;

  /** Tells those who wait for a log that has ended; the other thread may wait for them. */
  private final ExecutorService telling;

  /** Brings stores to disk, one after the other. */
  private final Executor disk;

  /** Copies the stores of others, one after the other. */
  private final Executor copies;

  private volatile @Nullable RaftServer server;
  private volatile @Nullable ProposedLog log;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean resigning;

  /**
   * A replica, which follows nothing before it is {@linkplain #joined joined}.
   *
   * @param shard number of the shard
   * @param generation of its group
   * @param disk takes no more when the server is about to close, as does that of copies
   * @param others the way to the other members
   */
  Replica(
      int shard,
      int generation,
      RaftGroupId group,
      StorageEngine store,
      Leadership leadership,
      Executor disk,
      Executor copies,
      MemberTerms others,
      ReplicaSettings settings) {
    this.disk = disk;
    this.copies = copies;
    this.others = others;
    this.self = settings.self().name();
    this.shard = shard;
    this.generation = generation;
    this.group = group;
    this.leadership = leadership;
    this.settings = settings;
    this.machine = new ReplicaMachine(store, generation, new OwnLife(), leadership.followed());
    this.told = Threads.one("graphmeta-replica-" + shard);
    this.telling = Threads.one("graphmeta-replica-ends-" + shard);
  }

  /** What the engine tells; it goes on in the thread of this replica. */
  private final class OwnLife implements ReplicaMachine.Life {
    @Override
    public void leads() {
      ProposedLog begun = new ProposedLog(RandomGenerator.getDefault().nextLong(), new OwnGroup());
      log = begun;
      machine.follow(begun);
      tell(() -> lead(begun));
    }

    @Override
    public void leadsNoMore() {
      ProposedLog ended = log;
      if (ended != null) {
        log = null;
        machine.follow(null);
        ended.end(
            new GraphMetaException(
                ErrorCode.NOT_LEADER, "Another replica of shard " + shard + " leads, or will"));
        tell(leadership::leadsNoMore);
      }
    }

    @Override
    public void hasApplied(long bytesNotOnDisk, long entriesNotOnDisk) {
      if (settings.isToDisk(bytesNotOnDisk, entriesNotOnDisk)
          && bringingToDisk.compareAndSet(false, true)) {
        disk.execute(Replica.this::bringToDisk);
      }
    }

    @Override
    public CompletableFuture<Void> isBehind() {
      CompletableFuture<Void> replaced = new CompletableFuture<>();
      if (copying.compareAndSet(false, true)) {
        copies.execute(() -> copy(replaced));
      }
      // Who waits for longer could not be told that another replica leads meanwhile.
      return replaced.orTimeout(COPY_TOLD_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void failed(Throwable cause) {
      boolean isFirst = failure.compareAndSet(null, cause);
      leadsNoMore();
      if (!isFirst) {
        return; // all that comes behind the first failure fails, too
      }
      LOG.error(
          "The replica of shard {} has stopped, since its log or store cannot be written; look after"
              + " the disk and start the node again",
          shard,
          cause);
      Threads.start("graphmeta-replica-fails-" + shard, Replica.this::leaveGroup);
    }
  }

  /** The group, as a log of this replica uses it. */
  private final class OwnGroup implements ProposedLog.Group {
    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
      return Replica.this.propose(entry);
    }

    @Override
    public CompletableFuture<Void> confirm() {
      return confirmations.ask();
    }

    @Override
    public void later(Runnable work) {
      try {
        telling.execute(work);
      } catch (RejectedExecutionException e) {
        work.run(); // it is closed, and so is the engine
      }
    }

    @Override
    public void ended(ProposedLog ended) {
      tell(
          () -> {
            if (log == ended && !resigning) {
              stepDown();
            }
          });
    }
  }

  /**
   * Ends what the engine does for this replica. A leader whose log has failed would go on to tell
   * the others that it leads, and none of them would stand; the engine does not see to it.
   */
  private void leaveGroup() {
    try {
      division().close();
    } catch (RuntimeException e) {
      LOG.warn("The replica of shard {} has not ended well", shard, e);
    }
  }

  private void copy(CompletableFuture<Void> replaced) {
    LOG.info("The replica of shard {} is too far behind, and copies the store of another", shard);
    try {
      machine.replace(leadership.copyOfLeader());
      LOG.info("The replica of shard {} goes on over a copy", shard);
      replaced.complete(null);
    } catch (RuntimeException e) {
      LOG.warn(
          "The replica of shard {} could not copy a store, and tries again: {}",
          shard,
          e.getMessage());
      replaced.completeExceptionally(e);
    } finally {
      copying.set(false);
    }
  }

  private void lead(ProposedLog begun) {
    if (log != begun) {
      return; // the term is over
    }
    try {
      leadership.leads(begun);
    } catch (RuntimeException | Error e) {
      LOG.error("This node cannot lead shard {}, and lets another one: {}", shard, e.toString(), e);
      stepDown();
    }
  }

  /** Lets the group elect another leader; this replica does not stand for a while. */
  private void stepDown() {
    try {
      if (!division().getInfo().isLeader()) {
        return;
      }
      RaftClientReply reply =
          host()
              .transferLeadership(
                  new TransferLeadershipRequest(
                      client,
                      division().getId(),
                      group,
                      calls.incrementAndGet(),
                      null,
                      MANAGEMENT_MILLIS));
      if (!reply.isSuccess()) {
        throw refused(reply.getException());
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Shard {} cannot be given to another replica: {}", shard, e.getMessage());
    }
  }

  private void tell(Runnable work) {
    try {
      told.execute(work);
    } catch (RejectedExecutionException e) {
      // It is closed.
    }
  }

  /** The server that hosts it has taken it in. */
  void joined(RaftServer host) {
    server = host;
  }

  ReplicaMachine machine() {
    return machine;
  }

  RaftGroupId group() {
    return group;
  }

  /** Number of the shard that it is a copy of. */
  public int shard() {
    return shard;
  }

  /** How often its group has lost its majority, and gone on without. */
  public int generation() {
    return generation;
  }

  private RaftServer host() {
    RaftServer host = server;
    if (host == null) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE, "The replica of shard " + shard + " has not begun");
    }
    return host;
  }

  /** The replica as the engine has it. */
  RaftServer.Division division() {
    try {
      return host().getDivision(group);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "The replica of shard " + shard + " does not run (" + e.getMessage() + ")",
          e);
    }
  }

  /**
   * Proposes in the thread that calls: to go through the server would leave it to a pool of
   * threads, and with it the order.
   */
  private CompletableFuture<Void> propose(byte[] entry) {
    RaftServer.Division division = division();
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(division.getId())
            .setGroupId(group)
            .setCallId(calls.incrementAndGet())
            .setType(RaftClientRequest.writeRequestType())
            .setMessage(Message.valueOf(UnsafeByteOperations.unsafeWrap(entry)))
            .build();
    try {
      return ((RaftClientAsynchronousProtocol) division)
          .submitClientRequestAsync(request)
          .handle(this::successful);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(refused(e));
    }
  }

  private @Nullable Void successful(RaftClientReply reply, @Nullable Throwable failure) {
    if (failure != null || !reply.isSuccess()) {
      throw refused(failure == null ? reply.getException() : failure);
    }
    return null;
  }

  private GraphMetaException refused(@Nullable Throwable cause) {
    return new GraphMetaException(
        ErrorCode.NOT_LEADER,
        "The replica of shard "
            + shard
            + " does not lead ("
            + (cause == null ? "another one does, or none" : cause.getMessage())
            + ")",
        cause);
  }

  /**
   * Makes sure that this replica leads and no other has taken anything meanwhile.
   *
   * @return completes if it led at some moment after the call; fails with {@code NOT_LEADER} if it
   *     does not, or a majority does not say so
   */
  public CompletableFuture<Void> confirmLeads() {
    DivisionInfo info = division().getInfo();
    long term = info.getCurrentTerm();
    if (!info.isLeader()) {
      return CompletableFuture.failedFuture(refused(null));
    }
    RaftConfiguration members = division().getRaftConf();
    Set<String> now = names(members.getCurrentPeers());
    Set<String> before = names(members.getPreviousPeers()); // none, unless members change
    Set<String> asked = new HashSet<>(now);
    asked.addAll(before);
    asked.remove(self);
    Map<String, CompletableFuture<Long>> terms = others.of(shard, asked);
    return CompletableFuture.allOf(proof(term, now, terms), proof(term, before, terms))
        .thenAccept(
            proven -> {
              if (!info.isLeader() || info.getCurrentTerm() != term) {
                throw refused(null);
              }
            });
  }

  private CompletableFuture<Void> proof(
      long term, Set<String> members, Map<String, CompletableFuture<Long>> terms) {
    if (members.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    int needed = members.size() / 2 + (members.contains(self) ? 0 : 1);
    return LeaderProof.of(
        term,
        needed,
        terms.entrySet().stream()
            .filter(each -> members.contains(each.getKey()))
            .map(Map.Entry::getValue)
            .toList());
  }

  private static Set<String> names(Collection<RaftPeer> peers) {
    return peers.stream().map(peer -> peer.getId().toString()).collect(Collectors.toSet());
  }

  // Members

  /**
   * The nodes that the group consists of; empty if this replica does not lead it, or the members
   * are changing and those are not agreed on yet, or the store does not reach as far as the entry
   * that says so. It is made to then, by an entry without rows, so that this is to be asked again:
   * who copies the store behind that entry reads in its log of no members of before.
   */
  public Set<String> agreedMembers() {
    RaftServer.Division division = division();
    RaftConfiguration members = division.getRaftConf();
    boolean isAgreed =
        division.getInfo().isLeaderReady()
            && members.getPreviousPeers().isEmpty()
            && members.getLogEntryIndex() <= committed();
    if (isAgreed && applied() < members.getLogEntryIndex()) {
      writeBehindMembers();
      isAgreed = false;
    }
    return isAgreed ? names(members.getCurrentPeers()) : Set.of();
  }

  /** The index of the entry that changed the members last. */
  public long membersIndex() {
    return division().getRaftConf().getLogEntryIndex();
  }

  /**
   * The nodes that its log names last, agreed on or not: while they change, those of before and
   * those of after.
   */
  public Set<String> lastMembers() {
    RaftConfiguration members = division().getRaftConf();
    Set<String> all = new HashSet<>(names(members.getCurrentPeers()));
    all.addAll(names(members.getPreviousPeers()));
    return all;
  }

  /** An entry that changes the members is none of the store; one without rows, behind it, is. */
  private void writeBehindMembers() {
    ProposedLog led = log;
    if (led != null) {
      try {
        led.append(new RowBatch(EMPTY_BYTES), Durability.SYNC);
      } catch (GraphMetaException e) {
        LOG.debug("Nothing can be written behind the members of shard {} now", shard, e);
      }
    }
  }

  /**
   * Has the group consist of other nodes. A node that is new has begun a replica; it gets what it
   * has not before it becomes a member, so that this may take long.
   *
   * @return completes when the members have changed; fails with {@code NOT_LEADER} if they have
   *     not, or this replica cannot tell
   */
  public CompletableFuture<Void> changeMembers(Set<String> from, List<ReplicaAddress> to) {
    List<RaftPeer> before =
        division().getRaftConf().getCurrentPeers().stream()
            .filter(peer -> from.contains(peer.getId().toString()))
            .toList();
    SetConfigurationRequest.Arguments members =
        SetConfigurationRequest.Arguments.newBuilder()
            .setServersInCurrentConf(before)
            .setServersInNewConf(ReplicaAddress.peers(to))
            .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
            .build();
    try {
      return host()
          .setConfigurationAsync(
              new SetConfigurationRequest(
                  client, division().getId(), group, calls.incrementAndGet(), members))
          .handle(this::successful);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(refused(e));
    }
  }

  /** The term that it is in: no leader of an earlier one is elected any more with its vote. */
  public long term() {
    return division().getInfo().getCurrentTerm();
  }

  /** True while it leads and has a log. */
  public boolean leads() {
    return log != null;
  }

  /** Name of the node that leads the group, as far as this replica knows; empty if none. */
  public String leader() {
    RaftPeerId leader = division().getInfo().getLeaderId();
    return leader == null ? "" : leader.toString();
  }

  /** The index of the last entry of its log, agreed on or not, or -1. */
  public long lastIndex() {
    TermIndex last = division().getRaftLog().getLastEntryTermIndex();
    return last == null ? -1 : last.getIndex();
  }

  /** The term of that entry, or -1. */
  public long lastTerm() {
    TermIndex last = division().getRaftLog().getLastEntryTermIndex();
    return last == null ? -1 : last.getTerm();
  }

  /** The index of the first entry that its log goes back to. */
  public long firstIndex() {
    return division().getRaftLog().getStartIndex();
  }

  /** The index of the last entry that is in the store, or -1. */
  public long applied() {
    return machine.storedIndex();
  }

  /** The index of the last entry that it knows to be agreed on, or -1. */
  public long committed() {
    return division().getRaftLog().getLastCommittedIndex();
  }

  /** Whether it follows the group; else {@link #failure} may say why not. */
  public boolean isAlive() {
    RaftServer host = server;
    if (host == null || failure.get() != null) {
      return false;
    }
    try {
      DivisionInfo info = host.getDivision(group).getInfo();
      return info.isAlive();
    } catch (IOException e) {
      return false;
    }
  }

  /** Why it does not follow the group any more, if that is known. */
  public @Nullable Throwable failure() {
    return failure.get();
  }

  /**
   * Lets another node lead, and waits for it: what was asked of this one is answered before, and
   * nothing more is.
   *
   * @return completes when the other leads; fails with {@code NOT_LEADER} if this replica does not
   *     lead, or the other did not come to lead in time: then the group elects
   */
  public CompletableFuture<Void> transfer(String node, long timeoutMillis) {
    try {
      return CompletableFuture.runAsync(() -> resignFor(node, timeoutMillis), told);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(refused(e)); // it is closed
    }
  }

  private void resignFor(String node, long timeoutMillis) {
    ProposedLog last = log;
    if (last == null) {
      throw refused(null);
    }
    resigning = true;
    try {
      leadership.resigns();
      RaftClientReply reply =
          host()
              .transferLeadership(
                  new TransferLeadershipRequest(
                      client,
                      division().getId(),
                      group,
                      calls.incrementAndGet(),
                      RaftPeerId.valueOf(node),
                      timeoutMillis));
      if (!reply.isSuccess()) {
        throw refused(reply.getException());
      }
    } catch (IOException e) {
      throw refused(e);
    } finally {
      resigning = false;
      if (log == last) {
        stepDown();
      }
    }
  }

  /** Brings the store to disk, and now and then has the engine cut the log behind it. */
  private void bringToDisk() {
    try {
      machine.bringToDisk();
      if (machine.isToCut(settings.replayed().bytes(), settings.entriesToCut())) {
        host()
            .snapshotManagement(
                SnapshotManagementRequest.newCreate(
                    client, division().getId(), group, calls.incrementAndGet(), MANAGEMENT_MILLIS));
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "The store of the replica of shard {} could not be brought to disk, and will be tried"
              + " again: {}",
          shard,
          e.getMessage());
    } finally {
      bringingToDisk.set(false);
    }
  }

  /**
   * It leads no more, since its group is at an end. Returns when what was built over it is told.
   */
  void endTerm() {
    machine.endTerm();
    end();
  }

  /** Ends what it tells. The store stays open. */
  void end() {
    Threads.end(told);
    Threads.end(telling);
  }
}
