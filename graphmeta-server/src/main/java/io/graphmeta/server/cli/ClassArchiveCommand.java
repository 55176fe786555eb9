package io.graphmeta.server.cli;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
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
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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
          + " start faster. The archive holds for the Java and the directory that it was written with; others start"
          + " without it."
    },
    footer = {"%nExamples:%n  graphmeta class-archive%n"})
final class ClassArchiveCommand implements Callable<Integer> {
  private static final String HOME = "graphmeta.home";
  private static final String JAVA_OPTIONS = "GRAPHMETA_JAVA_OPTS";
  private static final int LIMIT_SECONDS = 300;
  private static final int ANSWER_MILLIS = 30_000;
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--rehearse",
      paramLabel = "DIR",
      hidden = true,
      description = "Do what all commands but the console do, with a database in DIR.")
  private @Nullable Path rehearsed;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rehearsed != null) {
      rehearse(rehearsed);
      return 0;
    }
    String home = System.getProperty(HOME);
    if (home == null || !Files.isWritable(Path.of(home, "lib"))) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The archive is written into lib/ of the distribution ("
              + home
              + "), where this user may not write; run bin/graphmeta class-archive as its owner");
    }
    Path work = Files.createTempDirectory("graphmeta-classes");
    try {
      write(Path.of(home), work);
    } finally {
      DemoCommand.delete(work);
    }
    return 0;
  }

  private void write(Path home, Path work) throws IOException, InterruptedException {
    Path archive = home.resolve("lib/graphmeta.jsa");
    Files.deleteIfExists(archive); // A process that begins from an archive writes none.
    Path written = work.resolve("graphmeta.jsa");
    Path log = work.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
            home.resolve("bin/graphmeta").toString(),
            "class-archive",
            "--rehearse",
            work.resolve("db").toString());
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
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(written, archive, StandardCopyOption.REPLACE_EXISTING);
    spec.commandLine().getOut().printf("%s, %,d bytes%n", archive, Files.size(archive));
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

  /** This process ends with the rehearsal; so what the commands print goes here from now on. */
  private int execute(Writer out, String... command) {
    return spec.root().commandLine().setOut(new PrintWriter(out)).execute(command);
  }
}
