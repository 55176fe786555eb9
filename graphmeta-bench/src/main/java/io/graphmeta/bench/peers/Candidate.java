package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.runner.GraphMetaProvider;
import io.graphmeta.error.GraphMetaException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A subject, by what its process is started with.
 *
 * @param name what the table calls it
 * @param className its class, a provider or a subject
 * @param classpath what its process finds classes in
 */
record Candidate(String name, String className, String classpath) {
  private static final String PACKAGE = "io.graphmeta.bench.peers.";

  private static final String WITH_ENGINE = "graphmeta-";

  /** What libraries of before Java 17 reach into. */
  private static final List<String> OPENED =
      List.of("java.lang", "java.nio", "java.util", "sun.nio.ch", "java.lang.reflect", "java.net");

  /**
   * The subject of a name. Those of this project run on the class path of this process; a peer on
   * what the script that starts the comparison has put into the directory of the run.
   */
  static Candidate named(String name, Path work) {
    String own = absolute(System.getProperty("java.class.path"));
    return switch (name) {
      case "graphmeta",
          "graphmeta-none",
          "graphmeta-sync",
          "graphmeta-prefetch",
          "graphmeta-async" ->
          new Candidate(name, PACKAGE + "runner.GraphMetaProvider", own);
      case "tinkergraph" -> new Candidate(name, PACKAGE + "runner.TinkerGraphProvider", own);
      case "longs" -> new Candidate(name, PACKAGE + "mark.LongsSubject", own);
      case "seeks" -> new Candidate(name, PACKAGE + "mark.SeeksSubject", own);
      case "janusgraph" -> peer(name, "janusgraph.JanusGraphProvider", work);
      case "hugegraph" -> peer(name, "hugegraph.HugeGraphProvider", work);
      default ->
          throw GraphMetaException.invalid(
              "Subject '"
                  + name
                  + "' is unknown; expected graphmeta, graphmeta-ENGINE, tinkergraph, janusgraph, hugegraph, longs or"
                  + " seeks");
    };
  }

  /** The process runs in another directory. */
  private static String absolute(String classpath) {
    return Arrays.stream(classpath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Candidate peer(String name, String className, Path work) {
    Path classes = work.resolve(name).resolve("classes");
    if (!Files.exists(classes)) {
      throw GraphMetaException.invalid(
          classes + " is missing; start with the script graphmeta-bench/peers/run, which makes it");
    }
    Path libraries = work.resolve(name).resolve("lib").resolve("*");
    return new Candidate(name, PACKAGE + className, classes + File.pathSeparator + libraries);
  }

  /** What starts its process. */
  List<String> command(String heap, String transactions, Path graph, Path work) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-Dgraphmeta.bench.transactions=" + transactions));
    for (String opened : OPENED) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    if (name.startsWith(WITH_ENGINE)) {
      command.add("-D" + GraphMetaProvider.ENGINE + "=" + name.substring(WITH_ENGINE.length()));
    }
    command.addAll(
        List.of(
            "-cp",
            classpath,
            PACKAGE + "runner.Runner",
            className,
            graph.toString(),
            work.resolve(name).resolve("data").toString()));
    return command;
  }
}
