package io.graphmeta.provenance.folding;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Puts units into classes: first by what they are, then by the classes that they have ways from and
 * to, as long as there are not more classes than allowed. Two units of a class cannot be told apart
 * by where their data came from and went to, as far as the classes tell.
 *
 * <p>A round splits every class by the classes of its neighbours as they were before the round. If
 * that would be too many, the classes that fall into the fewest parts go first, and those that do
 * not fit stay whole. Used once, by one thread.
 */
final class Partition {
  private final int budget;
  private int[] classes;
  private int count;

  /** Neighbours of each unit: twice the kind of the way, and the neighbour. */
  private final int[][] neighbours;

  /**
   * The coarsest classes.
   *
   * @param forms what each unit is
   * @param neighbours of each unit pairs of numbers: a kind of way, and the unit at its other end
   * @param budget most classes, unless there are more forms
   */
  Partition(List<String> forms, int[][] neighbours, int budget) {
    this.budget = budget;
    this.neighbours = neighbours;
    this.classes = new int[forms.size()];
    Map<String, Integer> numbers = new HashMap<>();
    for (int unit = 0; unit < classes.length; unit++) {
      String form = forms.get(unit);
      Integer number = numbers.get(form);
      if (number == null) {
        number = numbers.size();
        numbers.put(form, number);
      }
      classes[unit] = number;
    }
    this.count = numbers.size();
  }

  /** Splits classes until nothing differs within one, or no split fits. */
  int[] refined() {
    boolean changed = true;
    while (changed && count < budget) {
      changed = splitOnce();
    }
    return classes;
  }

  private boolean splitOnce() {
    List<Map<Signature, List<Integer>>> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(new LinkedHashMap<>());
    }
    for (int unit = 0; unit < classes.length; unit++) {
      parts.get(classes[unit]).computeIfAbsent(signature(unit), key -> new ArrayList<>()).add(unit);
    }
    List<Map<Signature, List<Integer>>> splits =
        parts.stream()
            .filter(part -> part.size() > 1)
            .sorted(Comparator.comparingInt(Map::size))
            .toList();
    int before = count;
    int[] next = classes.clone();
    for (Map<Signature, List<Integer>> split : splits) {
      if (count + split.size() - 1 <= budget) {
        boolean first = true;
        for (List<Integer> units : split.values()) {
          if (!first) {
            int number = count++;
            units.forEach(unit -> next[unit] = number);
          }
          first = false;
        }
      }
    }
    classes = next;
    return count > before;
  }

  private Signature signature(int unit) {
    int[] ways = neighbours[unit];
    long[] seen = new long[ways.length / 2];
    for (int i = 0; i < seen.length; i++) {
      seen[i] = (long) ways[2 * i] << Integer.SIZE | classes[ways[2 * i + 1]];
    }
    return new Signature(Arrays.stream(seen).sorted().distinct().toArray());
  }

  /** The classes of neighbours with the kinds of ways, each once. */
  private record Signature(long[] ways) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Signature signature && Arrays.equals(ways, signature.ways);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(ways);
    }
  }
}
