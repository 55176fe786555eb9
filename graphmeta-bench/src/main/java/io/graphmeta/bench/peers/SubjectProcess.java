package io.graphmeta.bench.peers;

import io.graphmeta.bench.peers.runner.Query;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The process of a subject, as a loop of commands serves it. A command that takes longer than its
 * limit ends the process, for not every library lets go of a query in another way, and some lose
 * their files when they are interrupted.
 */
final class SubjectProcess implements AutoCloseable {
  private static final String END = "";

  private final String name;
  private final ProcessBuilder builder;
  private @Nullable Running running;

  private record Running(Process process, Writer commands, BlockingQueue<String> replies) {}

  /** A command took too long. */
  static final class OverLimitException extends Exception {
    private static final long serialVersionUID = 1;

    OverLimitException(String message) {
      super(message);
    }
  }

  /** The subject could not do what it was told. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  /** What came of a query: the answer, and the time of one of its executions. */
  record Outcome(String answer, double millis, double cpuMillis) {}

  SubjectProcess(String name, List<String> command, Path directory) throws IOException {
    this.name = name;
    builder =
        new ProcessBuilder(command)
            .directory(Files.createDirectories(directory).toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()));
  }

  /** What the table calls the subject. */
  String name() {
    return name;
  }

  @Override
  public String toString() {
    return name();
  }

  /** Starts the process, unless it runs. */
  void start() throws IOException {
    if (running != null) {
      return;
    }
    Process process = builder.start();
    BlockingQueue<String> replies = new LinkedBlockingQueue<>();
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(
                      new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                lines.lines().forEach(replies::add);
              } catch (IOException | java.io.UncheckedIOException e) {
                replies.add("failed\t" + e);
              }
              replies.add(END);
            },
            "replies of " + name());
    reader.setDaemon(true);
    reader.start();
    running = new Running(process, process.outputWriter(StandardCharsets.UTF_8), replies);
  }

  /** Gives a command other than a query. */
  void tell(String command, long limitMillis)
      throws IOException, InterruptedException, OverLimitException, RefusedException {
    ask(command, limitMillis);
  }

  /** Asks a query so many times in succession. */
  Outcome run(Query query, int count, long limitMillis)
      throws IOException, InterruptedException, OverLimitException, RefusedException {
    String[] fields = ask("run " + query + " " + count, limitMillis);
    return new Outcome(
        fields[1],
        Long.parseLong(fields[2]) / 1e6 / count,
        Long.parseLong(fields[3]) / 1e6 / count);
  }

  /** Gives a command; the fields of the reply, the first of which is {@code ok}. */
  String[] ask(String command, long limitMillis)
      throws IOException, InterruptedException, OverLimitException, RefusedException {
    Running now = running;
    if (now == null) {
      throw new IOException("The process of " + name() + " does not run");
    }
    now.commands().write(command + "\n");
    now.commands().flush();
    String reply = now.replies().poll(limitMillis, TimeUnit.MILLISECONDS);
    if (reply == null) {
      kill();
      throw new OverLimitException(name() + " took more than " + limitMillis + " ms: " + command);
    }
    if (reply.equals(END)) {
      running = null;
      throw new IOException("The process of " + name() + " ended; see its log");
    }
    String[] fields = reply.split("\t");
    if (!fields[0].equals("ok")) {
      throw new RefusedException(name() + " could not " + command + ": " + reply);
    }
    return fields;
  }

  private void kill() throws InterruptedException {
    Running now = running;
    running = null;
    if (now != null) {
      now.process().destroyForcibly();
      now.process().waitFor();
    }
  }

  /** Ends the process, in order if it is able to. */
  void stop() throws InterruptedException {
    Running now = running;
    if (now != null) {
      try {
        now.commands().write("quit\n");
        now.commands().flush();
        now.process().waitFor(30, TimeUnit.SECONDS);
      } catch (IOException e) {
        // It has ended by itself.
      }
      kill();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }
}
