package io.graphmeta.server.cli.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command of this program as a process of its own, on the same Java, as the launcher of the
 * distribution would start it, that ends with this one. What it prints on standard error goes to a
 * file. Used by one thread.
 */
public final class ChildProcess implements AutoCloseable {
  private static final int START_SECONDS = 120;
  private static final int STOP_SECONDS = 30;
  private static final String MAIN = "io.graphmeta.server.cli.GraphMetaCommand";

  /** The directory of the distribution; where there is none a child runs on the classes of this. */
  private static final String HOME = "graphmeta.home";

  /** Tells the libraries of the distribution from those of others. */
  private static final String CLASSES = "graphmeta.classes";

  /** The archive of classes that the launcher has found, or empty. */
  private static final String CLASS_ARCHIVE = "graphmeta.class-archive";

  /** The command that starts a JVM, where it is not the one of this JVM. */
  private static final String JAVA = "graphmeta.java";

  private static final int LEAST_PORT = 20_000;

  /**
   * From here on Linux gives ports to those who call. A caller that tries to reach a process that
   * is away could be given the port of that process, and would keep it from coming back.
   */
  private static final int LEAST_GIVEN_PORT = 32_768;

  private static final int PORT_ATTEMPTS = 100;

  private final String name;
  private final Path errors;
  private final Process process;
  private final CompletableFuture<String> begun = new CompletableFuture<>();

  private ChildProcess(String name, Path errors, Process process, String sign) {
    this.name = name;
    this.errors = errors;
    this.process = process;
    Thread reader = new Thread(() -> read(sign), "graphmeta-output-of-" + name);
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a command.
   *
   * @param name for people and for the file of its errors
   * @param directory where that file is
   * @param options of its JVM
   * @param sign what the line on its standard output contains that says that it is at work
   */
  public static ChildProcess start(
      String name, Path directory, List<String> options, String sign, List<String> arguments) {
    List<String> line = new ArrayList<>();
    line.add(
        System.getProperty(
            JAVA, Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    String home = System.getProperty(HOME);
    if (home != null && Files.exists(Path.of(home, "conf", "jvm.options"))) {
      line.addAll(ofDistribution(Path.of(home)));
      line.addAll(options);
      line.addAll(List.of("-cp", Path.of(home, "lib") + "/*"));
    } else {
      line.addAll(options);
      line.addAll(List.of("-cp", System.getProperty("java.class.path")));
    }
    line.addAll(List.of(EndsWithParent.class.getName(), MAIN));
    line.addAll(arguments);
    Path errors = directory.resolve(name + ".log");
    try {
      Files.createDirectories(directory);
      Process process =
          new ProcessBuilder(line)
              .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
              .start();
      return new ChildProcess(name, errors, process, sign);
    } catch (IOException e) {
      throw new GraphMetaException(
          ErrorCode.STORAGE_FAILURE, "The process of " + name + " cannot be started: " + e, e);
    }
  }

  /** What the launcher tells the JVM. */
  private static List<String> ofDistribution(Path home) {
    List<String> line = new ArrayList<>();
    line.add("@" + home.resolve("conf").resolve("jvm.options"));
    String archive = System.getProperty(CLASS_ARCHIVE, "");
    if (!archive.isEmpty()) {
      line.add("-XX:SharedArchiveFile=" + archive);
      line.addAll(List.of("-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
    }
    int java = Runtime.version().feature();
    if (java >= 22) {
      line.add("--enable-native-access=ALL-UNNAMED");
    }
    if (java >= 23) {
      line.add("--sun-misc-unsafe-memory-access=allow");
    }
    line.add("-D" + HOME + "=" + home);
    line.add("-D" + CLASSES + "=" + System.getProperty(CLASSES, ""));
    line.add("-D" + CLASS_ARCHIVE + "=" + archive);
    line.add("-Djava.library.path=" + home.resolve("lib").resolve("native"));
    line.add("-Dlogback.configurationFile=" + home.resolve("conf").resolve("logback.xml"));
    return line;
  }

  /** A port of this machine that nothing listened on a moment ago. */
  public static int freePort() {
    IOException last = null;
    for (int attempt = 0; attempt < PORT_ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, LEAST_GIVEN_PORT);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        last = e;
      }
    }
    throw new GraphMetaException(
        ErrorCode.STORAGE_FAILURE, "No port of this machine is free: " + last, last);
  }

  private void read(String sign) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains(sign)) {
          begun.complete(line);
        }
      }
    } catch (IOException e) {
      begun.completeExceptionally(e);
    }
    begun.completeExceptionally(new IOException("it has ended"));
  }

  /**
   * Waits until it is at work.
   *
   * @return the line that says so
   * @throws GraphMetaException {@code UNAVAILABLE} if it ends before, or takes too long
   */
  public String awaitBegun() {
    try {
      return begun.get(START_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "The process of " + name + " did not come to work; see " + errors,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "Interrupted while " + name + " was starting", e);
    }
  }

  /** The process, which somebody may want to kill or to pause. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Asks it to stop, and does not wait. */
  void askToStop() {
    // The process itself would close its standard input as well, by which it ends at once.
    process.toHandle().destroy();
  }

  /** Asks it to stop, and waits until it has. */
  @Override
  public void close() {
    askToStop();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
