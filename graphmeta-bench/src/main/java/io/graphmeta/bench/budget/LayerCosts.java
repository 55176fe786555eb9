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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Samples of one round, by layer: of running threads, in code of Java and in that of libraries, at
 * equal intervals; and of allocations, each with the bytes that it stands for. Immutable.
 */
final class LayerCosts {
  /** The least that Java Flight Recorder keeps to. */
  private static final Duration INTERVAL = Duration.ofMillis(10);

  private static final String ENGINE_PREFIX = "graphmeta-";
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final String IN_JAVA = "jdk.ExecutionSample";
  private static final String IN_LIBRARY = "jdk.NativeMethodSample";
  private static final String ALLOCATION = "jdk.ObjectAllocationSample";
  private static final String ALLOCATIONS_A_SECOND = "1000/s";

  private final Map<Layer, Long> samples = new EnumMap<>(Layer.class);
  private final Map<Layer, Long> bytes = new EnumMap<>(Layer.class);
  private final long threadNanos;

  /**
   * Threads whose first sample is past. It stands for all that the thread ever allocated before.
   */
  private final Set<Long> seen = new HashSet<>();

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
        recording.enable(ALLOCATION).with("throttle", ALLOCATIONS_A_SECOND).withStackTrace();
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
          samples.merge(Layer.of(event.getStackTrace()), 1L, Long::sum);
        }
      }
      case ALLOCATION -> {
        RecordedThread thread = event.getThread();
        if (isOfRound(thread) && !seen.add(thread.getId())) {
          bytes.merge(Layer.of(event.getStackTrace()), event.getLong("weight"), Long::sum);
        }
      }
      default -> {
        // Nothing else was asked for.
      }
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

  /** Samples of all layers. */
  long sampleCount() {
    return sum(samples);
  }

  private static <K> long sum(Map<K, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The share of a layer in the time of running threads. */
  double timeShare(Layer layer) {
    return (double) samples.getOrDefault(layer, 0L) / Math.max(1, sum(samples));
  }

  /** The share of a layer in what was allocated. */
  double byteShare(Layer layer) {
    return (double) bytes.getOrDefault(layer, 0L) / Math.max(1, sum(bytes));
  }
}
