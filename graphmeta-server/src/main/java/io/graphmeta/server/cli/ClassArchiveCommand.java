package io.graphmeta.server.cli;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.cluster.RehearsedCluster;
import io.graphmeta.server.cli.demo.DemoCommand;
import io.graphmeta.server.cli.server.ServerCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Writes the archive of classes that later starts begin from. Java writes what a process has loaded
 * when that process ends; so a process does in turn what all commands do. Its class path begins
 * that of the console, which brings Groovy beside, so that the archive serves the console, too.
 */
@Command(
    name = "class-archive",
    description = {
      "Writes the classes of this distribution down as this Java wants them, beside the libraries, so that later commands"
          + " of all users start faster. The archive holds for the Java and the directory that it was written with; with others"
          + " each user's first command writes one into the user's cache, in the background."
    },
    footer = {"%nExamples:%n  graphmeta class-archive%n"})
final class ClassArchiveCommand implements Callable<Integer> {
  private static final String HOME = "graphmeta.home";
  private static final String KEY = "graphmeta.classes";
  private static final String JAVA_OPTIONS = "GRAPHMETA_JAVA_OPTS";
  private static final String LOG = "log";
  private static final int LIMIT_SECONDS = 300;
  private static final long NEEDED_BYTES = 256L << 20;
  private static final int KEPT_ARCHIVES = 3;
  private static final int ANSWER_MILLIS = 30_000;
  private static final String WITHOUT_NODES = "The archive is without the classes of nodes: ";
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--rehearse",
      paramLabel = "DIR",
      hidden = true,
      description = "Do what all commands but the console do, with a database in DIR.")
  private @Nullable Path rehearsed;

  @Option(
      names = "--nodes",
      hidden = true,
      description = "With --rehearse: do what the nodes of a cluster do, too.")
  private boolean nodesToo;

  @Option(
      names = "--cache",
      paramLabel = "DIR",
      hidden = true,
      description =
          "Write into DIR, a cache of the user, as the launcher does behind a first command.")
  private @Nullable Path cache;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rehearsed != null) {
      rehearse(rehearsed);
      return 0;
    }
    String home = System.getProperty(HOME);
    String key = System.getProperty(KEY);
    if (home == null || key == null) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "This is no distribution with a launcher; run bin/graphmeta class-archive of one");
    }
    if (cache == null) {
      writeBesideLibraries(Path.of(home), key);
    } else {
      writeIntoCache(Path.of(home), cache, key);
    }
    return 0;
  }

  private void writeBesideLibraries(Path home, String key)
      throws IOException, InterruptedException {
    Path lib = home.resolve("lib");
    if (!Files.isWritable(lib)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The archive is written into lib/ of the distribution ("
              + home
              + "), where this user may not write; run bin/graphmeta class-archive as its owner");
    }
    Path archive = lib.resolve("graphmeta.jsa");
    Path keyFile = lib.resolve("graphmeta.jsa.key");
    // A process that begins from an archive writes none; the launcher takes none without its key.
    Files.deleteIfExists(keyFile);
    Path work = Files.createTempDirectory(lib, ".classes");
    try {
      Path written = write(home, work, "--nodes");
      tellWhatIsMissing(work);
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(written, archive, StandardCopyOption.ATOMIC_MOVE);
      Files.writeString(keyFile, key + "\n");
      Files.setPosixFilePermissions(keyFile, PosixFilePermissions.fromString("rw-r--r--"));
    } finally {
      DemoCommand.delete(work);
    }
    spec.commandLine().getOut().printf("%s, %,d bytes%n", archive, Files.size(archive));
  }

  /**
   * Writes the archive of one user. All that is not finished lies in one directory, which the
   * launcher made, so that one process writes it and nothing else is left by one that was killed.
   * After a failure the directory stays, empty, and tells the launcher not to try again soon.
   */
  private void writeIntoCache(Path home, Path directory, String key)
      throws IOException, InterruptedException {
    Path work = Files.createDirectories(directory.resolve("classes-" + key + ".making"));
    Path attempt = Files.createDirectory(work.resolve("attempt"));
    try {
      long free = Files.getFileStore(work).getUsableSpace();
      if (free < NEEDED_BYTES) {
        throw new GraphMetaException(
            ErrorCode.INVALID_CONFIGURATION,
            "There are %,d bytes free at %s; an archive of classes takes %,d to write"
                .formatted(free, directory, NEEDED_BYTES));
      }
      Path archive = directory.resolve("classes-" + key + ".jsa");
      Files.move(write(home, attempt), archive, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      DemoCommand.delete(attempt);
    }
    Files.deleteIfExists(work);
    dropOldest(directory);
  }

  /**
   * Keeps the newest archives, for a user comes by new Javas and new versions of the distribution.
   */
  private static void dropOldest(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> oldest =
          files
              .filter(file -> file.getFileName().toString().matches("classes-\\d+\\.jsa"))
              .sorted(Comparator.comparing((Path file) -> file.toFile().lastModified()).reversed())
              .skip(KEPT_ARCHIVES)
              .toList();
      for (Path file : oldest) {
        Files.deleteIfExists(file);
      }
    }
  }

  private void tellWhatIsMissing(Path work) throws IOException {
    try (Stream<String> lines = Files.lines(work.resolve(LOG))) {
      lines
          .filter(line -> line.startsWith(WITHOUT_NODES))
          .forEach(spec.commandLine().getErr()::println);
    }
  }

  /** Has a process write an archive below a directory. */
  private static Path write(Path home, Path work, String... more)
      throws IOException, InterruptedException {
    Path written = work.resolve("graphmeta.jsa");
    Path log = work.resolve(LOG);
    ProcessBuilder builder =
        new ProcessBuilder(
            home.resolve("bin/graphmeta").toString(),
            "class-archive",
            "--rehearse",
            work.resolve("db").toString());
    builder.command().addAll(List.of(more));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder
        .environment()
        .put(JAVA_OPTIONS, "-XX:ArchiveClassesAtExit=" + written + " -Xlog:disable");
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    process.getOutputStream().close();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    if (process.waitFor() != 0 || !Files.exists(written)) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL,
          "Java wrote no archive of classes (exit code "
              + process.exitValue()
              + "): "
              + Files.readString(log, StandardCharsets.UTF_8).strip());
    }
    return written;
  }

  /** One command after the other in this process, and at last the server, which ends with it. */
  private void rehearse(Path database) throws IOException {
    String db = database.toString();
    run("demo", "--db", db);
    run("status", "--db", db);
    run("check", "--db", db);
    run("lineage", "--db", db, FIGURE);
    run("history", "--db", db, FIGURE);
    run("query", "--db", db, "g.V().hasLabel('file').limit(3).valueMap()");
    run("--help");
    if (nodesToo) {
      rehearseNodes(database.resolveSibling("cluster"));
    }
    PipedWriter announcements = new PipedWriter();
    try (BufferedReader lines = new BufferedReader(new PipedReader(announcements))) {
      Thread server =
          new Thread(
              () ->
                  execute(
                      announcements,
                      "server",
                      "--db",
                      db,
                      "--port",
                      "0",
                      "--admin-port",
                      "0",
                      "--no-log-in"),
              "rehearsed-server");
      server.setDaemon(true);
      server.start();
      String line = lines.readLine();
      while (!line.startsWith(ServerCommand.LISTENING)) {
        line = lines.readLine();
      }
      ask(line.substring(ServerCommand.LISTENING.length()));
    }
  }

  /**
   * Behind the first command of a user nobody expects nodes, which listen. Where no cluster can be
   * started, nodes load their classes themselves.
   */
  private void rehearseNodes(Path directory) {
    try {
      RehearsedCluster.rehearse(directory, spec.root().version()[0]);
    } catch (GraphMetaException e) {
      spec.commandLine().getErr().println(WITHOUT_NODES + e);
    }
  }

  /** One request through all that a request of a client goes through, its metrics and audit too. */
  private static void ask(String address) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://" + address + "/gremlin").toURL().openConnection();
    connection.setConnectTimeout(ANSWER_MILLIS);
    connection.setReadTimeout(ANSWER_MILLIS);
    connection.setDoOutput(true);
    connection.setRequestProperty("Content-Type", "application/json");
    try (OutputStream body = connection.getOutputStream()) {
      body.write("{\"gremlin\":\"g.V().count()\"}".getBytes(StandardCharsets.UTF_8));
    }
    if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL,
          "The rehearsed server answered "
              + connection.getResponseCode()
              + "; expected "
              + HttpURLConnection.HTTP_OK);
    }
    connection.disconnect();
  }

  private void run(String... command) {
    int exitCode = execute(Writer.nullWriter(), command);
    if (exitCode != 0) {
      throw new GraphMetaException(
          ErrorCode.INTERNAL, "graphmeta " + String.join(" ", command) + " ended with " + exitCode);
    }
  }

  /** This process ends with the rehearsal; so what the commands print goes here from here on. */
  private int execute(Writer out, String... command) {
    return spec.root().commandLine().setOut(new PrintWriter(out)).execute(command);
  }
}
