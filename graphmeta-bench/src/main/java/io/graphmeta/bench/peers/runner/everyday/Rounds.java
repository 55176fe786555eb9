package io.graphmeta.bench.peers.runner.everyday;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.graphmeta.bench.peers.runner.DirectoryTree;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.Provider;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Rounds of one workload on one graph, in threads that last. Used by one thread. */
public final class Rounds {
  /** What the names of the threads that do a workload begin with. */
  public static final String THREAD_PREFIX = "everyday-";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** In steps of about 10 ms, which are few beside a round; it forgets no thread that ended. */
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private static final int CHECKED_VERTICES = 2_000;

  private final EverydayGraph graph;
  private final Expected expected;
  private final Path home;
  private final Workload workload;
  private final ExecutorService threads;
  private Path directory;
  private Worker.Progress progress;
  private boolean isFresh;
  private int rounds;

  private Rounds(EverydayGraph graph, GraphFile file, Path directory, Workload workload) {
    this.graph = graph;
    this.expected = new Expected(file);
    this.home = directory;
    this.directory = directory;
    this.workload = workload;
    AtomicInteger thread = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            workload.threads(),
            task -> {
              Thread made = new Thread(task, THREAD_PREFIX + thread.incrementAndGet());
              made.setDaemon(true);
              return made;
            });
    this.progress = begin();
  }

  /**
   * Rounds on the graph of a directory.
   *
   * @param subject a {@link Provider} or an {@link EverydayGraph}
   */
  public static Rounds of(Object subject, GraphFile file, Path directory, Workload workload) {
    EverydayGraph graph =
        subject instanceof Provider provider ? new GremlinGraph(provider) : (EverydayGraph) subject;
    return new Rounds(graph, file, directory, workload);
  }

  // --- the graph ----------------------------------------------------------------------------

  private Worker.Progress begin() {
    isFresh = true;
    int first =
        switch (workload.kind().contents()) {
          case SOURCE -> 1;
          case VERTICES -> 0;
          case ALL -> expected.graph().vertexCount();
        };
    return new Worker.Progress(
        new AtomicInteger(first), new AtomicIntegerArray(expected.graph().vertexCount()));
  }

  /** Opens the graph that was filled. */
  public void open() throws IOException {
    if (graph.isPersistent()) {
      graph.open(directory);
    } else {
      fillAndStayOpen();
    }
    progress = begin();
  }

  /** Makes the directory with what the workload begins with, if the graph is kept in one. */
  public void fill() throws IOException {
    if (graph.isPersistent()) {
      fillAndStayOpen();
      graph.close();
    }
  }

  /** Closes the graph; where it lies. */
  public Path close() throws IOException {
    graph.close();
    return directory;
  }

  private void fillAndStayOpen() throws IOException {
    DirectoryTree.remove(directory);
    Files.createDirectories(directory);
    graph.create(directory);
    Workload.Contents contents = workload.kind().contents();
    GraphFile file = expected.graph();
    try (EverydayGraph.Session session = graph.session()) {
      if (workload.kind() == Workload.Kind.CREATE) {
        session.addDirectory();
      } else {
        int vertices = contents == Workload.Contents.SOURCE ? 1 : file.vertexCount();
        for (int vertex = 0; vertex < vertices; vertex++) {
          session.addVertex(vertex);
          commitSome(session, vertex);
        }
      }
      session.commit();
      if (contents == Workload.Contents.ALL) {
        for (int edge = 0; edge < file.edgeCount(); edge++) {
          session.addEdge(file.sources()[edge], file.destinations()[edge], edge);
          commitSome(session, edge);
        }
        session.commit();
      }
    }
  }

  private static void commitSome(EverydayGraph.Session session, int number) throws IOException {
    if (number % Workload.LOAD_COMMIT == Workload.LOAD_COMMIT - 1) {
      session.commit();
    }
  }

  /**
   * What was written by the rounds before is no part of those after; it lay in another directory,
   * for not every graph lets go of its files.
   */
  private void beginAnew() throws IOException {
    graph.close();
    DirectoryTree.remove(directory);
    directory = home.resolveSibling(home.getFileName() + "-" + rounds);
    fill();
    open();
    System.gc();
  }

  // --- a round ------------------------------------------------------------------------------

  /**
   * What a round comes to.
   *
   * @param operations how often the workload was done
   * @param units how much was done
   * @param nanos by the clock
   * @param cpuNanos of the processors, for all threads of the process
   * @param bytes that all threads allocated
   */
  public record Outcome(long operations, long units, long nanos, long cpuNanos, long bytes) {}

  /**
   * Does the workload for so long, and once at least. One that begins with an empty graph begins
   * anew each time.
   */
  public Outcome run(long millis) throws Exception {
    if (!isFresh && !workload.kind().isFilled()) {
      beginAnew();
    }
    isFresh = false;
    rounds++;
    long bytes = allocatedBytes();
    long cpuNanos = SYSTEM.getProcessCpuTime();
    long nanos = System.nanoTime();
    long endNanos = nanos + millis * 1_000_000;
    List<Future<Worker>> parts = new ArrayList<>();
    for (int thread = 0; thread < workload.threads(); thread++) {
      long seed = 1_000L * rounds + thread;
      parts.add(threads.submit(() -> work(seed, endNanos)));
    }
    long operations = 0;
    long units = 0;
    for (Future<Worker> part : parts) {
      operations += part.get().operations();
      units += part.get().units();
    }
    nanos = System.nanoTime() - nanos;
    cpuNanos = SYSTEM.getProcessCpuTime() - cpuNanos;
    bytes = allocatedBytes() - bytes;
    return new Outcome(operations, units, nanos, cpuNanos, bytes);
  }

  private Worker work(long seed, long endNanos) throws IOException {
    try (EverydayGraph.Session session = graph.session()) {
      Worker worker = new Worker(workload, expected, graph, session, progress, seed);
      worker.run(endNanos);
      return worker;
    }
  }

  /** By all threads that live; those of rounds live as long as the process. */
  private static long allocatedBytes() {
    return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  // --- comparison ---------------------------------------------------------------------------

  /**
   * Compares what is there with what there has to be; what there is that is the same for all
   * subjects.
   */
  public String check() throws IOException {
    try (EverydayGraph.Session session = graph.session()) {
      return switch (workload.kind()) {
        case HOT, HOT100 -> {
          require("links of the hot vertex", session.countOut(0), progress.added().get(0));
          yield "all inserts are there, texts " + texts(session);
        }
        case CREATE -> {
          int files = progress.next().get() - 1;
          require("files of the directory", session.countFiles(), files);
          for (int file = 1; file <= Math.min(files, CHECKED_VERTICES); file++) {
            require("size of file " + file, session.readSize(file), Data.size(file));
          }
          yield "all files are there";
        }
        case DISTINCT ->
            session.countDistinct(expected.graph().start(), workload.parameter()) + " vertices";
        default -> "all links are there, texts " + texts(session) + links(session);
      };
    }
  }

  private static void require(String what, long found, long due) {
    if (found != due) {
      throw new IllegalStateException("The " + what + " come to " + found + "; expected " + due);
    }
  }

  /** Looks at vertices that were inserted or filled in. */
  private long texts(EverydayGraph.Session session) throws IOException {
    boolean hot = workload.kind().contents() == Workload.Contents.SOURCE;
    int count = hot ? progress.next().get() : expected.graph().vertexCount();
    for (int vertex = 0; vertex < Math.min(count, CHECKED_VERTICES); vertex++) {
      long found = Data.look(session.read(vertex));
      require("text of vertex " + vertex, found, Data.vertexLook(vertex));
    }
    return Data.look(session.read(0));
  }

  /** Counts the links of some vertices: those of the file, unless it was not loaded, and added. */
  private String links(EverydayGraph.Session session) throws IOException {
    boolean filled = workload.kind().isFilled();
    for (int i = 0; i < Math.min(expected.graph().vertexCount(), CHECKED_VERTICES); i++) {
      int added = progress.added().get(i);
      long found = session.countOut(i);
      require("links of vertex " + i, found, added + (filled ? expected.degree(i) : 0));
    }
    boolean unchanged = filled && !workload.kind().writes();
    return unchanged ? ", links " + session.readLinks(expected.pathStart(0)) : "";
  }
}
