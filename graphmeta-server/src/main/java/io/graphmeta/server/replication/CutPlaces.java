package io.graphmeta.server.replication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a store was brought to disk the last times, so that the log is cut some times behind: a
 * member that was away for a while finds in it what it needs. Kept in a file, so that a process
 * that is started again and again cuts too; without the file the log is cut later. Belongs to one
 * thread.
 */
final class CutPlaces {
  /** How many times the log goes back. */
  static final int KEPT = 8;

  private static final Logger LOG = LoggerFactory.getLogger(CutPlaces.class);

  private final Deque<TermIndex> places = new ArrayDeque<>();
  private @Nullable Path file;

  /** Goes on with what a file says, if it is there, and keeps it up to date. */
  void keepIn(Path kept) {
    file = kept;
    try {
      if (Files.exists(kept)) {
        for (String line : Files.readAllLines(kept)) {
          String[] place = line.split(" ", -1);
          places.add(TermIndex.valueOf(Long.parseLong(place[0]), Long.parseLong(place[1])));
        }
      }
    } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      places.clear();
      LOG.warn("{} cannot be read; the log is cut later: {}", kept, e.toString());
    }
  }

  /**
   * The store is on disk up to a place.
   *
   * @return the index up to which the log may be cut, or -1
   */
  long add(TermIndex place) {
    places.add(place);
    long cut = -1;
    while (places.size() > KEPT) {
      cut = places.remove().getIndex();
    }
    write();
    return cut;
  }

  /** Another store has taken the place of that one. */
  void clear() {
    places.clear();
    write();
  }

  private void write() {
    Path kept = file;
    if (kept == null) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    places.forEach(
        each -> lines.append(each.getTerm()).append(' ').append(each.getIndex()).append('\n'));
    Path fresh = kept.resolveSibling(kept.getFileName() + ".new");
    try {
      Files.writeString(fresh, lines);
      Files.move(fresh, kept, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.warn("{} cannot be written; the log is cut later: {}", kept, e.toString());
    }
  }
}
