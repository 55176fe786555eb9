package io.graphmeta.bench.peers;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.Query;
import io.graphmeta.bench.report.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares GraphMeta with other graph databases. Writes the graph once, starts a process for each
 * subject, has each load and open the graph, and measures in the phases asked for:
 *
 * <ul>
 *   <li>{@code warm}: each query, after a warm-up, again and again in all processes that run side
 *       by side; a sample is the mean of a batch.
 *   <li>{@code cold}: the first execution after the subject was closed, the page cache of the
 *       operating system dropped, if that is permitted, and the subject opened again, in a process
 *       whose code is warm: that of the query, and by rounds that don't count that of reading cold.
 *   <li>{@code first}: the first execution of a new process, the page cache dropped.
 * </ul>
 *
 * <p>All answers are compared; one that differs ends the run as a failure.
 */
public final class PeersBenchmark {
  private static final long LOAD_LIMIT_MILLIS = 1_800_000;
  private static final int MAX_BATCH = 20_000;

  /** From this duration on, three samples have to do. */
  private static final double SLOW_MILLIS = 4_000;

  private static final int SLOW_REPETITIONS = 3;

  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("directory", "."),
          Map.entry("subjects", "graphmeta,tinkergraph,janusgraph,hugegraph,longs,seeks"),
          Map.entry("phases", "warm,cold,first"),
          Map.entry(
              "queries",
              "distinct 2,distinct 3,distinct 4,distinct 5,distinct 6,distinct-repeat 2,"
                  + "distinct-repeat 3,distinct-repeat 4,distinct-repeat 5,distinct-repeat 6,"
                  + "paths 2,paths 3,paths 4,paths 5,paths 6,weighted 2,weighted 3,weighted 4,"
                  + "simple-paths 3,simple-paths 4,lineage 4,groups 2,groups 3,groups 4,sum 3,sum 4,"
                  + "scan-count,scan-ids,scan-edge-labels,scan-vertex-label,scan-weighted,scan-values"),
          Map.entry("cold-queries", "distinct 3,distinct 4,groups 3,sum 3,scan-count"),
          Map.entry("scale", "17"),
          Map.entry("edges", "1000000"),
          Map.entry("seed", "1"),
          Map.entry("repetitions", "7"),
          Map.entry("cold-repetitions", "5"),
          Map.entry("cold-warmups", "10"),
          Map.entry("warmup-millis", "3000"),
          Map.entry("sample-millis", "200"),
          Map.entry("limit-seconds", "60"),
          Map.entry("transactions", "each"),
          Map.entry("heap", "3g"));

  private final Arguments arguments;
  private final int limitMillis;
  private final List<SubjectProcess> subjects = new ArrayList<>();
  private final Figures figures = new Figures();
  private final AnswerBook answers = new AnswerBook();

  private PeersBenchmark(Arguments arguments) {
    this.arguments = arguments;
    limitMillis = arguments.number("limit-seconds") * 1_000;
  }

  /** Runs the comparison. */
  public static void main(String[] given) throws Exception {
    Arguments arguments = Arguments.parse(given, DEFAULTS);
    new PeersBenchmark(arguments).run();
  }

  private void run() throws Exception {
    Path work = Files.createDirectories(Path.of(arguments.text("directory"))).toAbsolutePath();
    Path graph = GraphMaker.made(arguments, work);
    GraphFile file = GraphFile.read(graph);
    System.out.printf(
        "%d vertices, %d edges, start %d, arguments %s%n",
        file.vertexCount(), file.edgeCount(), file.start(), arguments);
    List<String> names = list("subjects");
    try {
      for (String name : names) {
        subjects.add(
            process(
                Candidate.named(name, work),
                arguments.text("heap"),
                arguments.text("transactions"),
                graph));
      }
      openAll();
      List<String> phases = list("phases");
      if (phases.contains("warm")) {
        for (String text : list("queries")) {
          warm(Query.parse(text));
          write(work);
        }
      }
      for (String phase : phases) {
        if (Set.of("cold", "first").contains(phase)) {
          for (String text : list("cold-queries")) {
            cold(Query.parse(text), phase);
            write(work);
          }
        }
      }
    } finally {
      for (SubjectProcess subject : subjects) {
        subject.close();
      }
      write(work);
      System.out.println(figures.table());
    }
  }

  /** The process of a subject, which keeps what it has beside the graph. */
  static SubjectProcess process(Candidate candidate, String heap, String transactions, Path graph)
      throws IOException {
    Path directory = graph.resolveSibling(candidate.name());
    return new SubjectProcess(
        candidate.name(),
        candidate.command(
            heap,
            Map.of("graphmeta.bench.transactions", transactions),
            "runner.Runner",
            graph.toString(),
            directory.resolve("data").toString()),
        directory);
  }

  private List<String> list(String name) {
    return Arrays.stream(arguments.text(name).split(",")).map(String::strip).toList();
  }

  /** After each query, so that a run that is broken off leaves what it has. */
  private void write(Path work) throws IOException {
    Files.writeString(work.resolve("peers.md"), figures.table());
    Files.writeString(work.resolve("peers.csv"), figures.csv());
    Files.writeString(work.resolve("peers.json"), figures.json());
  }

  private static void progress(String format, @Nullable Object... values) {
    System.err.printf(format + "%n", values);
  }

  private void openAll() throws Exception {
    for (SubjectProcess subject : subjects) {
      long nanos = System.nanoTime();
      subject.start();
      subject.tell("load", LOAD_LIMIT_MILLIS);
      subject.tell("open", LOAD_LIMIT_MILLIS);
      progress("%s is open after %d ms", subject, (System.nanoTime() - nanos) / 1_000_000);
    }
  }

  private static void restart(SubjectProcess subject) throws Exception {
    subject.start();
    subject.tell("open", LOAD_LIMIT_MILLIS);
  }

  /** Notes in both rows why there are no figures. */
  private void note(String phase, Query query, SubjectProcess subject, String text) {
    figures.note(measure(phase, query, "ms"), subject.name(), text);
    figures.note(measure(phase, query, "CPU ms"), subject.name(), text);
    progress("%s, %s: %s", query, subject, text);
  }

  private void add(Figures to, String phase, Query query, String subject, double ms, double cpu) {
    to.add(measure(phase, query, "ms"), subject, ms);
    to.add(measure(phase, query, "CPU ms"), subject, cpu);
  }

  private static String measure(String phase, Query query, String unit) {
    return phase + " " + query + ": " + unit;
  }

  // --- warm ---------------------------------------------------------------------------------

  /** A subject that can answer a query, and how often in one sample. */
  private record Ready(SubjectProcess subject, int batch, double millis) {
    @Override
    public String toString() {
      return subject.toString();
    }
  }

  private void warm(Query query) throws Exception {
    List<Ready> ready = new ArrayList<>();
    for (SubjectProcess subject : subjects) {
      Ready one = warmUp(query, subject);
      if (one != null) {
        ready.add(one);
      }
    }
    Figures samples = new Figures();
    for (int round = 0; round < arguments.number("repetitions"); round++) {
      for (int i = 0; i < ready.size(); i++) {
        Ready one = ready.get((round + i) % ready.size());
        if (one.millis() < SLOW_MILLIS || round < SLOW_REPETITIONS) {
          SubjectProcess.Outcome outcome = one.subject().run(query, one.batch(), LOAD_LIMIT_MILLIS);
          answers.check(query, one.subject().name(), outcome.answer());
          add(samples, "warm", query, one.subject().name(), outcome.millis(), outcome.cpuMillis());
        }
      }
    }
    for (SubjectProcess subject : subjects) {
      String measure = measure("warm", query, "ms");
      if (samples.has(measure, subject.name())) {
        progress(
            "warm %s, %s: %.3f ms, answer %s",
            query, subject, samples.median(measure, subject.name()), answers.of(query));
      }
    }
    figures.addAll(inOrder(samples));
  }

  /** The subjects in the order of the command line, whatever came first in the rounds. */
  private Figures inOrder(Figures samples) {
    return samples.ordered(subjects.stream().map(SubjectProcess::name).toList());
  }

  private @Nullable Ready warmUp(Query query, SubjectProcess subject) throws Exception {
    String known = answers.refusal(query, subject.name());
    if (known != null) {
      note("warm", query, subject, known);
      return null;
    }
    try {
      SubjectProcess.Outcome outcome = subject.run(query, 1, limitMillis);
      answers.check(query, subject.name(), outcome.answer());
      double spent = outcome.millis();
      while (spent < arguments.number("warmup-millis")) {
        int batch = batch(outcome.millis());
        outcome = subject.run(query, batch, LOAD_LIMIT_MILLIS);
        spent += outcome.millis() * batch;
      }
      return new Ready(subject, batch(outcome.millis()), outcome.millis());
    } catch (SubjectProcess.OverLimitException e) {
      String text = "over " + arguments.text("limit-seconds") + " s";
      answers.refuse(query, subject.name(), text);
      note("warm", query, subject, text);
      restart(subject);
      return null;
    } catch (SubjectProcess.RefusedException e) {
      progress("%s", e.getMessage());
      answers.refuse(query, subject.name(), "refused");
      note("warm", query, subject, "refused");
      return null;
    }
  }

  private int batch(double millis) {
    return (int) Math.max(1, Math.min(MAX_BATCH, arguments.number("sample-millis") / millis));
  }

  // --- cold ---------------------------------------------------------------------------------

  private void cold(Query query, String phase) throws Exception {
    if (phase.equals("cold")) {
      for (SubjectProcess subject : subjects) {
        warmUp(query, subject);
      }
    }
    Figures samples = new Figures();
    int warmups = phase.equals("cold") ? arguments.number("cold-warmups") : 0;
    for (int round = -warmups; round < arguments.number("cold-repetitions"); round++) {
      for (int i = 0; i < subjects.size(); i++) {
        SubjectProcess subject = subjects.get(Math.floorMod(round + i, subjects.size()));
        if (answers.refusal(query, subject.name()) != null) {
          continue;
        }
        if (phase.equals("first")) {
          subject.stop();
        } else {
          subject.tell("close", LOAD_LIMIT_MILLIS);
        }
        PageCache.drop();
        restart(subject);
        try {
          SubjectProcess.Outcome outcome = subject.run(query, 1, limitMillis);
          answers.check(query, subject.name(), outcome.answer());
          if (round >= 0) {
            add(samples, phase, query, subject.name(), outcome.millis(), outcome.cpuMillis());
          }
          progress(
              "%s %s, %s: %.1f ms, %.1f ms of processors",
              phase, query, subject, outcome.millis(), outcome.cpuMillis());
        } catch (SubjectProcess.OverLimitException e) {
          answers.refuse(query, subject.name(), "over " + arguments.text("limit-seconds") + " s");
          restart(subject);
        } catch (SubjectProcess.RefusedException e) {
          progress("%s", e.getMessage());
          answers.refuse(query, subject.name(), "refused");
        }
      }
    }
    figures.addAll(inOrder(samples));
    for (SubjectProcess subject : subjects) {
      String refusal = answers.refusal(query, subject.name());
      if (refusal != null) {
        note(phase, query, subject, refusal);
      }
    }
  }
}
