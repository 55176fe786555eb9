package io.graphmeta.server.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which Darshan logs have come below some directories, by looking at them again and again:
 * parallel file systems tell nobody what other nodes write. A log is told when its size and time
 * were the same twice, so that one being written is left alone, or when it is old; and again if it
 * changes. What was told is kept in memory only, for each log that is there: who begins anew is
 * told all of them, and loading them again changes nothing. Used by one thread.
 */
public final class ArrivingLogs {
  /** A log that was not changed for so long is whole, or will never be. */
  private static final Duration OLD = Duration.ofMinutes(10);

  private final Clock clock;
  private final List<Path> places;
  private Map<Path, Seen> seen = new HashMap<>();

  private record Seen(long bytes, long changedMillis, boolean told) {
    boolean isSame(BasicFileAttributes file) {
      return bytes == file.size() && changedMillis == file.lastModifiedTime().toMillis();
    }
  }

  /**
   * Watches.
   *
   * @param places directories, or logs
   * @param clock tells how old logs are
   */
  public ArrivingLogs(Collection<Path> places, Clock clock) {
    this.places = List.copyOf(places);
    this.clock = clock;
  }

  /**
   * Looks, and tells what is to be loaded, in the order of the names.
   *
   * @throws IOException if one of the places cannot be read; the next look can
   */
  public List<Path> look() throws IOException {
    List<Path> ready = new ArrayList<>();
    Map<Path, Seen> found = new HashMap<>();
    for (Path log : DarshanIngest.logs(places)) {
      try {
        BasicFileAttributes file = Files.readAttributes(log, BasicFileAttributes.class);
        Seen before = seen.get(log);
        boolean same = before != null && before.isSame(file);
        long age = clock.millis() - file.lastModifiedTime().toMillis();
        boolean told = same && before != null && before.told();
        if (!told && (same || age > OLD.toMillis())) {
          ready.add(log);
          told = true;
        }
        found.put(log, new Seen(file.size(), file.lastModifiedTime().toMillis(), told));
      } catch (NoSuchFileException e) {
        // It is gone again.
      }
    }
    seen = found;
    return ready;
  }

  /**
   * Some logs could not be loaded for reasons that are not theirs: the next look tells them again.
   */
  public void tellAgain(Collection<Path> logs) {
    for (Path log : logs) {
      seen.computeIfPresent(
          log, (path, before) -> new Seen(before.bytes(), before.changedMillis(), false));
    }
  }
}
