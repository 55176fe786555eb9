package io.graphmeta.server.ingest.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts answers by the kind of command that made the file asked for. */
final class Tally {
  private static final int SHOWN = 3;

  private static final class Count {
    long answers;
    long unmarked;
    long wrong;
  }

  private final Map<String, Count> counts = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private long wrongs;

  void count(String kind, boolean right, boolean unmarked) {
    Count count = counts.computeIfAbsent(kind, key -> new Count());
    count.answers++;
    count.unmarked += unmarked ? 1 : 0;
    count.wrong += right ? 0 : 1;
  }

  void wrong(String what) {
    wrongs++;
    if (wrongs <= 60) {
      System.out.println(
          what.lines()
              .findFirst()
              .orElse("")
              .replaceAll(
                  "LineageNode.index=(\\d+)[^\\]]*?id=([^,]*),.*?doubts=(.\\w*[^\\]]*.).*?fate=\\w*.",
                  "$1 $2 $3"));
    }
    if (wrong.size() < SHOWN) {
      wrong.add(what);
    }
  }

  List<String> wrong() {
    return wrong;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(wrongs + " wrong steps\n");
    counts.forEach(
        (kind, count) ->
            text.append(
                String.format(
                    "%7d answers, %7d unmarked, %5d wrong: %s%n",
                    count.answers, count.unmarked, count.wrong, kind)));
    return text.toString();
  }
}
