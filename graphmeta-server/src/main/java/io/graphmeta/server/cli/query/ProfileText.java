package io.graphmeta.server.cli.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.jspecify.annotations.Nullable;

/** What a traversal took, as lines of text: its steps, and below a plan its levels and shards. */
final class ProfileText {
  private static final double NANOS_PER_MILLI = 1e6;
  private static final String SHARD = "shard ";

  /** A column of a level: its title, and the measurement in it. */
  private record Column(String title, String annotation) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("frontier", "frontier"),
          new Column("edges", "edges"),
          new Column("bytes", "bytes"),
          new Column("messages", "messages"),
          new Column("cache hits", "cacheHits"),
          new Column("misses", "cacheMisses"),
          new Column("read ahead", "prefetched"),
          new Column("of use", "prefetchUsed"));

  private ProfileText() {}

  static List<String> lines(TraversalMetrics metrics) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%.3f ms in all",
            metrics.getDuration(TimeUnit.NANOSECONDS) / NANOS_PER_MILLI));
    for (Metrics step : metrics.getMetrics()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "%10.3f ms  %8d results  %s",
              millis(step),
              count(step.getCount(TraversalMetrics.ELEMENT_COUNT_ID)),
              step.getName()));
      addLevels(lines, step);
    }
    return lines;
  }

  private static void addLevels(List<String> lines, Metrics step) {
    boolean first = true;
    for (Metrics level : step.getNested()) {
      if (level.getAnnotation("frontier") == null) {
        continue;
      }
      if (first) {
        lines.add("              " + row("", COLUMNS.stream().map(Column::title).toList()));
        first = false;
      }
      List<String> values =
          COLUMNS.stream()
              .map(column -> String.valueOf(level.getAnnotation(column.annotation)))
              .toList();
      lines.add("              " + row(level.getName(), values));
      level
          .getAnnotations()
          .forEach(
              (key, value) -> {
                if (key.startsWith(SHARD)) {
                  lines.add("                " + key + ": " + value);
                }
              });
    }
  }

  private static String row(String name, List<String> values) {
    StringBuilder row = new StringBuilder(String.format("%-9s", name));
    values.forEach(value -> row.append(String.format("%12s", value)));
    return row.toString();
  }

  private static double millis(Metrics step) {
    return step.getDuration(TimeUnit.NANOSECONDS) / NANOS_PER_MILLI;
  }

  private static long count(@Nullable Long count) {
    return count == null ? 0 : count;
  }
}
