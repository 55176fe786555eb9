package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.RowBatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/*
 * A small Raft
 *
 * Terms, votes, a log that is made the same as the leader's, an entry that counts as agreed on when a
 * majority has it and it is of the term of its leader, changes of members by two majorities (Ongaro and
 * Ousterhout, USENIX ATC 2014). What is on the disk of a member (term, vote, log) is there before it
 * answers. A new member is brought near the end of the log before it is taken in, and has no vote until it
 * knows that it was: its node may have been a member before, and have forgotten its votes and entries, while
 * another one still counts it. Members are messages apart; there is no vote before the vote, so that who
 * comes back ends the term of others, as often as possible.
 */

/** What a replica has of its group: a model of the engine by which nodes agree. */
final class GroupMember {
  private static final long BEAT_MICROS = 15_000;
  private static final long ELECTION_MICROS = 70_000;
  private static final long NEAR_ENTRIES = 5;
  private static final long PROOF_MICROS = 100_000;
  private static final long LEAST_SILENCE_MICROS = 60_000;

  private final ReplicatedShard shard;
  private final SimulatedHost host;
  private final Simulation simulation;
  private final Machine machine;
  private final SplittableRandom random;
  private final long madeBehind;

  // On its disk
  private final EntryLog log;
  private long term;
  private int votedFor = -1;

  // In its memory
  private long committed;
  private boolean leads;
  private boolean stands;
  private long firstOfTerm;
  private List<Integer> placement = List.of();
  private long heardMicros;
  private long patienceMicros;
  private long stepDownMicros;
  private Set<Integer> votes = new TreeSet<>();
  private final Map<Integer, Long> matched = new HashMap<>();
  private final Map<Integer, Long> next = new HashMap<>();
  private final Map<Integer, Long> answeredMicros = new HashMap<>();

  /**
   * Who is brought near the end of the log before it is taken in, in the place of whom; or null.
   */
  private @Nullable Replacement replacement;

  private record Replacement(int from, int to) {}

  /** What the engine tells. */
  interface Machine {
    /** More is agreed on. */
    void agreed();

    /** It leads no more. */
    void leadsNoMore();

    /** The log of the leader begins behind what is here. */
    void isBehind(SimulatedReplica leader);
  }

  private record Append(
      int leader,
      long term,
      long before,
      long termBefore,
      List<GroupEntry> entries,
      long committed) {}

  /**
   * A member, or one that is to be.
   *
   * @param members none for one that is to be
   */
  GroupMember(
      ReplicatedShard shard,
      SimulatedHost host,
      Simulation simulation,
      Members members,
      Machine machine,
      SplittableRandom random) {
    this.shard = shard;
    this.host = host;
    this.simulation = simulation;
    this.machine = machine;
    this.random = random;
    this.log = new EntryLog(members);
    this.madeBehind = members.all().isEmpty() ? shard.agreed().last() : -1;
  }

  /** Whether it has a vote. */
  private boolean isMember() {
    return log.membersIndex() > madeBehind && log.members().all().contains(host.number());
  }

  EntryLog log() {
    return log;
  }

  long term() {
    return term;
  }

  boolean leads() {
    return leads;
  }

  long committed() {
    return committed;
  }

  /** The index of the entry with which its term begins. */
  long firstOfTerm() {
    return firstOfTerm;
  }

  /** The members, if it leads and they are agreed on; else null. */
  @Nullable Members agreedMembers() {
    Members members = log.members();
    return leads
            && committed >= firstOfTerm
            && !members.areChanging()
            && log.membersIndex() <= committed
        ? members
        : null;
  }

  // Its life

  /** Begins, over a store that has entries up to one. */
  void start(long stored) {
    committed = stored;
    leads = false;
    stands = false;
    replacement = null;
    hear();
    beat(host.incarnation());
  }

  /** Its process ends. */
  void end() {
    leads = false;
  }

  /** Cuts its log up to an entry. */
  void cut(long index) {
    log.cut(Math.min(index, committed));
  }

  /** A store was copied. */
  void goOnBehind(long index, long termThere, Members members) {
    log.beginBehind(index, termThere, members);
    committed = Math.max(committed, index);
    hear();
  }

  private void hear() {
    heardMicros = simulation.scheduler().now();
    patienceMicros = ELECTION_MICROS + random.nextLong(2 * ELECTION_MICROS);
  }

  private boolean lives(int life) {
    return host.isUp() && host.incarnation() == life && shard.memberOn(host.number()) == this;
  }

  private void beat(int life) {
    simulation
        .scheduler()
        .after(
            BEAT_MICROS / 2 + random.nextLong(BEAT_MICROS),
            () -> {
              if (lives(life)) {
                beatOnce();
                beat(life);
              }
            });
  }

  private void beatOnce() {
    long now = simulation.scheduler().now();
    if (leads) {
      Members members = log.members();
      sendAll();
      changeMembers(members);
      boolean heard =
          members.agree(
              of ->
                  of == host.number()
                      || now - answeredMicros.getOrDefault(of, 0L) < stepDownMicros);
      if (!heard) {
        simulation.trace(this, " hears no majority");
        follow(term);
      }
    } else if (now - heardMicros > patienceMicros) {
      stand();
    }
  }

  // Elections

  /** Wants to lead, if it is a member as far as it knows. */
  void stand() {
    Members members = log.members();
    hear();
    if (leads || !isMember()) {
      return;
    }
    term++;
    votedFor = host.number();
    stands = true;
    votes = new TreeSet<>(Set.of(host.number()));
    long candidacy = term;
    long lastTerm = log.lastTerm();
    long lastIndex = log.lastIndex();
    simulation.trace(this, " stands for term ", term);
    for (int other : members.all()) {
      toMember(other, member -> member.askedToVote(this, candidacy, lastTerm, lastIndex));
    }
    count(candidacy);
  }

  private interface Visit {
    void visit(GroupMember member);
  }

  private void toMember(int other, Visit visit) {
    if (other == host.number()) {
      return;
    }
    shard
        .messages()
        .carry(
            host,
            shard.host(other),
            () -> {
              GroupMember member = shard.memberOn(other);
              if (member != null) {
                visit.visit(member);
              }
            });
  }

  private void askedToVote(GroupMember candidate, long candidacy, long lastTerm, long lastIndex) {
    if (candidacy > term) {
      follow(candidacy);
    }
    boolean isNewEnough =
        lastTerm > log.lastTerm() || lastTerm == log.lastTerm() && lastIndex >= log.lastIndex();
    boolean isFor =
        candidacy == term
            && isMember()
            && isNewEnough
            && (votedFor == -1 || votedFor == candidate.host.number());
    if (isFor) {
      votedFor = candidate.host.number();
      hear();
    }
    long own = term;
    toMember(candidate.host.number(), member -> member.voted(host.number(), own, candidacy, isFor));
  }

  private void voted(int voter, long ofTerm, long candidacy, boolean forThis) {
    if (ofTerm > term) {
      follow(ofTerm);
    } else if (forThis && candidacy == term) {
      votes.add(voter);
      count(candidacy);
    }
  }

  private void count(long candidacy) {
    if (candidacy != term || !stands || !log.members().agree(votes::contains)) {
      return;
    }
    stands = false;
    leads = true;
    shard.isLed(term, host.number());
    simulation.trace(this, " is elected for term ", term);
    matched.clear();
    next.clear();
    answeredMicros.clear();
    boolean patient = random.nextInt(3) == 0 || simulation.sabotage().keepsFormerLeaders();
    long now = simulation.scheduler().now();
    log.members().all().forEach(of -> answeredMicros.put(of, now));
    stepDownMicros = LEAST_SILENCE_MICROS + random.nextLong(patient ? 3_000_000 : 300_000);
    firstOfTerm = log.lastIndex() + 1;
    placement = shard.placement();
    replacement = null;
    add(0, 0, null, null);
  }

  /** Is in a term, which another leads, or nobody. */
  private void follow(long newTerm) {
    if (newTerm > term) {
      term = newTerm;
      votedFor = -1;
    }
    hear();
    stands = false;
    if (leads) {
      leads = false;
      machine.leadsNoMore();
    }
  }

  /** Leads no more by its own will; another member will stand before it does. */
  void letAnother() {
    if (leads) {
      follow(term);
      patienceMicros += 4 * ELECTION_MICROS;
    }
  }

  /** Has another member stand at once. */
  void handOver(GroupMember to) {
    toMember(to.host.number(), GroupMember::stand);
    letAnother();
  }

  // Entries

  /** Puts rows into the log of the group; false if it does not lead. */
  boolean propose(long ofLog, long position, RowBatch rows) {
    if (leads) {
      add(ofLog, position, rows, null);
    }
    return leads;
  }

  private void add(long ofLog, long position, @Nullable RowBatch rows, @Nullable Members members) {
    log.add(new GroupEntry(log.lastIndex() + 1, term, ofLog, position, rows, members));
    sendAll();
    advance();
  }

  private Set<Integer> followers() {
    Set<Integer> all = log.members().all();
    if (replacement != null) {
      all.add(replacement.to);
    }
    all.remove(host.number());
    return all;
  }

  private void sendAll() {
    followers().forEach(this::send);
  }

  private void send(int to) {
    long first = next.getOrDefault(to, log.lastIndex() + 1);
    if (first <= log.cutIndex()) {
      SimulatedReplica leader = shard.replicaOn(host.number());
      if (leader != null) {
        toMember(to, member -> member.machine.isBehind(leader));
      }
      next.put(to, log.lastIndex() + 1); // asked again when it answers
      first = log.lastIndex() + 1;
    }
    Append append =
        new Append(host.number(), term, first - 1, log.term(first - 1), log.from(first), committed);
    toMember(to, member -> member.appended(append));
  }

  private void appended(Append append) {
    long matches = -1;
    long hint = committed;
    if (append.term >= term) {
      if (append.term > term || leads) {
        follow(append.term);
      }
      hear();
      boolean follows =
          append.before < log.cutIndex() || log.term(append.before) == append.termBefore;
      if (follows && append.before + append.entries.size() >= log.cutIndex()) {
        take(append.entries);
        matches = append.before + append.entries.size();
        committed = Math.max(committed, Math.min(append.committed, matches));
        machine.agreed();
      }
    }
    long own = term;
    long reached = matches;
    toMember(append.leader, leader -> leader.answered(this, own, append.term, reached, hint));
  }

  private void take(List<GroupEntry> entries) {
    for (GroupEntry entry : entries) {
      if (entry.index() <= log.cutIndex()) {
        continue;
      }
      GroupEntry own = log.get(entry.index());
      if (own != null && own.term() != entry.term()) {
        if (own.index() <= committed) {
          throw new Violation(
              Violation.Invariant.REPLICAS_AGREE,
              toString(),
              this + " would lose " + own + ", which is agreed on");
        }
        log.removeFrom(entry.index());
        own = null;
      }
      if (own == null) {
        log.add(entry);
      }
    }
  }

  private void answered(GroupMember by, long ofTerm, long asked, long reached, long hint) {
    int from = by.host.number();
    if (shard.memberOn(from) != by) {
      return; // that replica was removed
    }
    if (ofTerm > term) {
      follow(ofTerm);
    } else if (leads && asked == term) {
      answeredMicros.put(from, simulation.scheduler().now());
      if (reached >= 0) {
        matched.merge(from, reached, Math::max);
        next.put(from, matched.getOrDefault(from, 0L) + 1);
        advance();
      } else {
        next.put(from, hint + 1);
      }
    }
  }

  /** Finds out what is agreed on by now. */
  private void advance() {
    Members members = log.members();
    for (long index = log.lastIndex(); index > committed && log.term(index) == term; index--) {
      long agreed = index;
      boolean majority =
          members.agree(of -> of == host.number() || matched.getOrDefault(of, 0L) >= agreed);
      if (majority) {
        for (long each = committed + 1; each <= index; each++) {
          GroupEntry entry = log.get(each);
          if (entry != null) {
            shard.agreed().agree(entry);
          }
        }
        committed = index;
        machine.agreed();
        return;
      }
    }
  }

  // Members

  /** Takes one node in for another, when that one has come near the end of the log. */
  void replace(int from, int to) {
    if (agreedMembers() != null && replacement == null) {
      replacement = new Replacement(from, to);
      matched.remove(to); // another replica was there before, perhaps
      next.remove(to);
    }
  }

  private void changeMembers(Members members) {
    Replacement wanted = replacement;
    if (log.membersIndex() > committed) {
      return;
    }
    if (members.areChanging()) {
      add(0, 0, null, Members.of(members.now()));
    } else if (committed >= firstOfTerm && !members.now().contains(host.number())) {
      simulation.trace(this, " leads a group that it is no member of, and ends that");
      follow(term);
    } else if (wanted != null
        && matched.getOrDefault(wanted.to, 0L) + NEAR_ENTRIES >= log.lastIndex()
        && thoseKnow(members, wanted.from)) {
      replacement = null;
      if (members.now().contains(wanted.from) && !members.now().contains(wanted.to)) {
        Members both = members.replacing(wanted.from, wanted.to);
        simulation.trace(this, " changes members to ", both.now());
        simulation.membersChange(host.number(), wanted.from, wanted.to);
        add(0, 0, null, both);
      }
    }
  }

  /**
   * Whether all that stay have heard that they are members, as leaders of nodes wait for; these do
   * not wait where the one that goes is away.
   */
  private boolean thoseKnow(Members members, int goes) {
    return members.now().stream()
        .filter(of -> of != goes && of != host.number())
        .allMatch(of -> matched.getOrDefault(of, 0L) >= log.membersIndex());
  }

  // Proof

  /** As a replica of a node proves that it leads: by the terms of a majority, asked for now. */
  CompletableFuture<Void> confirmLeads() {
    if (!leads) {
      return CompletableFuture.failedFuture(refused());
    }
    long ofTerm = term;
    Members asked =
        simulation.isDraining()
            ? log.members()
            : simulation.sabotage().confirming(log.members(), placement);
    CompletableFuture<Void> proof = new CompletableFuture<>();
    Set<Integer> agreeing = new TreeSet<>(Set.of(host.number()));
    for (int other : asked.all()) {
      toMember(
          other,
          member -> {
            long theirs = member.term;
            member.toMember(
                host.number(),
                self -> {
                  if (theirs > ofTerm) {
                    proof.completeExceptionally(refused());
                  } else {
                    agreeing.add(other);
                    proveIf(asked.agree(agreeing::contains), proof, ofTerm);
                  }
                });
          });
    }
    proveIf(asked.agree(agreeing::contains), proof, ofTerm);
    simulation.scheduler().after(PROOF_MICROS, () -> proof.completeExceptionally(refused()));
    return proof;
  }

  private void proveIf(boolean isProven, CompletableFuture<Void> proof, long ofTerm) {
    if (isProven && leads && term == ofTerm) {
      proof.complete(null);
    } else if (isProven) {
      proof.completeExceptionally(refused());
    }
  }

  private GraphMetaException refused() {
    return new GraphMetaException(ErrorCode.NOT_LEADER, this + " does not lead, or cannot tell");
  }

  @Override
  public String toString() {
    return "s" + shard.number() + "@" + host;
  }
}
