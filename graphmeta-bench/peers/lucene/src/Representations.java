package io.graphmeta.bench.peers.lucene;

import io.graphmeta.bench.peers.runner.DirectoryTree;
import io.graphmeta.bench.peers.runner.ProcessorClock;
import io.graphmeta.bench.peers.runner.search.SearchData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;

/**
 * Ways to hold versions in Lucene, beside each other: files of a centre whose size and state change
 * are written in the order of time, and questions about now and about the middle of the changes are
 * asked. What an index names is a candidate, which an array of all versions confirms; its cost is
 * not counted. One run is of one way, and prints one line for each figure:
 *
 * <pre>
 * Representations DIRECTORY starts|readded|updated|vertices|properties FILES
 * </pre>
 *
 * Answers are summed up in a line, so that a script sees whether all ways give the same.
 */
public final class Representations {
  private static final int REFRESHED_EACH = 10_000;
  private static final int QUESTIONS = 200;
  private static final int WARMUPS = 60;
  private static final int MOST = 10;

  private final VersionIndex index;
  private final SearchData data;
  private final Histories histories;
  private long checksum;

  private Representations(VersionIndex index, SearchData data) {
    this.index = index;
    this.data = data;
    this.histories = new Histories(data);
  }

  /** Runs one way. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]).resolve("representations");
    DirectoryTree.remove(directory);
    Files.createDirectories(directory);
    SearchData data = new SearchData(Integer.parseInt(arguments[2]));
    try (VersionIndex index = VersionIndex.of(arguments[1], directory)) {
      new Representations(index, data).run(directory);
    } finally {
      DirectoryTree.remove(directory);
    }
  }

  private void run(Path directory) throws IOException {
    long cpu = ProcessorClock.wholeNanos();
    long versions = write();
    figure("CPU us per change of a file", (ProcessorClock.wholeNanos() - cpu) / 1e3 / versions);
    figure("bytes per change of a file", DirectoryTree.bytes(directory) / (double) versions);
    for (boolean past : new boolean[] {false, true}) {
      String view = past ? "as of the middle: " : "now: ";
      ask(view + "path", past, this::path);
      ask(view + "beginning of a path", past, this::beginning);
      ask(view + "part of a path", past, this::part);
      ask(view + "ten largest", past, this::largest);
      ask(view + "ten largest open", past, this::largestOpen);
      ask(view + "owner, open, large", past, this::threeClauses);
    }
    System.out.println("answers\t" + Long.toHexString(checksum));
  }

  private static void figure(String what, double value) {
    System.out.printf(Locale.ROOT, "%s\t%.3f%n", what, value);
  }

  private long write() throws IOException {
    for (int file = 0; file < data.files(); file++) {
      index.create(histories.state(file, 0), file + 1L);
      if (file % REFRESHED_EACH == 0) {
        index.refresh();
      }
    }
    for (int change = 0; change < data.changes(); change++) {
      int file = data.changed(change);
      long stamp = histories.stamp(change);
      index.change(
          histories.state(file, stamp - 1),
          histories.since(file, stamp - 1),
          histories.state(file, stamp),
          stamp);
      if (change % REFRESHED_EACH == 0) {
        index.refresh();
      }
    }
    index.commit();
    return (long) data.files() + data.changes();
  }

  // Questions

  /** Finds files; tells how many candidates it has looked at. */
  private interface Question {
    long ask(int number, View view, List<Integer> found) throws IOException;
  }

  /** A moment, and the searchers and the filter that tell what counts at it. */
  private record View(boolean past, long stamp, List<IndexSearcher> searchers) {}

  private void ask(String what, boolean past, Question question) throws IOException {
    long stamp = past ? histories.stamp(data.changes() / 2) : Long.MAX_VALUE - 1;
    View view = new View(past, stamp, index.searchers(past));
    long candidates = 0;
    long results = 0;
    long cpu = 0;
    for (int number = 0; number < WARMUPS + QUESTIONS; number++) {
      if (number == WARMUPS) {
        cpu = ProcessorClock.wholeNanos();
        candidates = 0;
        results = 0;
      }
      List<Integer> found = new ArrayList<>();
      candidates += question.ask((int) (number * 7_919L % data.files()), view, found);
      results += found.size();
      checksum = checksum * 31 + found.stream().mapToLong(file -> file * 2_654_435_761L).sum();
    }
    figure(what + ", CPU ms", (ProcessorClock.wholeNanos() - cpu) / 1e6 / QUESTIONS);
    figure(what + ", candidates of a result", candidates / (double) Math.max(1, results));
  }

  private long path(int file, View view, List<Integer> found) throws IOException {
    BitSet candidates = files(view, index.text("path", data.path(file)));
    return confirm(candidates, view, found, state -> state.path().equals(data.path(file)));
  }

  private long beginning(int file, View view, List<Integer> found) throws IOException {
    String directory = data.directory(file);
    BitSet candidates = files(view, index.beginning("path", directory));
    return confirm(candidates, view, found, state -> state.path().startsWith(directory));
  }

  private long part(int file, View view, List<Integer> found) throws IOException {
    String part = "day_" + file + ".";
    BitSet candidates = files(view, index.part(part));
    return confirm(candidates, view, found, state -> state.path().contains(part));
  }

  private long largest(int number, View view, List<Integer> found) throws IOException {
    return walkSizes(view, index.sizes(0), null, found, state -> true);
  }

  private long largestOpen(int number, View view, List<Integer> found) throws IOException {
    Query open = index.text("state", "open");
    return index.isOfVertices()
        ? walkSizes(view, index.both(index.sizes(0), open), null, found, State::isOpen)
        : walkSizes(view, index.sizes(0), files(view, open), found, State::isOpen);
  }

  private long threeClauses(int file, View view, List<Integer> found) throws IOException {
    String owner = data.owner(file);
    long large = SearchData.MAX_SIZE_BYTES / 2;
    Query ofOwner = index.text("owner", owner);
    Query open = index.text("state", "open");
    BitSet candidates;
    if (index.isOfVertices()) {
      candidates = files(view, index.both(index.both(ofOwner, open), index.sizes(large)));
    } else {
      candidates = files(view, ofOwner);
      candidates.and(files(view, open));
      candidates.and(files(view, index.sizes(large)));
    }
    return confirm(
        candidates,
        view,
        found,
        state -> state.owner().equals(owner) && state.isOpen() && state.size() > large);
  }

  private interface Test {
    boolean of(State state);
  }

  private BitSet files(View view, Query query) throws IOException {
    BitSet files = new BitSet(data.files());
    for (IndexSearcher searcher : view.searchers) {
      index.collect(searcher, index.at(query, view.past, view.stamp), files);
    }
    return files;
  }

  private long confirm(BitSet candidates, View view, List<Integer> found, Test test) {
    candidates.stream()
        .filter(file -> histories.exists(file, view.stamp))
        .filter(file -> test.of(histories.state(file, view.stamp)))
        .forEach(found::add);
    return candidates.cardinality();
  }

  /** Walks down the sizes until enough are confirmed, in parts that grow. */
  private long walkSizes(
      View view, Query sizes, BitSet among, List<Integer> found, Test test) throws IOException {
    Sort down = new Sort(new SortField("size", SortField.Type.LONG, true));
    for (int most = 4 * MOST; ; most *= 8) {
      found.clear();
      long candidates = 0;
      List<long[]> named = new ArrayList<>();
      boolean all = true;
      for (IndexSearcher searcher : view.searchers) {
        Query query = index.at(sizes, view.past, view.stamp);
        ScoreDoc[] top = searcher.search(query, most, down).scoreDocs;
        all &= top.length < most;
        index.read(searcher, top, named);
      }
      named.sort((a, b) -> Long.compare(b[1], a[1]));
      BitSet seen = new BitSet();
      for (long[] each : named.subList(0, all ? named.size() : Math.min(most, named.size()))) {
        int file = (int) each[0];
        if (found.size() == MOST || seen.get(file) || among != null && !among.get(file)) {
          continue;
        }
        candidates++;
        State state = histories.state(file, view.stamp);
        if (histories.exists(file, view.stamp) && state.size() == each[1] && test.of(state)) {
          seen.set(file);
          found.add(file);
        }
      }
      if (found.size() == MOST || all) {
        return candidates;
      }
    }
  }

  /** A file at a moment. */
  record State(int file, String path, String owner, long size, String state) {
    boolean isOpen() {
      return state.equals("open");
    }
  }

  /** All versions, in memory: the store that confirms. */
  private static final class Histories {
    private final SearchData data;

    /** The changes of each file in turn, rising, and where those of a file begin. */
    private final int[] changes;

    private final int[] begin;

    Histories(SearchData data) {
      this.data = data;
      this.begin = new int[data.files() + 1];
      for (int change = 0; change < data.changes(); change++) {
        begin[data.changed(change) + 1]++;
      }
      for (int file = 0; file < data.files(); file++) {
        begin[file + 1] += begin[file];
      }
      this.changes = new int[data.changes()];
      int[] next = Arrays.copyOf(begin, data.files());
      for (int change = 0; change < data.changes(); change++) {
        changes[next[data.changed(change)]++] = change;
      }
    }

    long stamp(int change) {
      return data.files() + 1L + change;
    }

    boolean exists(int file, long stamp) {
      return file < stamp;
    }

    /** The last change of a file up to a stamp; negative if there is none. */
    private int last(int file, long stamp) {
      long change = Math.min(data.changes(), stamp - data.files() - 1);
      if (change < 0) {
        return -1;
      }
      int at = Arrays.binarySearch(changes, begin[file], begin[file + 1], (int) change);
      at = at >= 0 ? at : -at - 2;
      return at < begin[file] ? -1 : changes[at];
    }

    State state(int file, long stamp) {
      int change = last(file, stamp);
      return change < 0
          ? new State(
              file, data.path(file), data.owner(file), data.size(file), data.state(file))
          : new State(
              file,
              data.path(file),
              data.owner(file),
              data.newSize(change),
              data.newState(change));
    }

    /** The stamp that the state at a stamp is from. */
    long since(int file, long stamp) {
      int change = last(file, stamp);
      return change < 0 ? file + 1L : stamp(change);
    }
  }
}
