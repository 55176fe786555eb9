package io.graphmeta.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What happened in one run, in order. Entries are kept as parts and put into words only when
 * somebody asks, since hardly any run is ever read. Parts must not change once added.
 */
final class Trace {
  private record Entry(long micros, Object[] parts) {
    @Override
    public String toString() {
      StringBuilder words = new StringBuilder(String.format("%,12d us  ", micros));
      for (Object part : parts) {
        words.append(part);
      }
      return words.toString();
    }
  }

  private final List<Entry> entries = new ArrayList<>();

  void add(long micros, Object... parts) {
    entries.add(new Entry(micros, parts));
  }

  int size() {
    return entries.size();
  }

  /** The last entries, in words. */
  List<String> last(int count) {
    return entries.subList(Math.max(0, entries.size() - count), entries.size()).stream()
        .map(Entry::toString)
        .toList();
  }

  /** The entries that name something, but for the last ones; at most so many. */
  List<String> naming(String name, int exceptLast, int count) {
    List<String> found =
        entries.subList(0, Math.max(0, entries.size() - exceptLast)).stream()
            .map(Entry::toString)
            .filter(words -> words.contains(name))
            .toList();
    return found.subList(Math.max(0, found.size() - count), found.size());
  }

  /** A number that stands for the whole trace: two runs of one seed have the same. */
  long fingerprint() {
    long print = entries.size();
    for (Entry entry : entries) {
      print = print * 1_000_003 + entry.toString().hashCode();
    }
    return print;
  }
}
