package io.graphmeta.simulation;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The nodes that a group consists of; while they change, those before too, and a majority of each
 * has to agree.
 *
 * @param now the nodes, or those that are to be
 * @param before none, unless members change
 */
record Members(Set<Integer> now, Set<Integer> before) {
  static final Members NONE = new Members(Set.of(), Set.of());

  static Members of(Set<Integer> now) {
    return new Members(now, Set.of());
  }

  /** Both lists together. */
  Set<Integer> all() {
    Set<Integer> all = new TreeSet<>(now);
    all.addAll(before);
    return all;
  }

  boolean areChanging() {
    return !before.isEmpty();
  }

  /** Whether a majority agrees, of each of the lists. */
  boolean agree(IntPredicate member) {
    return agree(now, member) && (before.isEmpty() || agree(before, member));
  }

  private static boolean agree(Set<Integer> members, IntPredicate member) {
    return members.stream().mapToInt(Integer::intValue).filter(member).count() > members.size() / 2;
  }

  /** With one node in the place of another, agreed on by those before too. */
  Members replacing(int from, int to) {
    Set<Integer> after = new TreeSet<>(now);
    after.remove(from);
    after.add(to);
    return new Members(after, now);
  }
}
