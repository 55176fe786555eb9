package io.graphmeta.engine;

import java.util.ArrayList;
import java.util.List;

/** The faults that a check has found: how many, and the first of them in words. */
final class CheckFaults {
  private static final int MAX_EXAMPLES = 20;

  private final List<String> examples = new ArrayList<>();
  private long count;

  void add(String words) {
    count++;
    if (examples.size() < MAX_EXAMPLES) {
      examples.add(words);
    }
  }

  long count() {
    return count;
  }

  List<String> examples() {
    return List.copyOf(examples);
  }
}
