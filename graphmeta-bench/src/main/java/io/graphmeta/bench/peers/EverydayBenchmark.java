package io.graphmeta.bench.peers;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.KeyFormat;
import io.graphmeta.bench.engine.RawStore;
import io.graphmeta.bench.peers.runner.DirectoryTree;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.everyday.Workload;
import io.graphmeta.bench.report.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Compares the everyday operations of GraphMeta with those of other graph databases, of raw RocksDB
 * and of GraphMeta before a change. Each subject does each workload in a process of its own, all of
 * them in turn, in two phases:
 *
 * <ul>
 *   <li>{@code first}: the first seconds of a new process, whose graph is open.
 *   <li>{@code warm}: after a warm-up, a few seconds at a time.
 * </ul>
 *
 * <p>What is read is compared with what was written, and among the subjects; a difference ends the
 * run as a failure. The table has the clock, the processor time and the allocated bytes of all
 * threads for each; below it stand the marks, and whether they are met.
 */
public final class EverydayBenchmark {
  /** The phase of new processes. */
  static final String FIRST = "first";

  /** The phase of processes that have done it for a while. */
  static final String WARM = "warm";

  private static final String DATA = "data";
  private static final String FILLED = "filled";
  private static final long LIMIT_MILLIS = 1_800_000;
  private static final long TO_THE_END_MILLIS = LIMIT_MILLIS;

  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("directory", "."),
          Map.entry("subjects", EverydaySubjects.ALL),
          Map.entry("before", ""),
          Map.entry("workloads", "hot,hot100,load,read,hop,maps,paths,create,mixed,distinct"),
          Map.entry("phases", "first,warm"),
          Map.entry("repetitions", "3"),
          Map.entry("first-seconds", "4"),
          Map.entry("warmup-seconds", "12"),
          Map.entry("sample-seconds", "3"),
          Map.entry("writes", "structure"),
          Map.entry("scale", "17"),
          Map.entry("edges", "1000000"),
          Map.entry("seed", "1"),
          Map.entry("heap", "2g"));

  private final Arguments arguments;
  private final Path work;
  private final Path graph;
  private final Figures figures = new Figures();
  private final EverydayReport report = new EverydayReport(figures);
  private final Map<Workload, String> answers = new HashMap<>();
  private final List<String> failures = new ArrayList<>();

  private EverydayBenchmark(Arguments arguments) throws IOException {
    this.arguments = arguments;
    work = Files.createDirectories(Path.of(arguments.text("directory"))).toAbsolutePath();
    graph = GraphMaker.made(arguments, work);
  }

  /** Runs the comparison. */
  public static void main(String[] given) throws Exception {
    run(Arguments.parse(given, DEFAULTS));
  }

  /** Runs the comparison; the figures. */
  static Figures run(String... given) throws Exception {
    return run(Arguments.parse(given, DEFAULTS));
  }

  private static Figures run(Arguments arguments) throws Exception {
    EverydayBenchmark benchmark = new EverydayBenchmark(arguments);
    System.out.println("Arguments " + arguments);
    try {
      for (String name : list(arguments.text("workloads"))) {
        for (Workload workload : Workload.named(name)) {
          benchmark.compare(workload);
        }
      }
    } finally {
      benchmark.report.write(benchmark.work);
      System.out.println(benchmark.report.text());
    }
    if (!benchmark.failures.isEmpty()) {
      throw new IllegalStateException("Not done: " + benchmark.failures + "; see above");
    }
    return benchmark.figures;
  }

  private static List<String> list(String text) {
    return Arrays.stream(text.split(",")).map(String::strip).toList();
  }

  // --- subjects -----------------------------------------------------------------------------

  /** A subject with its process for one workload, and where its graph lies. */
  private record Contender(
      Candidate candidate, Workload workload, SubjectProcess process, Path home) {
    Path data() {
      return data(workload, home);
    }

    /** What is not written to is shared by all workloads. */
    static Path data(Workload workload, Path home) {
      return workload.kind().isFilled() && !workload.kind().writes()
          ? home.resolve(FILLED)
          : home.resolve(DATA);
    }

    String name() {
      return candidate.name();
    }
  }

  private List<Contender> contenders(Workload workload) throws IOException {
    List<Contender> contenders = new ArrayList<>();
    for (String name : list(arguments.text("subjects"))) {
      boolean isThere = !name.startsWith("before") || !arguments.text("before").isEmpty();
      if (isThere && EverydaySubjects.takesPart(name, workload)) {
        Candidate candidate = EverydaySubjects.named(name, arguments.text("before"), work);
        Path home = graph.resolveSibling("everyday").resolve(name);
        SubjectProcess process = process(candidate, Contender.data(workload, home), workload, home);
        contenders.add(new Contender(candidate, workload, process, home));
      }
    }
    return contenders;
  }

  private SubjectProcess process(Candidate candidate, Path data, Workload workload, Path home)
      throws IOException {
    return new SubjectProcess(
        candidate.name(),
        candidate.command(
            arguments.text("heap"),
            Map.of("graphmeta.bench.writes", arguments.text("writes")),
            "runner.everyday.EverydayRunner",
            graph.toString(),
            data.toString(),
            workload.toString()),
        home);
  }

  /** What the rounds of a workload have left beside its directory. */
  private static void sweep(Contender contender) throws IOException {
    List<Path> left;
    try (Stream<Path> inside = Files.list(contender.home())) {
      left = inside.filter(path -> path.getFileName().toString().startsWith(DATA)).toList();
    }
    for (Path path : left) {
      DirectoryTree.remove(path);
    }
  }

  /** Opens a new process, whose directory has what the workload begins with. */
  private void begin(Contender contender) throws Exception {
    Workload.Kind kind = contender.workload().kind();
    if (!kind.isFilled()) {
      fill(contender.process());
    } else if (kind.writes()) {
      DirectoryTree.remove(contender.data());
      DirectoryTree.copy(contender.home().resolve(FILLED), contender.data());
    }
    contender.process().start();
    contender.process().tell("open", LIMIT_MILLIS);
  }

  private static void fill(SubjectProcess process) throws Exception {
    process.start();
    process.tell("fill", LIMIT_MILLIS);
    process.stop();
  }

  /** The whole graph is filled in once for all workloads, unless the subject has changed. */
  private void fillWhole(Contender contender) throws Exception {
    Path mark = contender.home().resolve("filled.version");
    String version = EverydaySubjects.version(contender.candidate());
    if (!Files.exists(mark) || !Files.readString(mark).equals(version)) {
      progress("Filling the graph of %s", contender.name());
      Files.deleteIfExists(mark);
      Path filled = contender.home().resolve(FILLED);
      try (SubjectProcess process =
          process(contender.candidate(), filled, contender.workload(), contender.home())) {
        fill(process);
      }
      Files.createDirectories(filled);
      Files.writeString(mark, version);
    }
  }

  // --- phases -------------------------------------------------------------------------------

  private void compare(Workload workload) throws Exception {
    List<Contender> all = contenders(workload);
    List<Contender> contenders = new ArrayList<>(all);
    try {
      if (workload.kind().isFilled()) {
        each(contenders, 0, this::fillWhole);
      }
      List<String> phases = list(arguments.text("phases"));
      if (phases.contains(FIRST)) {
        first(workload, contenders);
      }
      if (phases.contains(WARM)) {
        warm(workload, contenders);
      }
    } finally {
      for (Contender contender : all) {
        contender.process().close();
        sweep(contender);
      }
    }
    report.compare(workload);
    report.write(work);
  }

  /** What is done with a subject. */
  @FunctionalInterface
  private interface Turn {
    void of(Contender contender) throws Exception;
  }

  /**
   * All in turn; each round begins with another. One that cannot do it is left out from then on.
   */
  private void each(List<Contender> contenders, int round, Turn turn) throws Exception {
    List<Contender> inTurn = new ArrayList<>(contenders);
    Collections.rotate(inTurn, -round);
    for (Contender contender : inTurn) {
      try {
        turn.of(contender);
      } catch (SubjectProcess.RefusedException e) {
        progress("%s", e);
        contenders.remove(contender);
        contender.process().stop();
        failures.add(contender.workload() + " of " + contender.name());
        report.refuse(contender.workload(), contender.name());
      }
    }
  }

  private void first(Workload workload, List<Contender> contenders) throws Exception {
    boolean once = workload.kind() == Workload.Kind.DISTINCT;
    long millis = once ? 0 : arguments.number("first-seconds") * 1_000L;
    Figures samples = new Figures();
    for (int round = 0; round < arguments.number("repetitions"); round++) {
      each(
          contenders,
          round,
          contender -> {
            begin(contender);
            run(contender, FIRST, millis, samples);
            contender.process().stop();
          });
    }
    report.add(samples, contenders.stream().map(Contender::name).toList());
  }

  private void warm(Workload workload, List<Contender> contenders) throws Exception {
    long warmupNanos = arguments.number("warmup-seconds") * 1_000_000_000L;
    long sampleMillis = arguments.number("sample-seconds") * 1_000L;
    each(
        contenders,
        0,
        contender -> {
          begin(contender);
          for (long spent = 0; spent < warmupNanos; ) {
            spent += run(contender, WARM, sampleMillis, new Figures());
          }
        });
    // A load is measured to its end.
    long millis = workload.kind() == Workload.Kind.LOAD ? TO_THE_END_MILLIS : sampleMillis;
    Figures samples = new Figures();
    for (int round = 0; round < arguments.number("repetitions"); round++) {
      each(contenders, round, contender -> run(contender, WARM, millis, samples));
    }
    each(contenders, 0, contender -> check(contender, samples));
    report.add(samples, contenders.stream().map(Contender::name).toList());
  }

  /** Compares what is there in the end; how much it takes, of a load. */
  private void check(Contender contender, Figures samples) throws Exception {
    Workload workload = contender.workload();
    String answer = contender.process().ask("check", LIMIT_MILLIS)[1];
    String due = answers.computeIfAbsent(workload, w -> answer);
    if (!answer.equals(due)) {
      throw new IllegalStateException(
          "After %s the first subject has: %s; %s has: %s"
              .formatted(workload, due, contender.name(), answer));
    }
    if (workload.kind() == Workload.Kind.LOAD) {
      size(contender, samples);
    }
    contender.process().stop();
  }

  /** Runs once; the nanoseconds that it took. */
  private static long run(Contender contender, String phase, long millis, Figures to)
      throws Exception {
    String[] fields = contender.process().ask("run " + millis, LIMIT_MILLIS + millis);
    long units = Long.parseLong(fields[1]);
    long nanos = Long.parseLong(fields[2]);
    Workload workload = contender.workload();
    double cpuNanos = Double.parseDouble(fields[3]) / units;
    double bytes = Double.parseDouble(fields[4]) / units;
    double speed = EverydayReport.speed(workload, units, nanos);
    to.add(EverydayReport.speedMeasure(workload, phase), contender.name(), speed);
    to.add(EverydayReport.cpuMeasure(workload, phase), contender.name(), cpuNanos / 1e3);
    to.add(EverydayReport.bytesMeasure(workload, phase), contender.name(), bytes);
    progress(
        "%s %s, %s: %,.2f %s, %.2f \u00b5s of processors, %,.0f bytes",
        workload,
        phase,
        contender.name(),
        speed,
        EverydayReport.speedUnit(workload),
        cpuNanos / 1e3,
        bytes);
    return nanos;
  }

  private static void progress(String format, Object... values) {
    System.err.printf(format + "%n", values);
  }

  // --- size ---------------------------------------------------------------------------------

  /** What a load leaves on the disk, and of RocksDB what is left when files were merged. */
  private void size(Contender contender, Figures to) throws Exception {
    Path directory = Path.of(contender.process().ask("close", LIMIT_MILLIS)[1]);
    if (!Files.exists(directory)) {
      return;
    }
    int edges = GraphFile.read(graph).edgeCount();
    String name = contender.name();
    double bytes = DirectoryTree.bytes(directory);
    to.add(contender.workload() + ": bytes on disk per edge", name, bytes / edges);
    List<Path> shards;
    try (Stream<Path> inside = Files.list(directory)) {
      shards = inside.filter(path -> path.getFileName().toString().startsWith("shard-")).toList();
    }
    long merged = 0;
    if (name.equals("raw")) {
      merged = mergedBytes(directory, KeyFormat.HASH_WITHOUT_IDS.fixedBytes());
    }
    for (Path shard : shards) {
      merged += mergedBytes(shard, Long.BYTES);
    }
    if (merged > 0) {
      double each = (double) merged / edges;
      to.add(contender.workload() + ": bytes on disk per edge, merged", name, each);
    }
  }

  private static long mergedBytes(Path directory, int keyBytes) throws IOException {
    try (RawStore store = new RawStore(directory, keyBytes, false)) {
      store.compact();
      return store.tableBytes();
    }
  }
}
