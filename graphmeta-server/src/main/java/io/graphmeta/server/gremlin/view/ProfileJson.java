package io.graphmeta.server.gremlin.view;

import io.graphmeta.server.picture.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.jspecify.annotations.Nullable;

/** What a query took: its steps, below a plan its levels, and on each of these the shards. */
final class ProfileJson {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String SHARD = "shard ";
  private static final List<String> COUNTS =
      List.of(
          "frontier",
          "edges",
          "bytes",
          "messages",
          "cacheHits",
          "cacheMisses",
          "prefetched",
          "prefetchUsed");

  /** As the steps of plans write what a shard did on a level. */
  private static final Pattern WORK =
      Pattern.compile("from ([0-9.]+) ms: work ([0-9.]+) ms, wait ([0-9.]+) ms.*");

  private ProfileJson() {}

  static Map<String, Object> of(TraversalMetrics metrics) {
    List<Object> steps = new ArrayList<>();
    for (Metrics step : metrics.getMetrics()) {
      List<Object> levels = new ArrayList<>();
      step.getNested().forEach(level -> levels.add(level(level)));
      steps.add(
          new Members()
              .put("name", VisibleText.of(step.getName()))
              .put("millis", millis(step))
              .put("results", count(step.getCount(TraversalMetrics.ELEMENT_COUNT_ID)))
              .list("levels", levels)
              .toMap());
    }
    return new Members()
        .put("millis", metrics.getDuration(TimeUnit.NANOSECONDS) / NANOS_PER_MILLI)
        .list("steps", steps)
        .toMap();
  }

  private static Map<String, Object> level(Metrics level) {
    Members members =
        new Members().put("name", VisibleText.of(level.getName())).put("millis", millis(level));
    for (String count : COUNTS) {
      members.put(count, level.getAnnotation(count));
    }
    List<Object> shards = new ArrayList<>();
    level
        .getAnnotations()
        .forEach(
            (key, value) -> {
              if (key.startsWith(SHARD)) {
                shards.add(shard(key, String.valueOf(value)));
              }
            });
    return members.list("shards", shards).toMap();
  }

  private static Map<String, Object> shard(String name, String text) {
    Members members = new Members().put("name", name).put("text", text);
    Matcher work = WORK.matcher(text);
    if (work.matches()) {
      members
          .put("fromMillis", Double.valueOf(work.group(1)))
          .put("workMillis", Double.valueOf(work.group(2)))
          .put("waitMillis", Double.valueOf(work.group(3)));
    }
    return members.toMap();
  }

  private static double millis(Metrics metrics) {
    return metrics.getDuration(TimeUnit.NANOSECONDS) / NANOS_PER_MILLI;
  }

  private static long count(@Nullable Long count) {
    return count == null ? 0 : count;
  }
}
