package io.graphmeta.bench.budget;

import io.graphmeta.bench.peers.runner.everyday.Rounds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one round, by layer: of running threads, in code of Java and in that of libraries, at
 * equal intervals; and of allocations. Immutable.
 */
final class LayerCosts {
  /** The least that Java Flight Recorder keeps to. */
  private static final Duration INTERVAL = Duration.ofMillis(10);

  private static final String ENGINE_PREFIX = "graphmeta-";
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String IN_JAVA = "jdk.ExecutionSample";
  private static final String IN_LIBRARY = "jdk.NativeMethodSample";
  private static final String IN_NEW_BUFFER = "jdk.ObjectAllocationInNewTLAB";
  private static final String OUTSIDE_BUFFER = "jdk.ObjectAllocationOutsideTLAB";

  private final Shares samples = new Shares();
  private final Shares bytes = new Shares();
  private final long threadNanos;

  private LayerCosts(long threadNanos) {
    this.threadNanos = threadNanos;
  }

  /** What is sampled. */
  @FunctionalInterface
  interface Round {
    /** Does it. */
    void run() throws Exception;
  }

  /** Samples a round. */
  static LayerCosts of(Round round) throws Exception {
    Path file = Files.createTempFile("graphmeta-budget", ".jfr");
    try {
      try (Recording recording = new Recording()) {
        recording.enable(IN_JAVA).withPeriod(INTERVAL);
        recording.enable(IN_LIBRARY).withPeriod(INTERVAL);
        recording.enable(IN_NEW_BUFFER).withStackTrace();
        recording.enable(OUTSIDE_BUFFER).withStackTrace();
        recording.start();
        Map<Long, Long> before = nanosByThread();
        round.run();
        Map<Long, Long> after = nanosByThread();
        recording.stop();
        recording.dump(file);
        before.keySet().retainAll(after.keySet());
        return read(file, sum(after) - sum(before));
      }
    } finally {
      Files.delete(file);
    }
  }

  /** The processor time of each thread of the round so far. */
  private static Map<Long, Long> nanosByThread() {
    Map<Long, Long> nanos = new HashMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (isOfRound(thread.getName())) {
        nanos.put(thread.getId(), Math.max(0, THREADS.getThreadCpuTime(thread.getId())));
      }
    }
    return nanos;
  }

  private static LayerCosts read(Path file, long threadNanos) throws IOException {
    LayerCosts costs = new LayerCosts(threadNanos);
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        costs.add(events.readEvent());
      }
    }
    return costs;
  }

  private void add(RecordedEvent event) {
    if (event.getStackTrace() == null) {
      return;
    }
    switch (event.getEventType().getName()) {
      case IN_JAVA, IN_LIBRARY -> {
        if (isOfRound(event.getThread("sampledThread"))) {
          samples.add(event.getStackTrace(), 1);
        }
      }
      case IN_NEW_BUFFER -> addBytes(event, "tlabSize");
      case OUTSIDE_BUFFER -> addBytes(event, "allocationSize");
      default -> {
        // Nothing else was asked for.
      }
    }
  }

  /** Whoever needs a new buffer of its thread stands for all that was allocated in one. */
  private void addBytes(RecordedEvent event, String size) {
    if (isOfRound(event.getThread())) {
      bytes.add(event.getStackTrace(), event.getLong(size));
    }
  }

  private static boolean isOfRound(@Nullable RecordedThread thread) {
    String name = thread == null ? null : thread.getJavaName();
    return name != null && isOfRound(name);
  }

  /** Not the thread that begins and ends the round, nor those of the recorder itself. */
  private static boolean isOfRound(String thread) {
    return thread.startsWith(Rounds.THREAD_PREFIX) || thread.startsWith(ENGINE_PREFIX);
  }

  /** Processor time of all threads that were sampled. */
  long threadNanos() {
    return threadNanos;
  }

  /** Samples of running threads. */
  Shares samples() {
    return samples;
  }

  /** Samples of allocations, by bytes. */
  Shares bytes() {
    return bytes;
  }

  private static long sum(Map<?, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How much of something each layer has, and each method in it. */
  static final class Shares {
    private final Map<Layer, Map<String, Long>> counts = new EnumMap<>(Layer.class);

    private void add(RecordedStackTrace stack, long count) {
      RecordedMethod method = Layer.method(stack);
      Layer layer = method == null ? Layer.TINKERPOP : Layer.ofClass(method.getType().getName());
      String name = method == null ? "" : method.getType().getName() + "." + method.getName();
      counts.computeIfAbsent(layer, l -> new HashMap<>()).merge(name, count, Long::sum);
    }

    /** All of it. */
    long sum() {
      return counts.values().stream().mapToLong(LayerCosts::sum).sum();
    }

    /** The share of a layer. */
    double of(Layer layer) {
      return LayerCosts.sum(counts.getOrDefault(layer, Map.of())) / (double) Math.max(1, sum());
    }

    /** The methods of all layers with the largest shares, with these. */
    Map<String, Double> largest(int methods) {
      Map<String, Double> largest = new LinkedHashMap<>();
      counts.values().stream()
          .flatMap(inLayer -> inLayer.entrySet().stream())
          .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
          .limit(methods)
          .forEach(entry -> largest.put(entry.getKey(), entry.getValue() / (double) sum()));
      return largest;
    }
  }
}
