package io.graphmeta.gremlin.process.step;

import io.graphmeta.traversal.TraversalProfile;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;

/** Shows what a plan took in the measurements of a step: a nested entry for each level. */
final class PlanMetrics {
  private static final double NANOS_PER_MILLI = 1e6;

  private PlanMetrics() {}

  static void put(TraversalProfile profile, MutableMetrics metrics) {
    Map<Integer, MutableMetrics> levels = new TreeMap<>();
    Map<Integer, Long> longest = new TreeMap<>();
    for (TraversalProfile.Part part : profile.parts()) {
      MutableMetrics level =
          levels.computeIfAbsent(
              part.level(), number -> new MutableMetrics("level" + number, "level " + number));
      add(level, "frontier", part.frontier());
      add(level, "edges", part.edges());
      add(level, "bytes", part.bytes());
      add(level, "messages", part.messages());
      add(level, "cacheHits", part.cacheHits());
      add(level, "cacheMisses", part.cacheMisses());
      add(level, "prefetched", part.prefetched());
      add(level, "prefetchUsed", part.prefetchUsed());
      longest.merge(part.level(), part.workNanos(), Math::max);
      level.setAnnotation("shard " + part.shard(), times(part));
    }
    metrics.setAnnotation("engine", profile.engine().name().toLowerCase(Locale.ROOT));
    metrics.setAnnotation("levels", levels.size());
    levels.forEach(
        (number, level) -> {
          level.setDuration(longest.getOrDefault(number, 0L), TimeUnit.NANOSECONDS);
          level.setCount(
              TraversalMetrics.TRAVERSER_COUNT_ID, (Long) level.getAnnotation("frontier"));
          metrics.addNested(level);
        });
  }

  private static void add(MutableMetrics level, String name, long amount) {
    Object before = level.getAnnotation(name);
    level.setAnnotation(name, before instanceof Long sum ? sum + amount : amount);
  }

  private static String times(TraversalProfile.Part part) {
    return String.format(
        Locale.ROOT,
        "from %.3f ms: work %.3f ms, wait %.3f ms, of that %.3f ms reading ahead",
        part.startNanos() / NANOS_PER_MILLI,
        part.workNanos() / NANOS_PER_MILLI,
        part.waitNanos() / NANOS_PER_MILLI,
        part.prefetchNanos() / NANOS_PER_MILLI);
  }
}
