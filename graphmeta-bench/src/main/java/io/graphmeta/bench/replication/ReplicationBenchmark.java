package io.graphmeta.bench.replication;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a commit costs when its entry is kept by three processes on this machine, in 1, 3 and 8
 * groups, beside the log of a store alone: commits in a second, times of one, and the processor
 * time of all processes without their compilers. All subjects are open all the time, warmed by as
 * many commits each, and measured in turn.
 */
public final class ReplicationBenchmark {
  private static final int NODES = 3;
  private static final String ALONE = "alone";

  private final Arguments arguments;
  private final Map<String, Subject> subjects = new LinkedHashMap<>();

  private ReplicationBenchmark(Arguments arguments) {
    this.arguments = arguments;
  }

  /** Processes, and the groups that they lead in turn. */
  private record Subject(List<Running> processes, int groups) {
    void end() {
      processes.forEach(Running::end);
    }

    /** Runs committers, and returns what each process answers. */
    List<String[]> run(int committers, long millis) {
      for (int node = 0; node < processes.size(); node++) {
        StringBuilder command = new StringBuilder("run " + millis);
        for (int group = node; group < groups; group += processes.size()) {
          int share = committers / groups + (group < committers % groups ? 1 : 0);
          command.append(' ').append(group).append(' ').append(share);
        }
        processes.get(node).tell(command.toString());
      }
      return processes.stream().map(process -> process.answer().split(" ")).toList();
    }

    long processorNanos() {
      processes.forEach(process -> process.tell("cpu"));
      return processes.stream().mapToLong(process -> Long.parseLong(process.answer())).sum();
    }
  }

  /** A process, spoken to by lines. */
  private record Running(Process process, BufferedReader answers, Writer commands) {
    static Running start(List<String> arguments) throws IOException {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx1g",
                  "-cp",
                  System.getProperty("java.class.path"),
                  LogProcess.class.getName()));
      String logback = System.getProperty("logback.configurationFile");
      if (logback != null) {
        command.add(1, "-Dlogback.configurationFile=" + logback);
      }
      command.addAll(arguments);
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new Running(
          process,
          process.inputReader(StandardCharsets.UTF_8),
          process.outputWriter(StandardCharsets.UTF_8));
    }

    void tell(String line) {
      try {
        commands.write(line + "\n");
        commands.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    String answer() {
      try {
        return Objects.requireNonNull(answers.readLine(), "the process has ended");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void end() {
      process.destroyForcibly();
    }
  }

  /** Runs it; the arguments see {@code HACKING}. */
  public static void main(String[] given) throws IOException {
    Arguments arguments =
        Arguments.parse(
            given,
            Map.of(
                "home", "graphmeta-server/target/graphmeta",
                "groups", "1,3,8",
                "committers", "1,8,64",
                "warm", "100000",
                "millis", "2000",
                "repetitions", "5",
                "warmups", "1"));
    Path home = Path.of(arguments.text("home")).toAbsolutePath();
    System.setProperty("logback.configurationFile", home.resolve("conf/logback.xml").toString());
    ReplicationBenchmark benchmark = new ReplicationBenchmark(arguments);
    try (ScratchDirectory scratch =
        new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")))) {
      try {
        benchmark.open(scratch.path());
        benchmark.subjects.forEach(benchmark::warm);
        System.out.println(
            Interleaving.repeat(
                    arguments.number("warmups"),
                    arguments.number("repetitions"),
                    List.copyOf(benchmark.subjects.keySet()),
                    benchmark::run,
                    System.err::println)
                .table());
      } finally {
        benchmark.subjects.values().forEach(Subject::end);
      }
    }
  }

  private void open(Path directory) throws IOException {
    subjects.put(
        ALONE,
        new Subject(List.of(Running.start(List.of(directory.resolve(ALONE).toString()))), 1));
    for (int groups : arguments.numbers("groups")) {
      List<String> members = new ArrayList<>();
      for (int node = 0; node < NODES; node++) {
        members.addAll(List.of("node-" + node, Integer.toString(freePort())));
      }
      List<Running> processes = new ArrayList<>();
      String name = groups + (groups == 1 ? " group" : " groups");
      subjects.put(name, new Subject(processes, groups));
      for (int node = 0; node < NODES; node++) {
        List<String> command = new ArrayList<>();
        command.add(directory.resolve(name + "/node-" + node).toString());
        command.addAll(List.of("node-" + node, Integer.toString(groups)));
        command.addAll(members);
        processes.add(Running.start(command));
      }
    }
    for (Subject subject : subjects.values()) {
      subject.processes().forEach(Running::answer);
      for (int group = 0; group < subject.groups(); group++) {
        lead(subject, group);
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Has the nodes lead the groups in turn. */
  private static void lead(Subject subject, int group) {
    int node = group % subject.processes().size();
    Running wanted = subject.processes().get(node);
    while (true) {
      wanted.tell("lead " + group);
      String answer = wanted.answer();
      if (answer.equals("leads")) {
        return;
      }
      int leader = Integer.parseInt(answer.substring(answer.lastIndexOf('-') + 1));
      Running leads = subject.processes().get(leader);
      leads.tell("hand " + group + " node-" + node);
      leads.answer();
    }
  }

  private void warm(String name, Subject subject) {
    int most = arguments.numbers("committers").stream().max(Integer::compare).orElse(1);
    for (long commits = 0; commits < arguments.number("warm"); ) {
      commits += commits(subject.run(most, 1000));
    }
    System.err.println("warm: " + name);
  }

  private static long commits(List<String[]> answers) {
    return answers.stream().mapToLong(answer -> Long.parseLong(answer[0])).sum();
  }

  private void run(String name, Figures figures) {
    Subject subject = Objects.requireNonNull(subjects.get(name));
    for (int committers : arguments.numbers("committers")) {
      String measure = ", committers: " + committers;
      long cpu = subject.processorNanos();
      long begin = System.nanoTime();
      List<String[]> answers = subject.run(committers, arguments.number("millis"));
      double seconds = (System.nanoTime() - begin) / 1e9;
      long commits = commits(answers);
      long used = subject.processorNanos() - cpu;
      long[] micros =
          answers.stream()
              .flatMap(answer -> Arrays.stream(answer).skip(1))
              .mapToLong(Long::parseLong)
              .sorted()
              .toArray();
      figures.add("commits/s" + measure, name, commits / seconds);
      figures.add("CPU us/commit" + measure, name, used / 1e3 / Math.max(1, commits));
      figures.add("p50 us" + measure, name, micros[micros.length / 2]);
      figures.add("p99 us" + measure, name, micros[(int) (micros.length * 0.99)]);
    }
  }
}
