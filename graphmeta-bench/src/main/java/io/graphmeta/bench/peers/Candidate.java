package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.runner.GraphMetaProvider;
import io.graphmeta.error.GraphMetaException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A subject, by what its process is started with.
 *
 * @param name what the table calls it
 * @param className its class, a provider or a subject
 * @param runner where its process finds the classes of this module
 * @param libraries where it finds all other classes
 * @param properties the system properties of its process
 */
record Candidate(
    String name,
    String className,
    String runner,
    String libraries,
    Map<String, String> properties) {
  /** Where the classes of subjects are. */
  static final String PACKAGE = "io.graphmeta.bench.peers.";

  private static final String WITH_ENGINE = "graphmeta-";

  /** What libraries of before Java 17 reach into. */
  private static final List<String> OPENED =
      List.of("java.lang", "java.nio", "java.util", "sun.nio.ch", "java.lang.reflect", "java.net");

  /**
   * The subject of a name. Those of this project run on the class path of this process; a peer on
   * what the script that starts the comparison has put into the directory of the run.
   */
  static Candidate named(String name, Path work) {
    return switch (name) {
      case "graphmeta" -> own(name, "runner.GraphMetaProvider", Map.of());
      case "graphmeta-none", "graphmeta-sync", "graphmeta-prefetch", "graphmeta-async" ->
          own(
              name,
              "runner.GraphMetaProvider",
              Map.of(GraphMetaProvider.ENGINE, name.substring(WITH_ENGINE.length())));
      case "tinkergraph" -> own(name, "runner.TinkerGraphProvider", Map.of());
      case "longs" -> own(name, "mark.LongsSubject", Map.of());
      case "seeks" -> own(name, "mark.SeeksSubject", Map.of());
      case "janusgraph", "hugegraph" -> peer(name, work);
      default ->
          throw GraphMetaException.invalid(
              "Subject '"
                  + name
                  + "' is unknown; expected graphmeta, graphmeta-ENGINE, tinkergraph, janusgraph, hugegraph, longs or"
                  + " seeks");
    };
  }

  /** A subject that runs on the class path of this process, from which it has this module first. */
  static Candidate own(String name, String className, Map<String, String> properties) {
    String[] classpath = System.getProperty("java.class.path").split(File.pathSeparator, 2);
    return new Candidate(
        name,
        PACKAGE + className,
        absolute(classpath[0]),
        classpath.length == 1 ? "" : absolute(classpath[1]),
        properties);
  }

  /** The process runs in another directory. */
  private static String absolute(String classpath) {
    return Arrays.stream(classpath.split(File.pathSeparator))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A subject that runs on what the script has fetched and compiled. */
  static Candidate peer(String name, Path work) {
    Path classes = work.resolve(name).resolve("classes");
    if (!Files.exists(classes)) {
      throw GraphMetaException.invalid(
          classes + " is missing; start with the script graphmeta-bench/peers/run, which makes it");
    }
    String className = name.equals("hugegraph") ? "HugeGraphProvider" : "JanusGraphProvider";
    return new Candidate(
        name,
        PACKAGE + name + "." + className,
        classes.toString(),
        work.resolve(name).resolve("lib").resolve("*").toString(),
        Map.of());
  }

  /**
   * What starts its process.
   *
   * @param main the class of this module that is started, with the class of the subject and these
   *     arguments
   */
  List<String> command(
      String heap, Map<String, String> moreProperties, String main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap));
    for (String opened : OPENED) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    properties.forEach((key, value) -> command.add("-D" + key + "=" + value));
    moreProperties.forEach((key, value) -> command.add("-D" + key + "=" + value));
    command.add("-cp");
    command.add(runner + File.pathSeparator + libraries);
    command.add(PACKAGE + main);
    command.add(className);
    command.addAll(List.of(arguments));
    return command;
  }
}
