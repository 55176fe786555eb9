package io.graphmeta.server.cli.index;

import static java.util.stream.Collectors.joining;

import io.graphmeta.gremlin.service.GraphMetaServices;
import io.graphmeta.server.cli.connection.Answer;
import java.util.List;
import java.util.Locale;

/** Writes what the service answers about an index as text for people. */
public final class IndexText {
  /** The service that is asked. */
  static final String SERVICE = GraphMetaServices.INDEX;

  private IndexText() {}

  /**
   * An index and how far the shards are with it, with a further line for each shard that has
   * something to say.
   */
  public static String line(Answer index) {
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT, "%-24s %-22s %s", index.text("name"), kinds(index), progress(index)));
    for (Answer shard : index.maps("shards")) {
      for (String field : List.of("away", "fault")) {
        if (!shard.text(field).isEmpty()) {
          line.append(
              String.format(
                  Locale.ROOT, "%n  shard %d: %s", shard.number("shard"), shard.text(field)));
        }
      }
    }
    return line.toString();
  }

  static String kinds(Answer index) {
    String kinds = index.list("kinds").stream().map(String::valueOf).collect(joining(","));
    return index.text("element").equals("edge") ? kinds + " of edges" : kinds;
  }

  private static String progress(Answer index) {
    List<Answer> shards = index.maps("shards");
    long built = shards.stream().filter(IndexText::isBuilt).count();
    if (built == shards.size()) {
      return String.format(
          Locale.ROOT,
          "built, at most %,d ms behind",
          shards.stream().mapToLong(shard -> shard.number("behindMillis")).max().orElse(0));
    }
    return String.format(
        Locale.ROOT,
        "built on %d of %d shards, %,d elements indexed on the others",
        built,
        shards.size(),
        elements(index));
  }

  /** How many elements are indexed on the shards that have not built it. */
  static long elements(Answer index) {
    return index.maps("shards").stream().mapToLong(shard -> shard.number("elements")).sum();
  }

  static boolean isBuilt(Answer indexOrShard) {
    return Boolean.TRUE.equals(indexOrShard.fields().get("built"));
  }
}
