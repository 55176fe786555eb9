package io.graphmeta.bench.peers.runner;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The process of one subject. Arguments: the class of a {@link Provider} or a {@link Subject}, the
 * graph file, the directory of the subject. The commands:
 *
 * <ul>
 *   <li>{@code load}: fill the directory, unless that is done; {@code ok}
 *   <li>{@code open}, {@code close}: the subject; {@code ok}
 *   <li>{@code run QUERY COUNT}: ask so many times in succession; {@code ok}, the answer, the
 *       nanoseconds by the clock and of the processors for all of them
 * </ul>
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
    CommandLoop loop = new CommandLoop();
    Object made = Class.forName(arguments[0]).getConstructor().newInstance();
    Subject subject =
        made instanceof Provider provider ? new GremlinSubject(provider) : (Subject) made;
    Runner runner =
        new Runner(subject, GraphFile.read(Path.of(arguments[1])), Path.of(arguments[2]));
    loop.serve(runner::reply);
  }

  private String reply(String command) throws IOException {
    if (command.equals("load")) {
      load();
    } else if (command.equals("open")) {
      subject.open(graph, directory);
    } else if (command.equals("close")) {
      subject.close();
    } else if (command.startsWith("run ")) {
      return run(command.substring(4));
    } else {
      throw new IllegalArgumentException("Unknown command " + command);
    }
    return "ok";
  }

  private void load() throws IOException {
    Path done = directory.resolveSibling(directory.getFileName() + ".loaded");
    if (!Files.exists(done)) {
      DirectoryTree.remove(directory); // What a load that was broken off has left.
      Files.createDirectories(directory);
      subject.load(graph, directory);
      Files.createFile(done);
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
