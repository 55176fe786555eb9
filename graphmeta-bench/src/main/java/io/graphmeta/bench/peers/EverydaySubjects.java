package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.mark.RawGraph;
import io.graphmeta.bench.peers.runner.GraphMetaProvider;
import io.graphmeta.bench.peers.runner.everyday.Workload;
import io.graphmeta.error.GraphMetaException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The subjects of the everyday comparison, by name. Stateless. */
final class EverydaySubjects {
  /** All of them, in the order of the table. */
  static final String ALL =
      "raw,raw-sync,tinkergraph,hugegraph,janusgraph,graphmeta,graphmeta-sync,graphmeta-4,"
          + "graphmeta-4-sync,before,before-sync,before-4,before-4-sync";

  private static final String SYNC = "-sync";
  private static final String FOUR = "-4";
  private static final List<String> MODULES =
      List.of("graphmeta-core", "graphmeta-gremlin", "graphmeta-server");

  private EverydaySubjects() {}

  /**
   * The subject of a name.
   *
   * @param before the checkout whose classes {@code before} runs, built
   */
  static Candidate named(String name, String before, Path work) {
    return switch (name) {
      case "raw" -> Candidate.own(name, "mark.RawGraph", Map.of());
      case "raw-sync" -> Candidate.own(name, "mark.RawGraph", Map.of(RawGraph.SYNC, "true"));
      case "tinkergraph" -> Candidate.own(name, "runner.TinkerGraphProvider", Map.of());
      case "hugegraph", "janusgraph" -> Candidate.peer(name, work);
      case "graphmeta", "graphmeta-sync", "graphmeta-4", "graphmeta-4-sync" -> graphMeta(name);
      case "before", "before-sync", "before-4", "before-4-sync" -> before(graphMeta(name), before);
      default ->
          throw GraphMetaException.invalid(
              "Subject '" + name + "' is unknown; expected some of " + ALL);
    };
  }

  private static Candidate graphMeta(String name) {
    String settings =
        "graphmeta.durability="
            + (name.endsWith(SYNC) ? "sync" : "background")
            + (name.contains(FOUR) ? ",graphmeta.shards=4" : "");
    return Candidate.own(
        name, "runner.GraphMetaProvider", Map.of(GraphMetaProvider.SETTINGS, settings));
  }

  /** The runner comes from this checkout, all else from the other. */
  private static Candidate before(Candidate now, String checkout) {
    if (checkout.isEmpty()) {
      throw GraphMetaException.invalid(
          "Subject '" + now.name() + "' needs --before=DIR, a checkout that is built");
    }
    Path root = Path.of(checkout).toAbsolutePath();
    String classes =
        MODULES.stream()
            .map(module -> root.resolve(module).resolve("target/classes").toString())
            .collect(Collectors.joining(File.pathSeparator));
    try {
      String jars = Files.readString(root.resolve("graphmeta-bench/target/classpath")).strip();
      return new Candidate(
          now.name(),
          now.className(),
          now.runner(),
          classes + File.pathSeparator + jars,
          now.properties());
    } catch (IOException e) {
      throw new GraphMetaException(
          io.graphmeta.error.ErrorCode.INVALID_ARGUMENT,
          root + " is not built; run mvn -q -DskipTests package there",
          e);
    }
  }

  /** A subject takes part where its way to write, or to read, makes a difference. */
  static boolean takesPart(String name, Workload workload) {
    Workload.Kind kind = workload.kind();
    if (name.endsWith(SYNC)) {
      return kind.writes() && kind != Workload.Kind.LOAD;
    }
    return !name.equals("raw") || !kind.isTimed();
  }

  /** What tells the libraries of a subject from those before a change: when they were changed. */
  static String version(Candidate candidate) throws IOException {
    long newest = 0;
    for (String entry : candidate.libraries().split(File.pathSeparator)) {
      Path path = Path.of(entry.endsWith("*") ? entry.substring(0, entry.length() - 1) : entry);
      if (Files.exists(path)) {
        try (Stream<Path> walk = Files.walk(path)) {
          for (Path each : walk.toList()) {
            newest = Math.max(newest, Files.getLastModifiedTime(each).toMillis());
          }
        }
      }
    }
    return candidate.libraries() + " of " + newest + ", " + candidate.properties();
  }
}
