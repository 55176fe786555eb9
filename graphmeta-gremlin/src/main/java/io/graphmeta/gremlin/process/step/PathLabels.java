package io.graphmeta.gremlin.process.step;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which labels of steps the positions of a path have, for a traversal with one loop at most: the
 * positions before the loop, those of each round, and those behind it.
 *
 * @param loopEnd what the position has, besides, at which the loop is left
 */
public record PathLabels(
    List<Set<String>> before,
    List<Set<String>> round,
    Set<String> loopEnd,
    List<Set<String>> after) {
  /** The labels of one position of a path of some length. */
  Set<String> at(int position, int length) {
    int end = round.isEmpty() ? before.size() : length - after.size();
    if (position >= end && position - end < after.size()) {
      return after.get(position - end);
    }
    Set<String> labels =
        position < before.size()
            ? before.get(position)
            : round.get((position - before.size()) % round.size());
    if (position != end - 1 || loopEnd.isEmpty()) {
      return labels;
    }
    Set<String> all = new LinkedHashSet<>(labels);
    all.addAll(loopEnd);
    return all;
  }

  /** The labels of the positions in the loop, at its end, and behind it. */
  public Stream<Set<String>> fromLoop() {
    return Stream.of(round, List.of(loopEnd), after).flatMap(List::stream);
  }

  /** Whether there is a label at all. */
  public boolean isEmpty() {
    return before.stream().allMatch(Set::isEmpty) && fromLoop().allMatch(Set::isEmpty);
  }
}
