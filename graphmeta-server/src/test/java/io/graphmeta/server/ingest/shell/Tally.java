package io.graphmeta.server.ingest.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts answers by the kind of command that made the file asked for. */
final class Tally {
  private static final int SHOWN = 3;

  /**
   * Answers to one kind of question.
   *
   * @param all how many
   * @param wrong with something missing or false that no mark excuses
   * @param exact that hold the true versions and no other
   * @param plain without any mark on a version or process
   */
  record Count(long all, long wrong, long exact, long plain) {
    Count plus(Count other) {
      return new Count(
          all + other.all, wrong + other.wrong, exact + other.exact, plain + other.plain);
    }

    double share(long part) {
      return all == 0 ? 1 : (double) part / all;
    }
  }

  private final Map<String, Count> counts = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();

  void count(String kind, boolean right, boolean exact, boolean plain) {
    counts.merge(kind, new Count(1, right ? 0 : 1, exact ? 1 : 0, plain ? 1 : 0), Count::plus);
  }

  void wrong(String what) {
    if (wrong.size() < SHOWN) {
      wrong.add(what);
    }
  }

  List<String> wrong() {
    return wrong;
  }

  /** All answers of kinds with a prefix. */
  Count of(String prefix) {
    return counts.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .map(Map.Entry::getValue)
        .reduce(new Count(0, 0, 0, 0), Count::plus);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("answers  wrong  exact  without a mark\n");
    counts.forEach(
        (kind, count) ->
            text.append(
                String.format(
                    "%7d %6d %5.1f%% %5.1f%%  %s%n",
                    count.all,
                    count.wrong,
                    100 * count.share(count.exact),
                    100 * count.share(count.plain),
                    kind)));
    return text.toString();
  }
}
