package io.graphmeta.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the launcher of the distribution as a process of its own. */
public final class Launcher {
  /** Where the build lays the distribution out. */
  public static final Path HOME =
      Path.of(System.getProperty("basedir", "."), "target/graphmeta").toAbsolutePath();

  /** The file to start. */
  public static final Path FILE = HOME.resolve("bin/graphmeta");

  private static final int LIMIT_SECONDS = 120;

  private final Path directory;

  /** What a process left. */
  public record Outcome(int exitCode, String output, String errors) {}

  /** Runs in a directory, where it also keeps what the processes print. */
  public Launcher(Path directory) {
    this.directory = directory;
  }

  /** Runs to the end with nothing to read. */
  public Outcome run(String... arguments) throws IOException, InterruptedException {
    return type("", arguments);
  }

  /** Runs to the end with some text on standard input. */
  public Outcome type(String input, String... arguments) throws IOException, InterruptedException {
    return run(FILE, Map.of(), input, arguments);
  }

  /** Runs a launcher to the end, with more variables in its environment. */
  public Outcome run(
      Path launcher, Map<String, String> environment, String input, String... arguments)
      throws IOException, InterruptedException {
    Path typed = Files.writeString(Files.createTempFile(directory, "input", ""), input);
    Path output = Files.createTempFile(directory, "output", "");
    Path errors = Files.createTempFile(directory, "errors", "");
    ProcessBuilder builder = builder(launcher, environment, arguments);
    builder
        .redirectInput(typed.toFile())
        .redirectOutput(output.toFile())
        .redirectError(errors.toFile());
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      // A shell that is killed leaves what it has started: a server, in a page that is typed.
      List<ProcessHandle> started = process.descendants().toList();
      process.destroyForcibly();
      started.forEach(ProcessHandle::destroyForcibly);
      throw new AssertionError(
          "still running after " + LIMIT_SECONDS + " seconds: " + builder.command());
    }
    return new Outcome(
        process.exitValue(),
        Files.readString(output, StandardCharsets.UTF_8),
        Files.readString(errors, StandardCharsets.UTF_8));
  }

  /** A process that is not started yet. */
  public ProcessBuilder builder(
      Path launcher, Map<String, String> environment, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder(launcher.toString());
    builder.command().addAll(List.of(arguments));
    builder.directory(directory.toFile());
    builder.environment().put("GRAPHMETA_JAVA_OPTS", StartedJvm.OPTIONS);
    builder.environment().remove("GRAPHMETA_DB");
    builder.environment().put("GRAPHMETA_CLASS_ARCHIVE", "off");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder;
  }
}
