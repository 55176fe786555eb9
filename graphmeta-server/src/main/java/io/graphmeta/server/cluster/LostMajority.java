package io.graphmeta.server.cluster;

import io.graphmeta.protocol.Response.ReplicaState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A shard of which a majority of the replicas is lost for good: what is left of it, and what may be
 * lost. Immutable.
 *
 * @param shard number of the shard
 * @param generation of its group
 * @param replicas the nodes that have it by the placement
 * @param lost those of its nodes that are lost
 * @param left what the others say of their replicas, by their names
 * @param keeps the node whose replica has most, with which the shard can go on; empty if it cannot
 * @param problem why it cannot, and what to do; empty if it can
 */
public record LostMajority(
    int shard,
    int generation,
    List<String> replicas,
    List<String> lost,
    Map<String, Left> left,
    String keeps,
    String problem) {
  /** The names of labels and properties lie there. */
  private static final int SHARD_OF_NAMES = 0;

  /**
   * What is left of a replica.
   *
   * @param lastTerm term of the last entry of its log, or -1
   * @param last index of that entry, or -1
   * @param committed index of the last entry that it knows to be agreed on, or -1
   * @param applied index of the last entry that is in its store, or -1
   * @param settled stamp at and below which its store has all commits of the shard; 0 if none is
   *     known
   */
  public record Left(long lastTerm, long last, long committed, long applied, long settled) {
    private static Left of(ReplicaState state) {
      return new Left(
          state.lastTerm(), state.last(), state.committed(), state.applied(), state.settled());
    }
  }

  /** Copies what is given. */
  public LostMajority {
    replicas = List.copyOf(replicas);
    lost = List.copyOf(lost);
    left = new TreeMap<>(left);
  }

  /**
   * Looks at a shard.
   *
   * @param wanted the nodes that are to have it: one of them may have been taken in, though the
   *     placement does not say so yet
   * @param gone the nodes that are lost
   * @param told what replicas have told that were asked; nothing of those that do not answer
   * @return empty if a majority is left
   */
  static Optional<LostMajority> of(
      int shard,
      int generation,
      List<String> replicas,
      List<String> wanted,
      Collection<String> gone,
      Map<String, ReplicaState> told) {
    TreeMap<String, ReplicaState> states = new TreeMap<>();
    told.forEach(
        (node, state) -> {
          // Who is about to be taken in has no say, and is not of the group by what it knows.
          if (state.generation() == generation && state.members().contains(node)) {
            states.put(node, state);
          }
        });
    Optional<Map.Entry<String, ReplicaState>> best =
        states.entrySet().stream()
            .max(
                Comparator.comparing(
                        (Map.Entry<String, ReplicaState> each) -> each.getValue().lastTerm())
                    .thenComparing(each -> each.getValue().last())
                    .thenComparing(each -> replicas.contains(each.getKey())));
    List<String> members =
        best.map(each -> each.getValue().members()).filter(of -> !of.isEmpty()).orElse(replicas);
    if (hasMajority(members, gone)) {
      return Optional.empty();
    }
    List<String> silent =
        all(all(replicas, wanted), members).stream()
            .filter(node -> !gone.contains(node) && !told.containsKey(node))
            .toList();
    String problem = "";
    if (!silent.isEmpty()) {
      problem =
          String.join(", ", silent)
              + " may have more of it and does not answer: start it, or name it among those that"
              + " are lost";
    } else if (best.isEmpty()) {
      problem = "no replica of it is left: restore a backup into a new cluster";
    }
    Map<String, Left> left = new TreeMap<>();
    states.forEach((node, state) -> left.put(node, Left.of(state)));
    List<String> lost = all(replicas, members).stream().filter(gone::contains).toList();
    return Optional.of(
        new LostMajority(
            shard,
            generation,
            replicas,
            lost,
            left,
            problem.isEmpty() ? best.map(Map.Entry::getKey).orElse("") : "",
            problem));
  }

  private static List<String> all(Collection<String> some, Collection<String> others) {
    TreeSet<String> all = new TreeSet<>(some);
    all.addAll(others);
    return new ArrayList<>(all);
  }

  private static boolean hasMajority(Collection<String> members, Collection<String> gone) {
    long here = members.stream().filter(node -> !gone.contains(node)).count();
    return here > members.size() / 2;
  }

  /** This one, which cannot go on for a reason that was found out later. */
  LostMajority withProblem(String why) {
    return new LostMajority(shard, generation, replicas, lost, left, "", why);
  }

  /**
   * The stamp at and below which nothing is lost, since the replica with which it goes on has it; 0
   * if none is known.
   */
  public long settled() {
    Left kept = left.get(keeps);
    return kept == null ? 0 : kept.settled();
  }

  /** Whether names may be lost, too. */
  public boolean hasNames() {
    return shard == SHARD_OF_NAMES;
  }
}
