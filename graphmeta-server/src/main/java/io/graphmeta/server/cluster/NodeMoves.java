package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.node.HostedShard;
import io.graphmeta.node.HostedShards;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.ShardPlacement;
import io.graphmeta.server.membership.Standing;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.replication.Replica;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * How a replica comes to another node
 *
 * What is wanted stands in the placement; nothing else is written down, and no process leads the work. Each
 * node looks, again and again, at what is wanted, at what is, and at the group of each shard, and takes the
 * next step that is its own:
 *
 *   who is to have a replica and has none   makes an empty store and follows the group,
 *   who leads a shard                       has its group take in one that is ready in the place of one that
 *                                           is to go; the new one gets all it has not before it has a say,
 *   who leads a shard                       writes into the placement what the group has agreed on,
 *   who has a replica that is not wanted    asks who leads whether the group has it no more, and removes it,
 *   who leads a shard of a lost node        wants another node in its place, if the settings say so,
 *   who has a replica of a former group     goes on alone with it if it is the one that is left, and else puts
 *                                           it aside, and is as one that has none.
 *
 * A step that was cut off, or was taken twice, is found again by the same look. Members of a shard change
 * one at a time, those that go only together with one that comes, and so there are always as many; only a shard
 * that has lost its majority has fewer, and takes in others first. One that is there does not go before those
 * that stay have heard of the last change: who has not heard that it is a member cannot vote, and the group could
 * be too few by it and by one that is lost. One that is away is no help to the group, and may go at any time.
 *
 * The group alone knows its members: it changes them by an entry of its log, with the consent of a majority
 * of the old ones and of the new. The placement follows, so that others know whom to ask. A store is removed
 * by the word of the group alone, and never by that of the placement. That a group is at an end, for want of a
 * majority, and that another one goes on for it, no group can say: that alone is the word of the placement.
 */

/** Takes the steps of this node by which replicas get to the nodes where they are wanted. */
final class NodeMoves implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeMoves.class);
  private static final long LOOK_MILLIS = 500;

  /** While replicas are not where they are wanted, most steps wait for one of another node. */
  private static final long MOVING_LOOK_MILLIS = 100;

  private static final long ANSWER_MILLIS = 5_000;
  private static final long HAND_OVER_MILLIS = 2_000;

  private final String self;
  private final ClusterMembership membership;
  private final HostedShards hosted;
  private final NodeReplicas replicas;
  private final LeaderTransport leaders;
  private final Openings openings;
  private final ScheduledThreadPoolExecutor thread;

  // Of the thread.

  private final LostNodes lostNodes;
  private final FormerReplicas former;

  /** The change of members that this node waits for: one at a time, so that it copies to one. */
  private @Nullable CompletableFuture<Void> changing;

  /** Whether the next look comes before its time. */
  private boolean early;

  /** Why the last step could not be taken; empty if it could, or there was none. */
  private String problem = "";

  /** How a shard is opened to others, and closed. */
  interface Openings {
    /** Lets a new replica join the others, and answers for it. */
    void open(HostedShard shard);

    /** Answers no more for a replica. */
    void close(int shard);
  }

  /**
   * Begins to look.
   *
   * @param lostNodes which nodes are lost
   * @param former keeps what is left of groups that are at an end
   */
  NodeMoves(
      String self,
      ClusterMembership membership,
      HostedShards hosted,
      NodeReplicas replicas,
      LeaderTransport leaders,
      Openings openings,
      LostNodes lostNodes,
      FormerReplicas former) {
    this.lostNodes = lostNodes;
    this.former = former;
    this.self = self;
    this.membership = membership;
    this.hosted = hosted;
    this.replicas = replicas;
    this.leaders = leaders;
    this.openings = openings;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread made = new Thread(work, "graphmeta-moves");
              made.setDaemon(true);
              return made;
            });
    thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    membership.addListener(view -> lookSoon());
  }

  private void lookSoon() {
    try {
      thread.execute(this::look);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed meanwhile", e);
    }
  }

  private void look() {
    ClusterView view = membership.view();
    SortedSet<Integer> own = view.placement().shardsFor(self);
    StringJoiner problems = new StringJoiner("; ");
    Set<String> lost = lostNodes.look(view, membership.standing() == Standing.PRESENT);
    for (HostedShard shard : hosted.all()) {
      step(() -> leaveFormer(shard, view), problems);
    }
    own.forEach(shard -> step(() -> host(shard, view), problems));
    for (HostedShard shard : hosted.all()) {
      int number = shard.number();
      step(() -> replaceLost(number, view, lost), problems);
      step(() -> lead(number, view), problems);
      if (!own.contains(number)) {
        step(() -> leave(number), problems);
      }
    }
    String found = problems.toString();
    if (!found.equals(problem) && !found.isEmpty()) { // the same is told once
      LOG.info("The next step of a move is tried again: {}", found);
    }
    problem = found;
    if (!early && !view.placement().replicas().equals(view.placement().wanted())) {
      lookEarly();
    }
  }

  private void lookEarly() {
    try {
      thread.schedule(
          () -> {
            early = false;
            look();
          },
          MOVING_LOOK_MILLIS,
          TimeUnit.MILLISECONDS);
      early = true;
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed meanwhile", e);
    }
  }

  /** What fails keeps no other shard from its next step. */
  private static void step(Runnable step, StringJoiner problems) {
    try {
      step.run();
    } catch (RuntimeException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }

  // Who has a replica of a former group

  private void leaveFormer(HostedShard shard, ClusterView view) {
    int number = shard.number();
    int generation = view.placement().generations().get(number);
    int own = replicas.generation(number);
    if (own >= generation) {
      return;
    }
    if (view.placement().replicas().get(number).equals(List.of(self))) {
      LOG.warn("Shard {} has lost its majority; this node goes on with it alone", number);
      replicas.goOn(shard, view);
    } else if (own >= 0) {
      LOG.warn("Shard {} goes on elsewhere without this replica, which is put aside", number);
      openings.close(number);
      replicas.end(number);
      hosted.release(number);
      former.setAside(number, generation);
    }
  }

  // Who is to have a replica

  private void host(int shard, ClusterView view) {
    boolean isNew = hosted.all().stream().noneMatch(each -> each.number() == shard);
    if (isNew) {
      former.setAside(shard, view.placement().generations().get(shard)); // if that was cut off
    }
    HostedShard here = hosted.add(shard);
    if (isNew) {
      openings.open(here);
      LOG.info("This node begins a replica of shard {}", shard);
    }
    replicas.add(here, view.placement().generations().get(shard));
  }

  // Who leads

  private void lead(int shard, ClusterView view) {
    Replica replica = replicas.replica(shard);
    if (!replica.leads() || replica.generation() != view.placement().generations().get(shard)) {
      return;
    }
    Set<String> members = replica.agreedMembers();
    List<String> placed = view.placement().replicas().get(shard);
    List<String> wanted = view.placement().wanted().get(shard);
    if (members.isEmpty() || placed.equals(wanted) && members.equals(Set.copyOf(placed))) {
      return;
    }
    if (members.equals(Set.copyOf(wanted))) {
      write(replica, placed, wanted);
    } else if (!members.equals(Set.copyOf(placed))) {
      write(replica, placed, inOrder(members, placed));
    } else if (changing == null || changing.isDone()) {
      change(replica, view, members, wanted);
    }
  }

  /** Those that stay are where they were. */
  static List<String> inOrder(Set<String> members, List<String> placed) {
    List<String> ordered = new ArrayList<>();
    List<String> come = new ArrayList<>(members);
    come.removeAll(placed);
    for (String node : placed) {
      if (members.contains(node)) {
        ordered.add(node);
      } else if (!come.isEmpty()) {
        ordered.add(come.remove(0));
      }
    }
    ordered.addAll(come);
    return ordered;
  }

  private void write(Replica replica, List<String> from, List<String> to) {
    int shard = replica.shard();
    ShardPlacement written =
        membership.change(
            now ->
                now.generations().get(shard) == replica.generation()
                        && now.replicas().get(shard).equals(from)
                        && !from.equals(to)
                    ? now.withReplicas(shard, to)
                    : now);
    LOG.info("Shard {} is on {} now", shard, written.replicas().get(shard));
  }

  private void change(Replica replica, ClusterView view, Set<String> members, List<String> wanted) {
    List<String> go = members.stream().filter(node -> !wanted.contains(node)).sorted().toList();
    List<String> come = wanted.stream().filter(node -> !members.contains(node)).toList();
    if (members.size() < wanted.size()) {
      grow(replica, view, members, come);
      return;
    }
    List<String> stay = wanted.stream().filter(members::contains).toList();
    if (go.equals(List.of(self))) {
      String next = replicas.nextLeader(replica.shard(), stay);
      if (!next.isEmpty()) {
        replica.transfer(next, HAND_OVER_MILLIS).join();
      }
      return;
    }
    String from = go.get(0).equals(self) ? go.get(1) : go.get(0);
    String to = come.get(0);
    if (!replicas.answers(replica.shard(), to)) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "Node " + to + " has no replica of shard " + replica.shard() + " yet");
    }
    if (replicas.answers(replica.shard(), from)) {
      requireKnown(replica, from, stay);
    }
    Set<String> next = new HashSet<>(members);
    next.remove(from);
    next.add(to);
    LOG.info("Shard {} takes in {} in the place of {}", replica.shard(), to, from);
    change(replica, view, members, next, to);
  }

  /**
   * Fails if one that stays may not know that it is a member: it could not vote, and the others
   * might be too few without the one that goes.
   */
  private void requireKnown(Replica replica, String goes, List<String> stay) {
    List<String> others = stay.stream().filter(node -> !node.equals(self)).toList();
    List<String> behind =
        withoutEntry(others, replicas.lastIndices(replica.shard(), others), replica.membersIndex());
    if (!behind.isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "Shard "
              + replica.shard()
              + " keeps "
              + goes
              + " until "
              + String.join(", ", behind)
              + " has what was agreed on");
    }
  }

  /** The nodes whose logs do not go as far as an entry, or that do not say. */
  static List<String> withoutEntry(List<String> nodes, Map<String, Long> last, long index) {
    return nodes.stream().filter(node -> last.getOrDefault(node, -1L) < index).toList();
  }

  /** Takes in the first that is ready, of those that a shard has not had since a loss. */
  private void grow(Replica replica, ClusterView view, Set<String> members, List<String> come) {
    String to =
        come.stream()
            .filter(node -> replicas.answers(replica.shard(), node))
            .findFirst()
            .orElseThrow(
                () ->
                    new GraphMetaException(
                        ErrorCode.UNAVAILABLE,
                        "Shard "
                            + replica.shard()
                            + " is on "
                            + String.join(", ", members)
                            + " alone, and none of "
                            + String.join(", ", come)
                            + " has a replica of it yet"));
    Set<String> next = new HashSet<>(members);
    next.add(to);
    LOG.info("Shard {} takes in {}", replica.shard(), to);
    change(replica, view, members, next, to);
  }

  private void change(
      Replica replica, ClusterView view, Set<String> members, Set<String> next, String to) {
    changing =
        replica
            .changeMembers(members, NodeReplicas.addresses(view, next))
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    lookSoon();
                  } else {
                    LOG.info(
                        "Shard {} has not taken in {}, and tries again: {}",
                        replica.shard(),
                        to,
                        failure.getMessage());
                  }
                });
  }

  // Who leads a shard of a lost node

  private void replaceLost(int shard, ClusterView view, Set<String> lost) {
    List<List<String>> wanted = view.placement().wanted();
    Replica replica = replicas.replica(shard);
    if (!replica.leads() || replica.generation() != view.placement().generations().get(shard)) {
      return;
    }
    // One whose replica answers has lost ZooKeeper alone.
    Set<String> gone =
        wanted.get(shard).stream()
            .filter(node -> lost.contains(node) && !replicas.answers(shard, node))
            .collect(Collectors.toCollection(TreeSet::new));
    if (gone.isEmpty()) {
      return;
    }
    List<String> present =
        view.nodes().values().stream()
            .filter(node -> node.present() && node.description().replicaPort() > 0)
            .map(node -> node.description().name())
            .toList();
    List<List<String>> next = PlacementPlan.withoutLost(wanted, gone, present, view.racks());
    if (next.equals(wanted)) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "No node can take the shards of "
              + String.join(", ", gone)
              + ", which is lost; let another node join");
    }
    membership.change(now -> now.wanted().equals(wanted) ? now.withWanted(next) : now);
    LOG.warn("Node {} is lost; others are to have its shards", String.join(", ", gone));
  }

  // Who has a replica that is not wanted

  private void leave(int shard) {
    Call call = new Call(VirtualNodeMap.FIRST_EPOCH, ANSWER_MILLIS, new Request.ReadMembers());
    try {
      Response.Members members =
          (Response.Members)
              leaders.send(shard, call).get(2 * ANSWER_MILLIS, TimeUnit.MILLISECONDS);
      if (!members.nodes().contains(self)) {
        openings.close(shard);
        replicas.remove(shard);
        hosted.remove(shard);
        LOG.info("This node has removed its replica of shard {}", shard);
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "Who leads shard " + shard + " does not say whether this node has it: " + e,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes no more steps. */
  @Override
  public void close() {
    thread.shutdownNow();
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        ended = thread.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
