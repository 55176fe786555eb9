package io.graphmeta.bench.phases;

import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.phases.Phases.Kind;
import io.graphmeta.protocol.Request.Manner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What the Flight Recorder of each node told of its shards, by the clock of the machine that all of
 * them run on. Immutable.
 */
final class NodeRecordings {
  private static final String LEVEL = "graphmeta.Level";

  private final List<RecordedEvent> events;

  private NodeRecordings(List<RecordedEvent> events) {
    this.events = events;
  }

  /** Options of a JVM by which it records what shards do, and writes it when it ends. */
  static List<String> options(Path directory) {
    return List.of(
        "-XX:StartFlightRecording=settings=none,maxsize=2g,dumponexit=true,filename=" + directory);
  }

  /** Reads all recordings of a directory, of JVMs that have ended. */
  static NodeRecordings read(Path directory) throws IOException {
    List<RecordedEvent> events = new ArrayList<>();
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(".jfr")).toList();
    }
    for (Path file : files) {
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        if (event.getEventType().getName().startsWith("graphmeta.")) {
          events.add(event);
        }
      }
    }
    return new NodeRecordings(events);
  }

  /** What shards did between two moments; times are from the first. */
  List<Interval> between(Instant began, Instant ended) {
    List<Interval> intervals = new ArrayList<>();
    for (RecordedEvent event : events) {
      Instant start = event.getStartTime();
      if (start.isBefore(began) || start.isAfter(ended)) {
        continue;
      }
      int shard = event.getInt("shard");
      long startNanos = Duration.between(began, start).toNanos();
      // What was read ahead may go on a little behind the end.
      long endNanos =
          Math.min(
              startNanos + event.getDuration().toNanos(), Duration.between(began, ended).toNanos());
      Kind kind = kind(event.getEventType().getName());
      intervals.add(new Interval(shard, kind, startNanos, endNanos));
      if (startsLevel(event)) {
        intervals.add(new Interval(shard, Kind.START, startNanos, startNanos));
      }
    }
    return intervals;
  }

  /** Whether the client has started a level: where there are none, and within one, it has not. */
  private static boolean startsLevel(RecordedEvent event) {
    return event.getEventType().getName().equals(LEVEL)
        && !event.getBoolean("sentOn")
        && !event.getString("manner").equals(Manner.ASYNC.name());
  }

  private static Kind kind(String event) {
    return switch (event) {
      case LEVEL -> Kind.LEVEL;
      case "graphmeta.NeighbourRead" -> Kind.READ_EDGES;
      case "graphmeta.RowRead" -> Kind.READ_VERTICES;
      case "graphmeta.ReadAhead" -> Kind.PREFETCH;
      default -> throw new IllegalStateException("Event " + event + " belongs to no phase");
    };
  }
}
