package io.graphmeta.bench.peers;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.peers.runner.DirectoryTree;
import io.graphmeta.bench.peers.runner.search.SearchQuestion;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares searches of GraphMeta with those of Lucene by itself, the mark, of JanusGraph and of
 * PostgreSQL. Each subject fills its indexes in a process of its own, one after the other, and is
 * asked at the middle of the changes and at the end; then all are asked in turn. GraphMeta is asked
 * at the end about the middle too, and has to answer what the others answered then. A difference of
 * answers ends the run as a failure.
 */
public final class SearchBenchmark {
  private static final long LIMIT_MILLIS = 7_200_000;
  private static final int MAX_BATCH = 20_000;
  private static final String NOW = "now";
  private static final String PAST = "past";

  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("directory", "."),
          Map.entry("subjects", "lucene,graphmeta,janusgraph,postgres"),
          Map.entry("files", "1000000"),
          Map.entry("questions", "EXACT,PREFIX,FRAGMENT,REGEX,WORD,LARGEST,THREE,COUNT"),
          Map.entry("compared", "20"),
          Map.entry("repetitions", "5"),
          Map.entry("warmup-millis", "2000"),
          Map.entry("sample-millis", "500"),
          Map.entry("commits", "500"),
          Map.entry("postgres", ""),
          Map.entry("settings", ""),
          Map.entry("heap", "3g"));

  private final Arguments arguments;
  private final Path work;
  private final List<String> questions;
  private final Figures figures = new Figures();
  private final Map<String, String> answers = new HashMap<>();
  private final List<SubjectProcess> subjects = new ArrayList<>();

  private SearchBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.work = Path.of(arguments.text("directory")).toAbsolutePath();
    this.questions = list("questions");
    questions.forEach(SearchBenchmark::requireQuestion);
  }

  private static void requireQuestion(String name) {
    if (Arrays.stream(SearchQuestion.values()).noneMatch(each -> each.name().equals(name))) {
      throw GraphMetaException.invalid(
          "Question '"
              + name
              + "' is unknown; expected some of "
              + Arrays.toString(SearchQuestion.values()));
    }
  }

  /** Runs the comparison. */
  public static void main(String[] given) throws Exception {
    run(given);
  }

  /** Runs the comparison; the figures. */
  static Figures run(String... given) throws Exception {
    SearchBenchmark benchmark = new SearchBenchmark(Arguments.parse(given, DEFAULTS));
    benchmark.run();
    return benchmark.figures;
  }

  private List<String> list(String name) {
    return Arrays.stream(arguments.text(name).split(",")).map(String::strip).toList();
  }

  private void run() throws Exception {
    System.out.println("Arguments " + arguments);
    try {
      for (String name : list("subjects")) {
        SubjectProcess subject = process(name);
        subjects.add(subject);
        subject.start();
        build(subject);
      }
      for (String question : questions) {
        measure(question, NOW);
        measure(question, PAST);
        Files.writeString(work.resolve("search.md"), figures.table());
      }
      for (int round = 0; round < arguments.number("repetitions"); round++) {
        for (SubjectProcess subject : subjects) {
          commit(subject, round);
        }
      }
    } finally {
      for (SubjectProcess subject : subjects) {
        subject.close();
      }
      String table = figures.ordered(list("subjects")).table();
      Files.writeString(work.resolve("search.md"), table);
      System.out.println(table);
    }
  }

  private SubjectProcess process(String name) throws Exception {
    Candidate candidate =
        switch (name) {
          case "graphmeta" -> Candidate.own(name, "runner.search.GraphMetaSearch", Map.of());
          case "lucene" -> peer(name, "LuceneSearch");
          case "janusgraph" -> peer(name, "JanusGraphSearch");
          case "postgres" -> peer(name, "PostgresSearch");
          default ->
              throw GraphMetaException.invalid(
                  "Subject '"
                      + name
                      + "' is unknown; expected lucene, graphmeta, janusgraph or postgres");
        };
    Path home = work.resolve("search-" + name);
    DirectoryTree.remove(home);
    List<String> command =
        candidate.command(
            arguments.text("heap"),
            Map.of(
                "graphmeta.bench.postgres", arguments.text("postgres"),
                "graphmeta.bench.settings", arguments.text("settings")),
            "runner.search.SearchRunner",
            home.resolve("data").toString(),
            arguments.text("files"));
    return new SubjectProcess(name, command, home);
  }

  private Candidate peer(String name, String className) {
    return new Candidate(
        name,
        Candidate.PACKAGE + name + "." + className,
        work.resolve(name).resolve("classes").toString(),
        work.resolve(name).resolve("lib").resolve("*").toString(),
        Map.of());
  }

  // --- building -----------------------------------------------------------------------------

  private void build(SubjectProcess subject) throws Exception {
    subject.tell("create", LIMIT_MILLIS);
    add(subject, "add files, processes and half of the changes", "add");
    for (String question : questions) {
      compare(subject, question, NOW, PAST);
    }
    add(subject, "the other half of the changes", "change");
    for (String question : questions) {
      compare(subject, question, NOW, NOW);
      if (hasPast(subject)) {
        compare(subject, question, PAST, PAST);
      }
    }
    String bytes = subject.ask("bytes", LIMIT_MILLIS)[1];
    figures.add("MB on disk", subject.name(), Long.parseLong(bytes) / 1e6);
  }

  private static boolean hasPast(SubjectProcess subject) throws Exception {
    return Boolean.parseBoolean(subject.ask("past", LIMIT_MILLIS)[1]);
  }

  private void add(SubjectProcess subject, String what, String command) throws Exception {
    String[] reply = subject.ask(command, LIMIT_MILLIS);
    figures.add(what + ": s", subject.name(), Long.parseLong(reply[2]) / 1e9);
    figures.add(what + ": CPU s", subject.name(), Long.parseLong(reply[3]) / 1e9);
    progress("%s: %s in %.1f s", subject, command, Long.parseLong(reply[2]) / 1e9);
  }

  /** Asks some questions and compares the answers with those of the subjects before. */
  private void compare(SubjectProcess subject, String question, String view, String of)
      throws Exception {
    String command = "ask " + question + ' ' + view + " 0 " + arguments.number("compared");
    String answer = subject.ask(command, LIMIT_MILLIS)[1];
    String before = answers.putIfAbsent(question + " of " + of, answer);
    if (before != null && !before.equals(answer)) {
      throw new IllegalStateException(
          "%s, %s: %s of the first subject, %s of %s"
              .formatted(question, of, before, answer, subject));
    }
  }

  // --- asking -------------------------------------------------------------------------------

  /** A subject that can answer, and how often in one sample. */
  private record Ready(SubjectProcess subject, int batch) {}

  private void measure(String question, String view) throws Exception {
    List<Ready> ready = new ArrayList<>();
    for (SubjectProcess subject : subjects) {
      if (view.equals(NOW) || hasPast(subject)) {
        ready.add(new Ready(subject, warmUp(subject, question, view)));
      }
    }
    String what = question.toLowerCase(Locale.ROOT) + ", " + view;
    int asked = arguments.number("compared");
    for (int round = 0; round < arguments.number("repetitions"); round++) {
      for (int i = 0; i < ready.size(); i++) {
        Ready one = ready.get((round + i) % ready.size());
        String[] reply = ask(one.subject(), question, view, asked, one.batch());
        double nanos = Long.parseLong(reply[2]);
        double cpuNanos = Long.parseLong(reply[3]);
        figures.add(what + ": ms", one.subject().name(), nanos / one.batch() / 1e6);
        figures.add(what + ": CPU ms", one.subject().name(), cpuNanos / one.batch() / 1e6);
      }
      asked += MAX_BATCH;
    }
    for (Ready one : ready) {
      String name = one.subject().name();
      progress("%s, %s: %.3f ms", what, name, figures.median(what + ": ms", name));
    }
  }

  private static String[] ask(
      SubjectProcess subject, String question, String view, int from, int count) throws Exception {
    return subject.ask("ask " + question + ' ' + view + ' ' + from + ' ' + count, LIMIT_MILLIS);
  }

  /** How many questions make a sample. */
  private int warmUp(SubjectProcess subject, String question, String view) throws Exception {
    int batch = 1;
    int asked = 0;
    double spentMillis = 0;
    while (spentMillis < arguments.number("warmup-millis")) {
      double millis = Long.parseLong(ask(subject, question, view, asked, batch)[2]) / 1e6;
      spentMillis += millis;
      asked += batch;
      double wanted = arguments.number("sample-millis") / Math.max(1e-3, millis / batch);
      batch = (int) Math.max(1, Math.min(MAX_BATCH, wanted));
    }
    return batch;
  }

  private void commit(SubjectProcess subject, int round) throws Exception {
    int count = arguments.number("commits");
    String[] reply = subject.ask("commit " + round * count + ' ' + count, LIMIT_MILLIS);
    double micros = Long.parseLong(reply[2]) / 1e3 / count;
    figures.add("commit of one change: us", subject.name(), micros);
    figures.add(
        "commit of one change: CPU us", subject.name(), Long.parseLong(reply[3]) / 1e3 / count);
  }

  private static void progress(String format, Object... values) {
    System.err.printf(format + "%n", values);
  }
}
