package io.graphmeta.bench.peers.runner.everyday;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/** One thread of a round: does its workload step by step, and counts. For one thread. */
final class Worker {
  private final Workload workload;
  private final Expected expected;
  private final EverydayGraph.Session session;
  private final Progress progress;
  private final SplittableRandom random;
  private final @Nullable Lock reading;
  private final @Nullable Lock writing;
  private long operations;
  private long units;
  private long found;
  private long due;
  private boolean exhausted;
  private int searches;

  /**
   * What the threads of all rounds on one graph share.
   *
   * @param next the number of the next vertex, or of the next edge that is loaded
   * @param added the links that were added to each vertex of the graph file
   */
  record Progress(AtomicInteger next, AtomicIntegerArray added) {}

  Worker(
      Workload workload,
      Expected expected,
      EverydayGraph graph,
      EverydayGraph.Session session,
      Progress progress,
      long seed) {
    this.workload = workload;
    this.expected = expected;
    this.session = session;
    this.progress = progress;
    this.random = new SplittableRandom(seed);
    ReadWriteLock turns = workload.kind().writes() ? graph.turns() : null;
    this.reading = turns == null ? null : turns.readLock();
    this.writing = turns == null ? null : turns.writeLock();
  }

  /** Does it until a moment of {@link System#nanoTime}, once at least; what was due was found. */
  void run(long endNanos) throws IOException {
    do {
      step();
      operations++;
    } while (System.nanoTime() < endNanos && !exhausted);
    if (found != due) {
      throw new IllegalStateException(
          "What " + workload + " read comes to " + found + "; expected " + due);
    }
  }

  /** How often it was done so far. */
  long operations() {
    return operations;
  }

  /** How much was done so far. */
  long units() {
    return units;
  }

  private void step() throws IOException {
    switch (workload.kind()) {
      case HOT -> insert(0, 1);
      case HOT100 -> insert(0, Workload.SHARED_COMMIT);
      case LOAD -> load();
      case READ -> {
        int vertex = random.nextInt(expected.graph().vertexCount());
        count(1, Data.look(session.read(vertex)), Data.vertexLook(vertex));
      }
      case HOP -> {
        int vertex = expected.anyVertex(random);
        int degree = expected.degree(vertex);
        count(degree, session.countOut(vertex), degree);
      }
      case MAPS -> {
        int vertex = expected.anyVertex(random);
        count(expected.degree(vertex), session.readLinks(vertex), expected.edgeLooks(vertex));
      }
      case PATHS -> {
        int place = searches++;
        count(1, session.countPaths(expected.pathStart(place)), expected.pathsFrom(place));
      }
      case CREATE -> create();
      case MIXED -> mix();
      case DISTINCT -> distinct();
      default -> throw new IllegalStateException("Nobody does " + workload);
    }
  }

  private void count(int done, long answer, long answerDue) {
    units += done;
    found += answer;
    due += answerDue;
  }

  private void insert(int source, int vertices) throws IOException {
    lock(writing);
    try {
      for (int i = 0; i < vertices; i++) {
        session.addLinked(source, progress.next().getAndIncrement());
      }
      session.commit();
    } finally {
      unlock(writing);
    }
    progress.added().addAndGet(source, vertices);
    units += vertices;
  }

  private void load() throws IOException {
    int edges = expected.graph().edgeCount();
    int from = progress.next().getAndAdd(Workload.LOAD_COMMIT);
    int to = Math.min(from + Workload.LOAD_COMMIT, edges);
    for (int edge = from; edge < to; edge++) {
      int source = expected.graph().sources()[edge];
      session.addEdge(source, expected.graph().destinations()[edge], edge);
      progress.added().incrementAndGet(source);
      units++;
    }
    session.commit();
    exhausted = to == edges;
  }

  private void create() throws IOException {
    lock(writing);
    try {
      session.addFile(progress.next().getAndIncrement());
      session.commit();
    } finally {
      unlock(writing);
    }
    units++;
  }

  /** Reads beside writes are compared later, when there are no more writes. */
  private void mix() throws IOException {
    if (random.nextInt(Workload.INSERT_SHARE) == 0) {
      insert(random.nextInt(expected.graph().vertexCount()), 1);
    } else {
      lock(reading);
      try {
        session.countOut(expected.anyVertex(random));
      } finally {
        unlock(reading);
      }
      units++;
    }
  }

  /** The same query has the same answer each time. */
  private void distinct() throws IOException {
    long answer = session.countDistinct(expected.graph().start(), workload.parameter());
    count(1, answer, units == 0 ? answer : found / units);
  }

  private static void lock(@Nullable Lock lock) {
    if (lock != null) {
      lock.lock();
    }
  }

  private static void unlock(@Nullable Lock lock) {
    if (lock != null) {
      lock.unlock();
    }
  }
}
