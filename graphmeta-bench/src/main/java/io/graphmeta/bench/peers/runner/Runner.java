package io.graphmeta.bench.peers.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The process of one subject. Arguments: the class of a {@link Provider} or a {@link Subject}, the
 * graph file, the directory of the subject. Takes a command a line from standard input and answers
 * each with a line on standard output, fields separated by tabulators:
 *
 * <ul>
 *   <li>{@code load}: fill the directory, unless that is done; {@code ok}
 *   <li>{@code open}, {@code close}: the subject; {@code ok}
 *   <li>{@code run QUERY COUNT}: ask so many times in succession; {@code ok}, the answer, the
 *       nanoseconds by the clock and of the processors for all of them
 *   <li>{@code quit}
 * </ul>
 *
 * <p>A failure is answered by {@code failed} and what went wrong. What libraries print goes to
 * standard error.
 */
public final class Runner {
  private final Subject subject;
  private final GraphFile graph;
  private final Path directory;
  private final Answers answers;

  private Runner(Subject subject, GraphFile graph, Path directory) {
    this.subject = subject;
    this.graph = graph;
    this.directory = directory;
    this.answers = new Answers(graph, subject);
  }

  /** Serves commands until {@code quit} or the end of standard input. */
  public static void main(String[] arguments) throws Exception {
    PrintStream replies = System.out;
    System.setOut(System.err);
    Object made = Class.forName(arguments[0]).getConstructor().newInstance();
    Subject subject =
        made instanceof Provider provider ? new GremlinSubject(provider) : (Subject) made;
    Runner runner =
        new Runner(subject, GraphFile.read(Path.of(arguments[1])), Path.of(arguments[2]));
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals("quit")) {
        break;
      }
      replies.println(runner.reply(line));
      replies.flush();
    }
    System.exit(0); // Threads of libraries may still run.
  }

  private String reply(String command) {
    try {
      if (command.equals("load")) {
        load();
      } else if (command.equals("open")) {
        subject.open(graph, directory);
      } else if (command.equals("close")) {
        subject.close();
      } else if (command.startsWith("run ")) {
        return run(command.substring(4));
      } else {
        return "failed\tunknown command " + command;
      }
      return "ok";
    } catch (Exception | StackOverflowError | OutOfMemoryError | LinkageError e) {
      StringBuilder causes = new StringBuilder();
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        causes.append(causes.isEmpty() ? "" : ", caused by ").append(cause);
        Arrays.stream(cause.getStackTrace())
            .limit(5)
            .forEach(at -> causes.append(" < ").append(at));
      }
      return "failed\t" + causes.toString().replaceAll("\\s+", " ");
    }
  }

  private void load() throws IOException {
    Path done = directory.resolveSibling(directory.getFileName() + ".loaded");
    if (!Files.exists(done)) {
      remove(directory); // What a load that was broken off has left.
      Files.createDirectories(directory);
      subject.load(graph, directory);
      Files.createFile(done);
    }
  }

  private static void remove(Path directory) throws IOException {
    if (Files.exists(directory)) {
      List<Path> paths;
      try (Stream<Path> walk = Files.walk(directory)) {
        paths = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : paths) {
        Files.delete(path);
      }
    }
  }

  private String run(String arguments) throws IOException {
    int last = arguments.lastIndexOf(' ');
    Query query = Query.parse(arguments.substring(0, last));
    int count = Integer.parseInt(arguments.substring(last + 1));
    long cpuNanos = ProcessorClock.nanos();
    long nanos = System.nanoTime();
    Object answer = subject.answer(query);
    for (int i = 1; i < count; i++) {
      answer = subject.answer(query);
    }
    nanos = System.nanoTime() - nanos;
    cpuNanos = ProcessorClock.nanos() - cpuNanos;
    return "ok\t" + answers.text(query, answer) + '\t' + nanos + '\t' + cpuNanos;
  }
}
